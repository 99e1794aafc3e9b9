/** Verification of received payments that the wallet's service reports. */
import { beforeEach, describe, expect, test } from 'vitest';
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { writeInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { ReceivedTransaction } from '../../protocol/http/received.ts';
import { serializeTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { codeOf } from '../../testing/code-of.ts';
import { ranked } from '../coins/coin.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { testCoin, testScript } from '../../testkit/wallet/coins.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import { publicKeyHashes, publicKeysOf } from '../keys/keys.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

const NOW = Date.UTC(2026, 0, 1);
const KEYS = publicKeysOf(new Uint8Array(64).fill(3));
const PARENT = 'bb'.repeat(32);

const wallet = useDatabase(() => import('./check.ts'));
beforeEach(() => setTime(NOW));

const own = (index: number) => p2pkhScript(publicKeyHashes(KEYS, 'service', [index])[0] as Uint8Array);
/** Returns an address's script with an inscription of `size` bytes. */
const ordinal = (index: number, size = 5) => writeInscription('text/plain', new Uint8Array(size), own(index));

/** Returns a received transaction with these outputs. The service reports the outputs in `named`. */
function said(
  outputs: [satoshis: bigint, script: Uint8Array][],
  named: [satoshis: bigint, index: number][],
  more: Partial<ReceivedTransaction> = {},
  inputs = 1,
): ReceivedTransaction {
  const bytes = serializeTransaction({
    version: 1,
    lockTime: 0,
    inputs: Array.from({ length: inputs }, (_, vout) => ({
      txid: PARENT,
      vout: 7 + vout,
      unlockingScript: new Uint8Array(2),
      sequence: 1,
    })),
    outputs: outputs.map(([satoshis, lockingScript]) => ({ satoshis, lockingScript })),
  });
  return {
    id: 'one',
    txid: txidOf(bytes),
    rawtx: toHex(bytes),
    satoshis: '700',
    outputs: named.map(([satoshis, index]) => ({ script: toHex(own(index)), satoshis: `${satoshis}`, index })),
    paymentId: 'payment',
    sender: 'Bob@Two.example',
    senderVerified: true,
    note: 'for lunch',
    createdAt: new Date(NOW - 5000).toISOString(),
    ...more,
  };
}
const plain = (more: Partial<ReceivedTransaction> = {}) => said([[700n, own(0)]], [[700n, 0]], more);
const check = (one: unknown) => wallet.checkReceived(current, one, KEYS);
const refusal = async (one: unknown) => codeOf(check(one));

describe('a payment by paymail', () => {
  test('the content of a payment is that of its transaction, at addresses of the wallet', async () => {
    const one = said(
      [
        [5n, testScript(1)],
        [70n, own(4)],
        [700n, own(0)],
      ],
      [
        [700n, 0],
        [70n, 4],
      ],
    );
    expect(await check(one)).toEqual({
      rawtx: one.rawtx,
      txid: one.txid,
      spends: [`${PARENT}:7`],
      outputs: [
        { vout: 2, satoshis: 700n, script: toHex(own(0)), lockingScript: toHex(own(0)), index: 0 },
        { vout: 1, satoshis: 70n, script: toHex(own(4)), lockingScript: toHex(own(4)), index: 4 },
      ],
      sender: { paymail: 'bob@two.example', verified: true },
      note: 'for lunch',
      createdAt: NOW - 5000,
    });
  });

  test('each output is included once, even if two are identical', async () => {
    const alike: [bigint, Uint8Array][] = [
      [700n, own(0)],
      [700n, own(0)],
    ];
    const twice: [bigint, number][] = [
      [700n, 0],
      [700n, 0],
    ];
    expect((await check(said(alike, twice))).outputs.map(({ vout }) => vout)).toEqual([0, 1]);
    expect(await refusal(said([[700n, own(0)]], twice))).toBe('payment-mismatch');
  });

  test.each<[string, () => unknown, string]>([
    ['is no such record', () => ({ ...plain(), satoshis: -5 }), 'invalid-request'],
    ['is nothing', () => null, 'invalid-request'],
    ['is of no transaction', () => plain({ rawtx: '00' }), 'invalid-transaction'],
    ['is of another transaction', () => plain({ txid: 'cc'.repeat(32) }), 'payment-mismatch'],
    ['pays a different amount', () => said([[701n, own(0)]], [[700n, 0]]), 'payment-mismatch'],
    ['pays another address', () => said([[700n, own(1)]], [[700n, 0]]), 'payment-mismatch'],
    [
      'names a script that is not that of our address',
      () =>
        said([[700n, testScript(1)]], [], {
          outputs: [{ script: toHex(testScript(1)), satoshis: '700', index: 0 }],
        }),
      'payment-mismatch',
    ],
    ['carries an inscription for another address', () => said([[1n, ordinal(1)]], [[1n, 0]]), 'payment-mismatch'],
    ['carries an inscription but more than one satoshi', () => said([[2n, ordinal(0)]], [[2n, 0]]), 'payment-mismatch'],
  ])('a payment is rejected if it %s', async (_, one, code) => {
    expect(await refusal(one())).toBe(code);
  });

  test('the addresses may be up to a thousand positions beyond the derived ones', async () => {
    const at = (index: number) => refusal(said([[700n, own(index)]], [[700n, index]]));
    expect([await at(999), await at(1000)]).toEqual(['none', 'payment-mismatch']);
    const both: [bigint, number][] = [
      [700n, 0],
      [70n, 1000],
    ];
    expect(
      await refusal(
        said(
          both.map(([satoshis, index]) => [satoshis, own(index)]),
          both,
        ),
      ),
    ).toBe('payment-mismatch');
    await wallet.db.put('addresses', {
      script: toHex(own(0)),
      address: 'address',
      chain: 'service',
      index: 0,
      used: false,
    });
    expect([await at(1000), await at(1001)]).toEqual(['none', 'payment-mismatch']);
  });

  test('at most the first hundred spent outputs are stored', async () => {
    const { spends } = await check(said([[700n, own(0)]], [[700n, 0]], {}, 120));
    expect(spends).toHaveLength(100);
    expect(spends.at(-1)).toBe(`${PARENT}:106`);
  });

  test.each([
    [null, null],
    ['nobody', null],
    ['bob@two.example', { paymail: 'bob@two.example', verified: false }],
  ])('the sender is stored only if it is a paymail: %s', async (sender, expected) => {
    expect((await check(plain({ sender, senderVerified: false }))).sender).toEqual(expected);
  });

  test.each([
    [null, null],
    ['', null],
    ['a'.repeat(600), 'a'.repeat(500)],
  ])('notes are truncated to their maximum length', async (note, expected) => {
    expect((await check(plain({ note }))).note).toBe(expected);
  });

  test.each([
    ['later than now', new Date(NOW + 1).toISOString()],
    ['that is invalid', 'yesterday'],
    ['of 1970', new Date(0).toISOString()],
  ])('a reported time %s is replaced by the current time', async (_, createdAt) => {
    expect((await check(plain({ createdAt }))).createdAt).toBe(NOW);
  });
});

describe('the content of a one-satoshi coin', () => {
  test('the content is stored with the coin', async () => {
    const one = said([[1n, ordinal(0)]], [[1n, 0]]);
    expect((await check(one)).outputs).toMatchObject([{ script: toHex(own(0)), lockingScript: toHex(ordinal(0)) }]);
  });

  test('the content is stored while there is space, except for coins already stored', async () => {
    expect(await refusal(said([[1n, ordinal(0, 399_000)]], [[1n, 0]]))).toBe('none');
    const large = said([[1n, ordinal(0, 400_001)]], [[1n, 0]]);
    expect(await refusal(large)).toBe('payment-mismatch');
    await wallet.db.put('coins', ranked(testCoin(1n, { txid: large.txid })));
    expect(await refusal(large)).toBe('none');
  });

  test('only the content is measured', async () => {
    const filler = new Uint8Array(400_001).fill(0x6a);
    expect(
      await refusal(
        said(
          [
            [700n, own(0)],
            [1n, filler],
          ],
          [[700n, 0]],
        ),
      ),
    ).toBe('none');
  });
});
