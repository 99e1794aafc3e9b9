import { expect, test, describe, it } from 'vitest';
import { testCoin } from '../../testkit/wallet/coins.ts';
import {
  mayReturn,
  outpoint,
  ranked,
  type CoinStatus,
  COIN_EVENTS,
  COIN_MOVES,
  moveCoin,
  type CoinEvent,
  type CoinMove,
} from './coin.ts';
import { eventTable } from '../../testing/event-table.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';

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

test('an outpoint consists of a transaction’s ID and the index of its output', () => {
  expect(outpoint(TXID, 3)).toBe(`${TXID}:3`);
});

test('a coin may return only if it is gone, or was spent by no known payment', () => {
  const may = (['void', 'pending', 'available', 'reserved', 'spent', 'gone'] as const).flatMap((status) =>
    [null, 'payment'].filter((paymentId) => mayReturn(testCoin(5n, { status, paymentId }))).map((id) => [status, id]),
  );
  expect(may).toEqual([
    ['spent', null],
    ['gone', null],
    ['gone', 'payment'],
  ]);
});

const states = Object.keys(COIN_MOVES) as CoinStatus[];
const events = Object.keys(COIN_EVENTS) as CoinEvent[];
const FREE = ['void', 'pending', 'available', 'gone'] as const;

const coin = (status: CoinStatus) => testCoin(500n, { status, paymentId: 'before' });
const moveOf = (event: CoinEvent, free: (typeof FREE)[number] = 'available'): CoinMove => {
  if (event === 'release') return { event, free };
  return event === 'reserve' || event === 'spend' ? { event, paymentId: 'payment' } : { event };
};

describe('the table of a coin in docs/architecture/coins.md', () => {
  const { events: rows, next } = eventTable('docs/architecture/coins.md', states);

  it('the table lists all events with their meanings', () => {
    expect(rows).toEqual(Object.entries(COIN_EVENTS));
  });

  it.each(states)('the table shows the next status of a coin that is %s', (state) => {
    for (const event of events) {
      const [cell] = next(event, state);
      const illegal = expect.objectContaining({ code: 'internal' });
      if (cell === undefined) expect(() => moveCoin(coin(state), moveOf(event)), event).toThrow(illegal);
      else if (cell === 'as its transaction is')
        for (const free of FREE) expect(moveCoin(coin(state), moveOf(event, free)).status).toBe(free);
      else expect(moveCoin(coin(state), moveOf(event)).status, event).toBe(cell);
    }
  });
});

describe('moveCoin', () => {
  it('a coin names the payment that reserves it, and none after its release', () => {
    const ids = events.map((event) => {
      const from = states.find((state) => COIN_MOVES[state][event] !== undefined) as CoinStatus;
      return [event, moveCoin(coin(from), moveOf(event)).paymentId];
    });
    expect(Object.fromEntries(ids)).toEqual({
      reserve: 'payment',
      spend: 'payment',
      'spend-elsewhere': null,
      release: null,
      accept: 'before',
      await: 'before',
      void: 'before',
      vanish: null,
      return: null,
      show: null,
    });
  });

  it('change counts fully once the network has it', () => {
    const pending = testCoin(500n, { status: 'pending', isUnproven: true });
    expect(moveCoin(pending, { event: 'accept' })).not.toHaveProperty('isUnproven');
    expect(moveCoin(pending, { event: 'void' }).isUnproven).toBe(true);
  });
});

describe('stored coins', () => {
  const store = useDatabase(() => import('./records.ts'));

  it('stored coins keep their totals if an event is illegal', async () => {
    const spent = testCoin(500n, { vout: 1, status: 'spent', paymentId: 'payment' });
    await store.write(async (tx) => {
      await store.addCoin(tx, testCoin(700n));
      await store.addCoin(tx, spent);
    });
    const all = async () => [await store.db.getAll('coins'), await store.db.get('totals', 'coins')];
    const before = await all();
    const failed = store.write(async (tx) => {
      await store.changeCoin(tx, testCoin(700n), { event: 'reserve', paymentId: 'other' });
      await store.changeCoin(tx, spent, { event: 'accept' });
    });
    await expect(failed).rejects.toMatchObject({
      code: 'internal',
      detail: 'the event accept is illegal for a coin that is spent',
    });
    expect(await all()).toEqual(before);
  });

  it('stored coins are not added twice', async () => {
    await store.write((tx) => store.addCoin(tx, testCoin(700n, { status: 'spent' })));
    await expect(store.write((tx) => store.addCoin(tx, testCoin(700n)))).rejects.toMatchObject({ code: 'internal' });
    expect((await store.db.getAll('coins')).map(({ status }) => status)).toEqual(['spent']);
  });
});
