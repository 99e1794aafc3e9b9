/** Tests that chains of an application's withheld actions don't take time quadratic or exponential in their length. */
import { expect, test, vi } from 'vitest';
import { testCoin } from '../../../testkit/wallet/coins.ts';
import { useDatabase } from '../../../testkit/wallet/database.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';
import { payment, signed, txid } from '../../activity/testing-activity.ts';
import type { PaymentRecord } from '../record.ts';

const APP = 'https://app.example';
const wallet = useDatabase(async () => ({
  ...(await import('./abandon.ts')),
  ...(await import('./replace.ts')),
  ...(await import('../../coins/records.ts')),
}));

/** Returns a withheld action that spends the given outputs. */
const action = (n: number, inputs: string[], more: Partial<PaymentRecord> = {}): PaymentRecord =>
  payment(n, {
    origin: APP,
    state: 'signed',
    trouble: 'held',
    height: null,
    signed: { ...signed(n), inputs, inputSatoshis: inputs.map(() => 1n) },
    action: {
      ...{ reference: `${n}`, digest: '', labels: [], version: 1, lockTime: 0, noSendChange: [], outputs: [] },
      ...{ randomizeOutputs: true, signLater: false, noSend: true },
      inputs: [],
      answer: { acceptDelayedBroadcast: true, returnTXIDOnly: false, sendWith: [] },
    },
    unfinished: 1,
    ...more,
  });

const output = (n: number, vout = 0) => `${txid(n)}:${vout}`;

/** Stores payments in an order that differs from their chain's. */
async function store(payments: PaymentRecord[]): Promise<void> {
  const tx = wallet.db.transaction('payments', 'readwrite');
  for (const [i, one] of payments.entries()) void tx.store.put({ ...one, id: `${(i * 7919) % 10_007}` });
  await tx.done;
}

/** Counts the reads of a call. */
async function readsOf(call: () => Promise<unknown>): Promise<number> {
  let reads = 0;
  const spies = (['getAll', 'getAllKeys', 'get', 'getKey'] as const).flatMap((method) =>
    [IDBIndex.prototype, IDBObjectStore.prototype].map((source) => {
      const real = source[method] as (...args: unknown[]) => unknown;
      return vi.spyOn(source, method).mockImplementation(function (this: unknown, ...args: unknown[]) {
        reads += 1;
        return real.apply(this, args) as never;
      } as never);
    }),
  );
  await call();
  for (const spy of spies) spy.mockRestore();
  return reads;
}

/** A chain in which each action spends the previous one's output. The first one spends one of the user's coins. */
const chain = (length: number) => Array.from({ length }, (_, n) => action(n + 1, [output(n)]));
const ids = () => wallet.db.getAllKeys('payments');

test('listing the actions that the user can end takes a few reads per action of a chain', async () => {
  // The first action spends one of the user's coins, so the user can cancel it, but not end it.
  await wallet.write(async (tx) => {
    for (let n = 0; n < 40; n += 1)
      await wallet.putCoin(tx, testCoin(500n, { txid: txid(n), height: null, status: 'reserved' }));
  });
  await store(chain(40));
  let bySite = new Map<string, number>();
  expect(await readsOf(async () => void (bySite = await wallet.abandonableBySite(current)))).toBeLessThan(40 * 10);
  expect(bySite.size).toBe(0);
});

test('listing a chain of actions that the user can end takes a few reads per action', async () => {
  await store(chain(40));
  let bySite = new Map<string, number>();
  expect(await readsOf(async () => void (bySite = await wallet.abandonableBySite(current)))).toBeLessThan(40 * 10);
  expect(bySite).toEqual(new Map([[APP, 40]]));
});

test('a chain of actions can’t be ended if another payment spends the last one’s output', async () => {
  await store([...chain(40), payment(41, { signed: { ...signed(41), inputs: [output(40)], inputSatoshis: [1n] } })]);
  let bySite = new Map<string, number>();
  expect(await readsOf(async () => void (bySite = await wallet.abandonableBySite(current)))).toBeLessThan(40 * 10);
  expect(bySite.size).toBe(0);
});

test('ending an action also ends the whole chain, in time proportional to the chain’s length', async () => {
  await store(chain(30));
  const [id = ''] = await ids();
  expect(await readsOf(() => wallet.abandonOne(current, id))).toBeLessThan(30 * 40);
  expect((await wallet.db.getAll('payments')).every(({ state }) => state === 'failed')).toBe(true);
});

const next = { origin: 'https://shop.example', quote: payment(0).quote };
const mayPayTwice = (spent: string[]) =>
  wallet.mayPayTwice(current, next, { inputs: spent.map((outpoint) => ({ outpoint })) as never });
/** Levels of `width` actions. Each action spends an output of each action of the previous level. The last is aborted. */
const ladder = (depth: number, width: number) =>
  Array.from({ length: depth * width }, (_, i) => {
    const level = Math.floor(i / width);
    const parents = Array.from({ length: width }, (__, k) => (level - 1) * width + k + 1);
    const inputs = level === 0 ? [output(9000 + i)] : parents.map((n) => output(n, i % width));
    return action(i + 1, inputs, i === depth * width - 1 ? { trouble: 'aborted' } : {});
  });

test('a payment that repeats an aborted action visits each of its ancestors once, and not along every path', async () => {
  await store(ladder(6, 3));
  let isTwice = false;
  expect(await readsOf(async () => void (isTwice = await mayPayTwice([])))).toBeLessThan(18 * 10);
  expect(isTwice).toBe(true);
  // The action depends on the third one, which spends the same coin as the payment, so only one of the two can be
  // mined.
  expect(await mayPayTwice([output(9002)])).toBe(false);
});

test('a payment that repeats one of many actions with the same inputs warns the user instead of searching for a long time', async () => {
  const coin = output(9000);
  const shared = Array.from({ length: 90 }, (_, vout) => output(9001, vout));
  const spenders = Array.from({ length: 120 }, (_, i) => action(i + 2, [...shared, output(1)]));
  await store([action(1, [coin]), { ...(spenders[0] as PaymentRecord), trouble: 'aborted' }, ...spenders.slice(1)]);
  // The payment spends the coin of the aborted action's parent, so only one of the two can be mined. The search stops
  // before it finds that conflict.
  expect(await mayPayTwice([coin])).toBe(true);
});
