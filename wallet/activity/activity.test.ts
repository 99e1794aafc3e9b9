import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ActivityFilter } from '../../protocol/messages/wallet-messages.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import { type PaymentRecord } from '../payments/record.ts';
import { StoreIndex } from '../../testkit/database/source.ts';
import { NOT_TRIED } from '../payments/retry.ts';
import { testCoin } from '../../testkit/wallet/coins.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { TO, START, txid, signed, payment, wallet, list, all } from './testing-activity.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';
import { metadataOf } from '../../protocol/payments/metadata.ts';

afterEach(endAllWorkerRuns);
const OURS = 'mzJ2m4aZ1Lz4a1VbWZkcQ8V4zsfkS8UuWQ';

function receipt(n: number, more: Partial<Receipt> = {}): Receipt {
  return {
    txid: txid(0xabc000 + n),
    satoshis: 5000n,
    address: OURS,
    createdAt: START + n * 1000,
    height: null,
    unconfirmed: 1,
    ...more,
  };
}
const read = (workerRun: WorkerRun, id: string) =>
  workerRun.modules.handlers.walletHandlers(current)['activity/read']({ id });
const exportAll = (workerRun: WorkerRun, filter: ActivityFilter & { before?: string } = {}) =>
  workerRun.modules.handlers.walletHandlers(current)['activity/export'](filter);

/** Starts counting the records that are read from the database, individually or in batches. */
function countReads(): () => number {
  let count = 0;
  type Read = (...args: unknown[]) => Promise<unknown>;
  const counted = (prototype: object, method: string) => {
    const read = Reflect.get(prototype, method) as Read | undefined;
    const countedRead = function countedRead(this: unknown, ...args: unknown[]) {
      const reading = read!.apply(this, args);
      void reading.then((result) => (count += Array.isArray(result) ? result.length : result ? 1 : 0));
      return reading;
    };
    if (read) vi.spyOn(prototype as Record<string, Read>, method).mockImplementation(countedRead);
  };
  counted(IDBIndex.prototype, 'openCursor');
  counted(IDBIndex.prototype, 'getAllRecords');
  counted(IDBCursor.prototype, 'continue');
  return () => count;
}

describe.each(['all at once', 'one by one'])(
  'the activity in a browser that returns the records of an index %s',
  (how) => {
    const method = Object.getOwnPropertyDescriptor(StoreIndex.prototype, 'getAllRecords')!;
    beforeEach(() => void (how === 'one by one' && Reflect.deleteProperty(StoreIndex.prototype, 'getAllRecords')));
    afterEach(() => void Object.defineProperty(StoreIndex.prototype, 'getAllRecords', method));

    test('payments and receipts form one sequence, newest first, each listed once for any page size', async () => {
      const workerRun = await wallet(
        [1, 2, 4, 6].map((n) => payment(n)),
        [1, 3, 5, 6].map((n) => receipt(n)),
      );
      const whole = (await list(workerRun)).items;
      expect(whole.map(({ time, direction }) => `${(time - START) / 1000} ${direction}`)).toEqual([
        '6 sent',
        '6 received',
        '5 received',
        '4 sent',
        '3 received',
        '2 sent',
        '1 sent',
        '1 received',
      ]);
      for (const limit of [1, 2, 3, 7, 8])
        expect((await all(workerRun, {}, limit)).ids, `pages of ${limit}`).toEqual(whole.map(({ id }) => id));
    });

    test('pages list every entry once, even if many have the same time', async () => {
      const workerRun = await wallet(
        Array.from({ length: 30 }, (_, n) => payment(n, { createdAt: START })),
        Array.from({ length: 30 }, (_, n) => receipt(n, { createdAt: START })),
      );
      const { ids } = await all(workerRun, {}, 7);
      expect(ids).toHaveLength(60);
      expect(new Set(ids).size).toBe(60);
    });

    test('a page reads one record more than it has rows from each store, in stores of any size', async () => {
      const workerRun = await wallet(
        Array.from({ length: 500 }, (_, n) => payment(n)),
        Array.from({ length: 500 }, (_, n) => receipt(n)),
      );
      const reads = countReads();
      const first = await list(workerRun, {}, 20);
      expect(reads()).toBe(42);
      await list(workerRun, { before: first.before as string }, 20);
      expect(reads()).toBeLessThanOrEqual(2 * 42 + 2); // each page may reread each store's last row
    });
  },
);

test('received money is found by sender and note, and the export has both', async () => {
  const from = receipt(2, { sender: { paymail: 'bob@two.example', verified: true }, note: 'For the concert' });
  const workerRun = await wallet([], [receipt(1), from, receipt(3, { sender: null, note: null })]);
  for (const search of ['Bob@two', 'CONCERT', 'for bob'])
    expect((await list(workerRun, { search })).items.map(({ id }) => id)).toEqual([from.txid]);
  const { items } = await exportAll(workerRun);
  expect(items.map(({ sender, note }) => ({ sender, note }))).toEqual([
    { sender: null, note: null },
    { sender: from.sender, note: from.note },
    { sender: null, note: null },
  ]);
});

test('a note can be added, changed and removed, only on payments of this browser, and no other data changes', async () => {
  const workerRun = await wallet([payment(1), payment(2, { state: 'requested' })], [receipt(3)]);
  const { walletHandlers } = workerRun.modules.handlers;
  const { id } = payment(1);
  const change = (of: string, note: string) => walletHandlers(current)['activity/note']({ id: of, note });
  await change(id, '  Birthday present ');
  expect((await list(workerRun, { search: 'birthday' })).items).toMatchObject([{ id, note: 'Birthday present' }]);
  await change(id, 'For Anna');
  expect((await exportAll(workerRun)).items.find((item) => item.id === id)?.note).toBe('For Anna');
  await change(id, ' ');
  const db = await workerRun.modules.database.database(current);
  expect(await db.get('payments', id)).toEqual(payment(1));
  for (const other of [payment(2).id, receipt(3).txid, 'nobody'])
    await expect(change(other, 'x')).rejects.toMatchObject({ code: 'not-found' });
});

test('an amount is found as displayed: 0.10 for 0.1', async () => {
  const workerRun = await wallet([payment(1)], [receipt(2)]);
  expect((await list(workerRun, { search: '0.10' })).items).toHaveLength(1);
  expect((await list(workerRun, { search: '5,000' })).items).toMatchObject([{ direction: 'received' }]);
});

test('entries are filtered by direction, state and time, together and page by page', async () => {
  const workerRun = await wallet(
    [
      payment(1),
      payment(2, { height: null }),
      payment(3, { state: 'signed', height: null }),
      payment(4, { state: 'failed' }),
    ],
    [receipt(2), receipt(3, { height: 7 })],
  );
  const found = async (filter: ActivityFilter) =>
    (await all(workerRun, filter, 1)).ids.map(
      (id) => (id.startsWith('payment') ? 'p' : 'r') + Number.parseInt(id.slice(-3), 16),
    );
  expect(await found({ direction: 'sent' })).toEqual(['p4', 'p3', 'p2', 'p1']);
  expect(await found({ direction: 'received' })).toEqual(['r3', 'r2']);
  expect(await found({ status: 'RECEIVED' })).toEqual(['p2', 'r2']);
  expect(await found({ status: 'COMPLETED' })).toEqual(['r3', 'p1']);
  expect(await found({ status: 'PENDING' })).toEqual(['p3']);
  expect(await found({ status: 'FAILED' })).toEqual(['p4']);
  expect(await found({ from: START + 2000, to: START + 4000 })).toEqual(['p3', 'r3', 'p2', 'r2']);
  expect(await found({ from: START + 2000, to: START + 4000, direction: 'sent', search: TO })).toEqual(['p3', 'p2']);
  expect(await found({ from: START + 9000, to: START + 1000 })).toEqual([]);
});

test('a payment made in the wallet itself has no site, and is named by its recipient', async () => {
  const workerRun = await wallet([payment(1, { origin: '' })]);
  expect((await list(workerRun)).items).toMatchObject([{ origin: null, counterparty: TO, recipientCount: 1 }]);
});

test('details of a payment show its recipients, its data, how it was approved, and its debit', async () => {
  const workerRun = await wallet([
    payment(1, {
      options: {
        outputs: [],
        opReturn: 'grüße',
        label: 'Read on',
        buttonId: 'b',
        buttonData: 'd',
        clientIdentifier: 'c',
      },
      allowance: {
        key: ['https://shop.example', 'c', 'swipe'],
        id: 't',
        currency: 'USD',
        debit: 10_000_600n,
        debitSatoshis: 200_012n,
        periodStart: 0,
      },
    }),
  ]);
  expect(await read(workerRun, payment(1).id)).toEqual({
    item: (await list(workerRun)).items[0],
    height: 100,
    outputs: [
      {
        type: 'ADDRESS',
        to: TO,
        paymail: null,
        userId: null,
        address: TO,
        script: null,
        amount: '0.1',
        currency: 'USD',
        satoshis: '200000',
        contact: null,
      },
    ],
    data: { text: 'grüße', hex: '6772c3bcc39f65', bytes: 7 },
    ...metadataOf({ label: 'Read on', buttonId: 'b', buttonData: 'd' }),
    refunds: [],
    clientIdentifier: 'c',
    signed: true,
    decided: 'allowance',
    debit: { amount: '0.100006', currency: 'USD' },
    report: 'done',
    serviceReport: null,
    deliveries: [],
    operations: [],
  });
});

test('details of a trusted swipe show that it was paid from the limits for all sites', async () => {
  const taken = { key: ['*', '', 'any-site'], id: 't', currency: 'USD', debit: 10_000_600n, periodStart: 0 } as const;
  const workerRun = await wallet([payment(1, { allowance: taken as never })]);
  expect(await read(workerRun, payment(1).id)).toMatchObject({
    decided: 'swipe',
    debit: { amount: '0.100006', currency: 'USD' },
  });
});

test('details distinguish a report that the button’s service rejected from a report that was given up', async () => {
  const serviceReport = { service: 'https://shop.example:8443', proof: '', ...NOT_TRIED };
  const states = ['refused', 'given-up', 'done'] as const;
  const workerRun = await wallet(
    states.map((state, n) => payment(n, { serviceReport: { ...serviceReport, state } })),
    [],
  );
  for (const [n, state] of states.entries())
    expect((await read(workerRun, payment(n).id)).serviceReport).toEqual({ host: 'shop.example:8443', state });
});

test('details of a failed payment show no debit, those of a receipt show no recipients, and an unsigned or unknown payment has none', async () => {
  const allowance = {
    key: ['https://shop.example', '', 'swipe'],
    id: 't',
    currency: 'USD',
    debit: 5n,
    periodStart: 0,
  } as const;
  const workerRun = await wallet(
    [
      payment(1, { state: 'failed', allowance: allowance as never, height: null }),
      payment(2, { state: 'requested', signed: null }),
    ],
    [receipt(3)],
  );
  expect(await read(workerRun, payment(1).id)).toMatchObject({
    debit: null,
    signed: true,
    item: { status: 'FAILED', feeSatoshis: null },
  });
  expect(await read(workerRun, receipt(3).txid)).toMatchObject({
    outputs: [],
    report: null,
    decided: null,
    height: null,
    item: { direction: 'received' },
  });
  for (const id of ['nobody', payment(2).id])
    await expect(read(workerRun, id)).rejects.toMatchObject({ code: 'not-found' });
});

test('an export contains every row that matches a filter once, with recipients, block and button', async () => {
  const workerRun = await wallet(
    Array.from({ length: 300 }, (_, n) => payment(n, { options: { outputs: [], buttonId: `b${n}` } })),
    [receipt(1), receipt(2)],
  );
  const first = await exportAll(workerRun, { direction: 'sent' });
  const second = await exportAll(workerRun, { direction: 'sent', before: first.before as string });
  expect([...first.items, ...second.items].map(({ buttonId }) => buttonId)).toEqual(
    Array.from({ length: 300 }, (_, n) => `b${299 - n}`),
  );
  expect(first.items[0]).toMatchObject({ height: 100, recipients: [{ to: TO, satoshis: '200000' }] });
  expect((await exportAll(workerRun, { direction: 'received' })).items).toMatchObject([
    { recipients: [{ to: OURS, satoshis: '5000' }], buttonId: null },
    {},
  ]);
});

describe('money received at the address of a payment’s first input', () => {
  /** Sets up a payment made `days` days ago. Its first input spent a coin at an address on the given chain. */
  async function paid(chain: 'change' | 'receive', days = 0, more: Partial<PaymentRecord> = {}) {
    const coin = { ...testCoin(900_000n, { txid: txid(77) }), chain, status: 'spent' as const };
    const record = payment(1, {
      createdAt: Date.now() - days * 24 * 3600_000,
      signed: { ...signed(1), inputs: [coin.outpoint] },
      ...more,
    });
    const workerRun = await wallet([record]);
    const { putCoin } = await import('../coins/records.ts');
    await workerRun.modules.database.inTransaction(current, (tx) => putCoin(tx, { ...coin, paymentId: record.id }));
    const back = async (satoshis: bigint, n = 88) =>
      workerRun.modules.store.addFoundCoins(
        current,
        [{ ...testCoin(satoshis, { txid: txid(n) }), chain, address: OURS }].map(
          ({ txid: id, vout, satoshis: value, script, index, address }) => ({
            txid: id,
            vout,
            satoshis: value,
            script,
            chain,
            index,
            address,
          }),
        ),
        [],
      );
    const rows = async () => (await list(workerRun)).items.filter(({ direction }) => direction === 'received');
    return { workerRun, record, back, rows };
  }

  test('such money may be a refund of the payment, whose details include it', async () => {
    const { workerRun, record, back, rows } = await paid('change');
    await back(60_000n);
    await back(140_000n, 89);
    expect(await rows()).toMatchObject(
      ['140000', '60000'].map((satoshis) => ({
        satoshis,
        refundOf: { id: record.id, origin: 'https://shop.example', to: TO },
      })),
    );
    expect((await read(workerRun, record.id)).refunds.map(({ satoshis }) => satoshis).toSorted()).toEqual([
      '140000',
      '60000',
    ]);
  });

  test.each([
    ['after 91 days', 'change', 91, {}],
    ['where the payment had another first input', 'change', 0, { signed: { ...signed(1), inputs: ['00:1'] } }],
    ['where the payment only canceled another', 'change', 0, { cancel: true }],
  ] as const)('money is not a refund %s', async (_, chain, days, more) => {
    const { workerRun, record, back, rows } = await paid(chain, days, more as Partial<PaymentRecord>);
    await back(60_000n);
    expect(await rows()).toMatchObject([{ satoshis: '60000', refundOf: null }]);
    expect((await read(workerRun, record.id)).refunds).toEqual([]);
  });

  test('the address is queried in every refresh', async () => {
    const { record } = await paid('change');
    const { likelyAddresses } = await import('../scan/history/address-selection.ts');
    const { newProgress } = await import('../scan/history/progress.ts');
    const { database } = await import('../store/database.ts');
    const db = await database(current);
    const coin = await db.get('coins', record.signed!.inputs[0]!);
    await db.put('addresses', { script: coin!.script, address: OURS, chain: 'change', index: 3, used: true });
    // Makes the coin's address much older than the latest address.
    await db.put('addresses', { script: 'ff', address: TO, chain: 'change', index: 900, used: true });
    expect((await likelyAddresses(current, newProgress(true))).map(({ address }) => address)).toContain(OURS);
  });
});
