import { expect, test } from 'vitest';
import { testCoin } from '../../testkit/wallet/coins.ts';
import { mayReturn, outpoint, ranked } from './coin.ts';

const TXID = 'aa'.repeat(32);

test.each([
  ['a confirmed coin', testCoin(700n, { height: 7 }), 0],
  ['a coin of the first block', testCoin(700n, { height: 0 }), 0],
  ['an unconfirmed coin', testCoin(700n, { height: null }), 1],
  ['the last coin of a chain that is not long yet', testCoin(700n, { height: null, depth: 19 }), 1],
  ['the end of a long unconfirmed chain', testCoin(700n, { height: null, depth: 20 }), 2],
  ['a confirmed coin of one satoshi', testCoin(1n, { height: 7 }), 3],
  ['an unconfirmed coin of one satoshi', testCoin(1n, { height: null, depth: 20 }), 3],
])('%s is stored with its rank', (_, coin, tier) => {
  expect(ranked(coin)).toEqual({ ...coin, tier, value: Number(coin.satoshis) });
});

test('a coin is named by its transaction and the index of its output', () => {
  expect(outpoint(TXID, 3)).toBe(`${TXID}:3`);
});

test('the network may reverse only its own decisions', () => {
  const may = (['void', 'pending', 'available', 'reserved', 'spent', 'gone'] as const).flatMap((status) =>
    [null, 'payment'].filter((paymentId) => mayReturn(testCoin(5n, { status, paymentId }))).map((id) => [status, id]),
  );
  expect(may).toEqual([
    ['spent', null],
    ['gone', null],
    ['gone', 'payment'],
  ]);
});
