/**
 * Tests that listing and searching the activity don't read the data in applications' transactions, which can take
 * megabytes.
 */
import { serialize } from 'node:v8';
import { afterEach, expect, test, vi } from 'vitest';
import { ranked } from '../coins/coin.ts';
import type { PaymentRecord } from '../payments/record.ts';
import { testCoin } from '../../testkit/wallet/coins.ts';
import { endAllWorkerRuns, Profile, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { all, list, payment, signed, START } from './testing-activity.ts';
import { wallet } from '../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

const MEGABYTE = 1_000_000;
const LARGE = 30;
/** Maximum number of bytes that one request may read. */
const LOOK = 300_000;

/** Returns a `noSend` action with a raw transaction of a million hex digits. */
const action = (n: number): PaymentRecord => ({
  ...payment(n),
  origin: 'https://app.example',
  options: { outputs: [], label: 'text', buttonId: `note-${n}-` },
  state: 'signed',
  trouble: 'held',
  height: null,
  signed: { ...signed(n), rawtx: 'ab'.repeat(MEGABYTE / 2) },
  action: {
    ...{ reference: '', digest: '', labels: ['text'], version: 1, lockTime: 0, inputs: [], noSendChange: [] },
    ...{ randomizeOutputs: true, signLater: false, noSend: true },
    outputs: [
      {
        ...{ satoshis: 0n, lockingScript: new Uint8Array(MEGABYTE / 10), description: 'a text' },
        ...{ basket: null, customInstructions: null, tags: [] },
      },
    ],
    answer: { acceptDelayedBroadcast: true, returnTXIDOnly: false, sendWith: [] },
  },
  unfinished: 0, // the worker's own tasks don't read it
});

const DATA_BYTES = 200_000;
const SCRIPT = `OP_FALSE OP_RETURN ${'ab'.repeat(DATA_BYTES / 4)}`;

/** Returns a button payment with 200 kB of data: in a script, in `opReturn` and in the data to sign. */
const button = (n: number): PaymentRecord => {
  const to = { type: 'SCRIPT', to: SCRIPT, paymail: null, userId: null, address: null, script: SCRIPT } as const;
  const operation = { name: 'note', method: 'sign', data: 'x'.repeat(DATA_BYTES / 4) } as const;
  const output = { ...to, amount: '0.001', currency: 'BSV', satoshis: '100000', scripts: [] };
  return {
    ...payment(n),
    options: {
      outputs: [{ script: SCRIPT, amount: '0.001', currency: 'BSV' }],
      opReturn: `deed-${n}- ${'y'.repeat(DATA_BYTES / 4)}`,
      cryptoOperations: [operation],
      label: 'a deed',
      buttonId: `note-${n}-`,
    },
    quote: { ...payment(n).quote, outputs: [output] },
    operations: [],
    unfinished: 0,
  };
};

const write = (run: WorkerRun, ...records: PaymentRecord[]) =>
  run.modules.database.inTransaction(wallet, async (tx) => {
    for (const record of records) await tx.objectStore('payments').put(record);
  });

async function begun(count = 8): Promise<WorkerRun> {
  const run = await new Profile('http://localhost:1').start();
  for (let n = 0; n < count; n += 1) await write(run, action(n), payment(100 + n));
  return run;
}

/** Returns the number of bytes read from the database while `look` runs. */
async function bytesRead(look: () => Promise<unknown>): Promise<number> {
  let bytes = 0;
  const spies = [IDBObjectStore, IDBIndex].flatMap(({ prototype }) =>
    ['get', 'getAll', 'getAllRecords', 'openCursor'].flatMap((method) => {
      const read = Reflect.get(prototype, method) as ((...args: unknown[]) => Promise<unknown>) | undefined;
      if (!read) return [];
      const counted = function counted(this: unknown, ...args: unknown[]) {
        const request = read.apply(this, args);
        const values = (result: unknown) =>
          [result].flat().map((one: unknown) => (one as { value?: unknown } | null)?.value ?? one);
        void request.then((result) => (bytes += serialize(values(result)).length));
        return request;
      };
      return [vi.spyOn(prototype as unknown as Record<string, typeof counted>, method).mockImplementation(counted)];
    }),
  );
  await look();
  for (const spy of spies) spy.mockRestore();
  return bytes;
}

test('reading the activity or the actions with coins set aside reads no large transaction', async () => {
  const run = await begun(LARGE);
  const { modules } = run;
  await modules.database.inTransaction(wallet, async (tx) => {
    for (let n = 0; n < LARGE; n += 1) {
      const [txid, paymentId] = [(0xc0 + n).toString(16).padStart(64, '0'), action(n).id];
      await tx.objectStore('coins').put(ranked(testCoin(700n, { txid, status: 'reserved', paymentId })));
    }
  });
  expect(await bytesRead(() => list(run, {}, 100))).toBeLessThan(LOOK);
  expect(await bytesRead(() => all(run, { search: 'note-7-' }))).toBeLessThan(LOOK);
  expect(await bytesRead(() => modules.handlers.walletHandlers(wallet)['activity/export']({}))).toBeLessThan(LOOK);
  const { reservedBySite } = await import('../payments/set-aside.ts');
  let setAside: unknown;
  expect(await bytesRead(async () => void (setAside = await reservedBySite(wallet)))).toBeLessThan(LOOK);
  expect(setAside).toEqual([{ origin: 'https://app.example', satoshis: '21000', unfinished: LARGE, givenUp: 0 }]);
  const db = await modules.database.database(wallet);
  expect(await bytesRead(() => db.get('payments', action(1).id))).toBeGreaterThan(MEGABYTE);
});

test('the activity reads little data, even if each button payment has 200 kB', async () => {
  const run = await new Profile('http://localhost:1').start();
  for (let n = 0; n < LARGE; n += 1) await write(run, button(n));
  const db = await run.modules.database.database(wallet);
  expect(await bytesRead(() => db.getAll('payments'))).toBeGreaterThan(LARGE * DATA_BYTES);
  expect(await bytesRead(() => list(run, {}, 100))).toBeLessThan(LOOK);
  expect(await bytesRead(() => all(run, { search: 'deed-7-' }))).toBeLessThan(LOOK);
  expect(await bytesRead(() => run.modules.handlers.walletHandlers(wallet)['activity/export']({}))).toBeLessThan(LOOK);
  expect((await all(run, { search: 'deed-7-' })).ids).toEqual([button(7).id]);
  const [row] = (await list(run, {}, 1)).items;
  expect(row).toMatchObject({ label: 'a deed', counterparty: `${SCRIPT.slice(0, 500)}…` });
  const { outputs } = await run.modules.handlers.walletHandlers(wallet)['activity/read']({ id: button(7).id });
  expect(outputs[0]?.to === SCRIPT).toBe(true);
  // A payment with many small outputs isn't copied to `lightPayments`, so its own record is read.
  const [output] = payment(1).quote.outputs;
  const many = {
    ...payment(200),
    quote: { ...payment(200).quote, outputs: Array.from({ length: 100 }, () => output!) },
  };
  await write(run, many);
  expect(await db.get('lightPayments', many.id)).toBeUndefined();
});

test('large payments have the same rows in the same order with and without their copies', async () => {
  const run = await begun();
  const rows = (await list(run, {}, 100)).items;
  const db = await run.modules.database.database(wallet);
  expect(await db.count('lightPayments')).toBe(8);
  await db.clear('lightPayments');
  expect((await list(run, {}, 100)).items).toEqual(rows);
  expect(rows).toHaveLength(16);
});

test('pages of the activity contain each large payment once, and searches find it', async () => {
  const run = await begun();
  const ids = [...Array(8).keys()].map((n) => action(n).id);
  for (const limit of [1, 7, 100]) {
    const found = (await all(run, {}, limit)).ids;
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(expect.arrayContaining(ids));
  }
  expect((await all(run, { search: 'note-7-' })).ids).toEqual([action(7).id]);
});

test('the details of a large payment equal those of the payment itself', async () => {
  const run = await begun();
  const { id } = action(3);
  expect(await run.modules.handlers.walletHandlers(wallet)['activity/read']({ id })).toMatchObject({
    item: { id, label: 'text', trouble: 'held', time: START + 3000 },
    labels: ['text'],
    signed: true,
  });
  const stored = await (await run.modules.database.database(wallet)).get('payments', id);
  expect(stored?.signed?.rawtx).toHaveLength(MEGABYTE);
});

test('a copy is changed and removed with its payment', async () => {
  const run = await new Profile('http://localhost:1').start();
  const db = await run.modules.database.database(wallet);
  await write(run, action(1));
  await write(run, { ...action(1), trouble: 'aborted' });
  expect((await list(run)).items).toMatchObject([{ trouble: 'aborted' }]);
  await write(run, { ...payment(1), state: 'failed', signed: null, updatedAt: Date.now() });
  expect(await db.count('lightPayments')).toBe(0);
  expect((await list(run)).items).toMatchObject([{ status: 'FAILED' }]);
  await write(run, action(2));
  await run.modules.database.inTransaction(wallet, (tx) => tx.objectStore('payments').delete(action(2).id));
  expect(await db.count('lightPayments')).toBe(0);
});
