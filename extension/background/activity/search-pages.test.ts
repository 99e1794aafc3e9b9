/** Searches by pages against the plain scan of every record, over wallets and histories at random. */
import { afterEach, expect, test, vi } from 'vitest';
import fc from 'fast-check';
import type { ActivityFilter } from '../../../protocol/wallet-messages.ts';
import type { Receipt } from '../coins/receipt.ts';
import type { SearchPageKey } from '../database.ts';
import { newReport, type PaymentRecord } from '../payment/record.ts';
import { NOT_TRIED } from '../payment/retry.ts';
import { endAllWorkerRuns, Profile, type WorkerRun } from '../testing/worker-run.ts';

afterEach(endAllWorkerRuns);

const START = 1_700_000_000_000;
const TO = ['mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb', 'Bob@BÜCHER.example', 'carol@pay.example', '75101'];
const NOTES = ['Grüße', 'ΟΔΟΣ', 'line\nbreak', 'tab\there', 'İstanbul', 'completed', ''];
const SEARCHES = [
  'grüße',
  'οδος',
  'οδοσ',
  'break',
  'line break',
  'i̇stanbul',
  'shop-3',
  '0.10',
  '$1,000.50',
  'bob',
  'Büch',
  'xn--',
  'sent',
  'COMPLETED',
  'usd bob',
  '75101',
  'Ann',
  'friend ann',
  'nowhere',
  '\u0000',
  'payment-000123',
  '200000 sat',
];
/** Of so much text a page has some two hundred. */
const LONG = 'long '.repeat(160);
const id = (n: number) => `payment-${String(n).padStart(6, '0')}`;

function payment(n: number, at: number, more: Partial<PaymentRecord> = {}): PaymentRecord {
  const to = TO[n % TO.length] as string;
  const isPaymail = to.includes('@');
  const [amount, satoshis] = n % 7 === 0 ? ['1000.5', 2_001_000_000n] : ['0.1', 200_000n];
  const output = {
    type: isPaymail ? 'PAYMAIL' : to === '75101' ? 'USER' : 'ADDRESS',
    to,
    paymail: isPaymail ? to : null,
    userId: null,
    address: isPaymail ? null : to,
    script: null,
    amount,
    currency: 'USD',
    satoshis: String(satoshis),
  } as const;
  const txid = n.toString(16).padStart(64, '0');
  return {
    id: id(n),
    requestId: `request-${n}`,
    origin: `https://shop-${n % 5}.example`,
    options: { outputs: [], buttonData: LONG },
    state: n % 11 === 0 ? 'failed' : 'settled',
    createdAt: at,
    updatedAt: at,
    quote: { outputs: [{ ...output, scripts: [] }], amount, currency: 'USD', satoshis },
    automatic: false,
    feeLimit: null,
    allowance: null,
    grant: null,
    token: null,
    approvedAt: START,
    signed: {
      rawtx: '00',
      txid,
      normalizedTxid: txid,
      inputProof: '',
      feeSatoshis: 12n,
      inputs: [],
      inputSatoshis: [],
      ownOutputs: [],
    },
    error: null,
    broadcast: NOT_TRIED,
    confirmation: NOT_TRIED,
    service: null,
    serviceReport: null,
    deliveries: [],
    operations: null,
    trouble: null,
    seenAt: null,
    replacedBy: null,
    ended: null,
    report: newReport('done'),
    height: n % 3 === 0 ? null : 100,
    unfinished: 0,
    note: NOTES[n % NOTES.length] as string,
    ...more,
  };
}

const receipt = (n: number, at: number): Receipt => ({
  txid: (0xabc000 + n).toString(16).padStart(64, '0'),
  satoshis: 5000n,
  address: TO[0] as string,
  createdAt: at,
  height: n % 2 ? 7 : null,
  unconfirmed: 0,
  ...(n % 3 === 0 && {
    sender: { paymail: TO[1 + (n % 2)] as string, verified: n % 2 === 0 },
    note: NOTES[n % NOTES.length] as string,
  }),
});

/** Money that came in every second from the start on. */
const everySecond = (count: number) => Array.from({ length: count }, (_, n) => receipt(n, START + n * 1000));

const module = <T>(path: Promise<T>) => path;

/** Ids of everything that fits, as a reader of every record finds them. */
async function plainly(
  run: WorkerRun,
  { search = '', direction, status, from = 0, to = Infinity }: ActivityFilter,
): Promise<string[]> {
  const [{ searching, wordsOf }, { rowOf, isShown }, { contactBook }] = await Promise.all([
    module(import('./search.ts')),
    module(import('./row.ts')),
    module(import('../contacts/store.ts')),
  ]);
  const db = await run.modules.database.database();
  const entries = [
    ...(await db.getAll('payments')).map((record) => ({
      store: 'payments' as const,
      record,
      time: record.createdAt,
      id: record.id,
    })),
    ...(await db.getAll('receipts')).map((record) => ({
      store: 'receipts' as const,
      record,
      time: record.createdAt,
      id: record.txid,
    })),
  ];
  const fits = searching(wordsOf(search), await contactBook());
  return entries
    .filter((entry) => entry.time >= from && entry.time < to && isShown(entry, Date.now()) && fits(entry))
    .filter((entry) => (direction ?? rowOf(entry).direction) === rowOf(entry).direction)
    .filter((entry) => (status ?? rowOf(entry).status) === rowOf(entry).status)
    .sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1))
    .map((entry) => entry.id);
}

/** The same as a window gets them, and how often it had to ask. */
async function asked(
  run: WorkerRun,
  filter: ActivityFilter,
  limit = 100,
): Promise<{ ids: string[]; questions: number }> {
  const ids: string[] = [];
  let questions = 0;
  for (let before: string | null | undefined; before !== null; questions += 1) {
    const page = await run.modules.handlers.walletHandlers['activity/list']({
      limit,
      ...filter,
      ...(before === undefined ? {} : { before }),
    });
    ids.push(...page.items.map((item) => item.id));
    before = page.before;
  }
  return { ids, questions };
}

const write = (run: WorkerRun, records: readonly (PaymentRecord | Receipt)[]) =>
  run.modules.database.inTransaction(async (tx) => {
    for (const record of records)
      if ('txid' in record) await tx.objectStore('receipts').put(record);
      else await tx.objectStore('payments').put(record);
  });

/** The names of all pages, those of payments first, oldest first. */
const pageKeys = async (run: WorkerRun) =>
  (await (await run.modules.database.database()).getAllKeys('searchPages')).filter(
    (key): key is SearchPageKey => key[0] !== 'changed',
  );
const pages = async (run: WorkerRun) => (await pageKeys(run)).length;
/** How many marks of written records there are. */
const marks = async (run: WorkerRun) =>
  (await (await run.modules.database.database()).count('searchPages')) - (await pages(run));

const some = (first: number, count: number, more: Partial<PaymentRecord> = {}) =>
  Array.from({ length: count }, (_, n) => payment(first + n, START + (first + n) * 1000, more));

async function saveContacts(run: WorkerRun): Promise<void> {
  const db = await run.modules.database.database();
  await db.put('contacts', {
    id: 'bob@xn--bcher-kva.example',
    to: 'bob@bücher.example',
    name: 'Ann my friend',
    service: null,
    paymail: 'bob@xn--bcher-kva.example',
  });
  const service = new URL((await (await import('../settings.ts')).readSettings()).serviceUrl).origin;
  await db.put('contacts', { id: `75101 ${service}`, to: '75101', name: 'ΑΝΝΟΥΛΑ Ann', service, paymail: null });
}

test('pages find what reading every record finds, whatever is written between two searches', async () => {
  const run = await new Profile('http://localhost:1').start();
  await saveContacts(run);
  await write(
    run,
    Array.from({ length: 420 }, (_, n) => payment(n, START + (n >> 1) * 1000)),
  );
  await write(
    run,
    Array.from({ length: 230 }, (_, n) => receipt(n, START + n * 2000)),
  );
  const filters: ActivityFilter[] = [
    ...SEARCHES.map((search) => ({ search })),
    { status: 'FAILED' },
    { status: 'RECEIVED', direction: 'received' },
    { direction: 'sent', search: 'ann' },
    { search: 'shop-3', from: START + 50_000, to: START + 151_000 },
    { search: 'bob', from: START + 60_500 },
    { search: 'bob', to: START + 89_000, status: 'COMPLETED' },
  ];
  for (const filter of filters)
    expect((await asked(run, filter)).ids, JSON.stringify(filter)).toEqual(await plainly(run, filter));
  expect(await pages(run)).toBeGreaterThan(2);
  let next = 2000;
  const time = fc.integer({ min: -5, max: 400 }).map((n) => START + n * 1000);
  const change = fc.oneof(
    fc.record({ kind: fc.constant('note' as const), n: fc.nat(410), note: fc.constantFrom('nowhere', 'Grüße') }),
    fc.record({ kind: fc.constant('payment' as const), at: time }),
    fc.record({ kind: fc.constant('receipt' as const), at: time }),
    fc.record({ kind: fc.constant('remove' as const), n: fc.nat(410) }),
    fc.record({
      kind: fc.constant('search' as const),
      filter: fc.constantFrom(...filters),
      limit: fc.constantFrom(1, 20, 100),
    }),
    fc.record({ kind: fc.constant('alarm' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 3, maxLength: 8 }),
      fc.constantFrom(...filters),
      async (changes, last) => {
        for (const one of changes) {
          if (one.kind === 'payment') await write(run, [payment((next += 1), one.at)]);
          else if (one.kind === 'receipt') await write(run, [receipt((next += 1), one.at)]);
          else if (one.kind === 'remove')
            await run.modules.database.inTransaction((tx) => tx.objectStore('payments').delete(id(one.n)));
          else if (one.kind === 'alarm') await (await import('./search-pages.ts')).makeSearchPages();
          else if (one.kind === 'search')
            await run.modules.handlers.walletHandlers['activity/list']({ limit: one.limit, ...one.filter });
          else
            await run.modules.handlers.walletHandlers['activity/note']({ id: id(one.n), note: one.note }).catch(
              () => undefined,
            );
        }
        for (const filter of [last, { search: 'nowhere' }, { search: 'grüße' }])
          expect((await asked(run, filter)).ids).toEqual(await plainly(run, filter));
      },
    ),
    { numRuns: 6 },
  );
});

test('a search that goes on later says how far it came: never beyond the oldest record, or the period', async () => {
  const run = await new Profile('http://localhost:1').start();
  const { makeSearchPages } = await import('./search-pages.ts');
  await write(run, some(0, 200));
  await makeSearchPages();
  await write(run, some(200, 1995));
  for (const from of [0, START + 50_000]) {
    let before: string | null | undefined;
    do {
      const page = await run.modules.handlers.walletHandlers['activity/list']({
        limit: 20,
        search: 'nowhere',
        from,
        ...(before && { before }),
      });
      expect(page.searchedTo ?? Infinity).toBeGreaterThanOrEqual(Math.max(from, START));
      before = page.before;
    } while (before);
  }
});

test('what comes to be old joins the page before it while there is room, and else begins another', async () => {
  const run = await new Profile('http://localhost:1').start();
  const counts: number[] = [];
  for (let from = 0; from < 700; from += 100) {
    await write(
      run,
      Array.from({ length: 100 }, (_, n) => payment(from + n, START + (from + n) * 1000)),
    );
    for (const search of ['nowhere', 'grüße'])
      expect((await asked(run, { search })).ids).toEqual(await plainly(run, { search }));
    counts.push(await pages(run));
  }
  expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4]);
  const keys = await pageKeys(run);
  // One ends where the next begins: nothing between them is read again.
  for (const [i, [, ...place]] of keys.entries()) if (i > 0) expect(place.slice(2)).toEqual(keys[i - 1]?.slice(1, 3));
});

test('searches at the same time make each page once, and none that overlap', async () => {
  const run = await new Profile('http://localhost:1').start();
  await write(
    run,
    Array.from({ length: 600 }, (_, n) => payment(n, START + n * 1000)),
  );
  const { makeSearchPages } = await import('./search-pages.ts');
  const searches = [makeSearchPages(), ...['nowhere', 'grüße'].map((search) => asked(run, { search }))];
  await Promise.all([...searches, asked(run, { search: 'nowhere', to: START + 133_000 })]);
  const keys = await pageKeys(run);
  for (const [i, [, , , from]] of keys.entries()) if (i > 0) expect(from).toBeGreaterThanOrEqual(keys[i - 1]?.[1] ?? 0);
  expect((await asked(run, { search: 'grüße' })).ids).toEqual(await plainly(run, { search: 'grüße' }));
});

test('once there are pages, a search reads them and no records but the newest', async () => {
  const run = await new Profile('http://localhost:1').start();
  await write(
    run,
    Array.from({ length: 2600 }, (_, n) => payment(n, START + n * 1000)),
  );
  const first = await asked(run, { search: 'nowhere' });
  expect(first.questions).toBeGreaterThan(1);
  expect(await asked(run, { search: 'nowhere' })).toEqual({ ids: [], questions: 1 });
  expect((await asked(run, { search: id(7) })).ids).toEqual([id(7)]);
});

test('a record that is written again costs its page one line, whatever of it changes', async () => {
  const run = await new Profile('http://localhost:1').start();
  const { makeSearchPages } = await import('./search-pages.ts');
  await write(run, some(0, 300));
  await makeSearchPages();
  const made = await pageKeys(run);
  await write(run, [{ ...payment(70, START + 70_000), note: 'thistle' }, payment(250, START + 250_000)]);
  expect(await marks(run)).toBe(2);
  expect((await asked(run, { search: 'thistle' })).ids).toEqual([id(70)]);
  expect([await pageKeys(run), await marks(run)]).toEqual([made, 0]);
  // The alarm mends, too, and what the line was before finds nothing any more.
  await write(run, [{ ...payment(70, START + 70_000), note: 'burdock' }]);
  await makeSearchPages();
  expect([await pageKeys(run), await marks(run)]).toEqual([made, 0]);
  expect((await asked(run, { search: 'thistle' })).ids).toEqual([]);
  expect((await asked(run, { search: 'burdock' })).ids).toEqual([id(70)]);
});

test('a page that cannot be written stays marked: the search fails, and the next one finds what there is', async () => {
  const run = await new Profile('http://localhost:1').start();
  const { makeSearchPages } = await import('./search-pages.ts');
  await write(run, everySecond(200));
  await makeSearchPages();
  await write(run, [{ ...receipt(51, START + 51_000), note: 'burdock' }]);
  const { put } = IDBObjectStore.prototype;
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
    const request = put.apply(this, args);
    if (this.name === 'searchPages') request.addEventListener('success', () => this.transaction.abort());
    return request;
  });
  await expect(asked(run, { search: 'burdock' })).rejects.toMatchObject({ name: 'AbortError' });
  full.mockRestore();
  expect((await asked(run, { search: 'burdock' })).ids).toEqual(await plainly(run, { search: 'burdock' }));
});

test('a record that moves in its page, or comes to be in one, is found at its place', async () => {
  const run = await new Profile('http://localhost:1').start();
  const { makeSearchPages } = await import('./search-pages.ts');
  await write(run, everySecond(200));
  await makeSearchPages();
  // A block may say that money came earlier than the wallet has seen it.
  const changes = [
    [receipt(30, START + 29_500), receipt(151, START + 150_500)],
    [receipt(150, START + 20_500)],
    [receipt(900, START + 77_500)],
  ];
  for (const changed of changes) {
    await write(run, changed);
    for (const search of ['5000 sat', ...changed.map(({ txid }) => txid)])
      expect((await asked(run, { search }, 20)).ids, search).toEqual(await plainly(run, { search }));
    expect(await marks(run)).toBe(0);
  }
});

test('a worker that ends while it makes or mends pages leaves none that lacks anything', async () => {
  const profile = new Profile('http://localhost:1');
  const first = await profile.start();
  await write(first, some(0, 700));
  await write(
    first,
    Array.from({ length: 150 }, (_, n) => receipt(n, START + n * 2000)),
  );
  let written = 0;
  for (let dieAt = 1, isOver = false; !isOver; dieAt += 1) {
    const run = await profile.start();
    const { makeSearchPages } = await import('./search-pages.ts');
    await write(run, [{ ...payment(300, START + 300_000), note: `word-${(written += 1)}` }]);
    run.dieAt(dieAt);
    isOver = (await run.untilDeath(() => makeSearchPages().then(() => true))) ?? false;
    const next = await profile.start();
    for (const search of [`word-${written}`, 'grüße'])
      expect((await asked(next, { search })).ids, `killed at ${dieAt}`).toEqual(await plainly(next, { search }));
    if (dieAt > 40) throw new Error('it never comes to an end');
    // The search has made them all: the next one finds some missing and one marked.
    const keys = await pageKeys(next);
    await (await next.modules.database.database()).delete('searchPages', keys[dieAt % keys.length] as SearchPageKey);
  }
});

test('an alarm makes so many pages and no more, and another goes on with the rest', async () => {
  const profile = new Profile('http://localhost:1');
  let run = await profile.start();
  // A page has room for few of these.
  await write(run, some(0, 600, { options: { outputs: [], buttonData: LONG.repeat(12) } }));
  const counts = [];
  for (let alarms = 0; alarms < 2; alarms += 1) {
    run = await profile.start();
    const { makeSearchPages, SEARCH_ALARM } = await import('./search-pages.ts');
    await run.browserApi.alarms.clear(SEARCH_ALARM);
    await makeSearchPages();
    counts.push([await pages(run), (await run.browserApi.alarms.get(SEARCH_ALARM)) !== undefined]);
  }
  expect(counts).toEqual([
    [20, true],
    [24, false],
  ]);
  expect(await asked(run, { search: 'nowhere' })).toEqual({ ids: [], questions: 1 });
});

test('nothing of a wallet that was removed is found in the next one', async () => {
  const run = await new Profile('http://localhost:1').start();
  await write(run, some(0, 300, { note: 'thistle' }));
  expect((await asked(run, { search: 'thistle' }, 100)).ids).toHaveLength(300);
  const { removeWallet } = await import('../remove-wallet.ts');
  await removeWallet(null, 0);
  await write(run, some(0, 300, { note: 'burdock' }));
  for (const search of ['thistle', 'burdock', 'thistle'])
    expect((await asked(run, { search })).ids).toEqual(await plainly(run, { search }));
  expect(await pages(run)).toBeGreaterThan(0);
});

const noted = (n: number, at: number, note = LONG): Receipt => ({
  ...receipt(n, at),
  note,
  sender: { paymail: TO[1] as string, verified: true },
});

test('a record that moves from one page to the next is found once, at its place', async () => {
  const run = await new Profile('http://localhost:1').start();
  const { makeSearchPages } = await import('./search-pages.ts');
  const many = (first: number, count: number) =>
    Array.from({ length: count }, (_, n) => noted(first + n, START + (first + n) * 1000));
  await write(run, many(0, 230));
  await makeSearchPages();
  await write(run, many(230, 100));
  await makeSearchPages();
  expect(await pages(run)).toBe(2);
  await write(run, [noted(310, START + 225_500)]);
  for (const limit of [20, 100])
    expect((await asked(run, { search: '5000 sat' }, limit)).ids).toEqual(await plainly(run, { search: '5000 sat' }));
  expect((await asked(run, { search: '5000 sat' }, 20)).ids).toEqual(await plainly(run, { search: '5000 sat' }));
});

test('a record that moves past one that was removed is found at its place', async () => {
  const run = await new Profile('http://localhost:1').start();
  const { makeSearchPages } = await import('./search-pages.ts');
  await write(run, everySecond(200));
  await makeSearchPages();
  await run.modules.database.inTransaction(async (tx) => {
    for (const n of [50, 51, 52]) await tx.objectStore('receipts').delete(receipt(n, 0).txid);
  });
  await write(run, [receipt(49, START + 55_500)]);
  for (const limit of [1, 20])
    expect((await asked(run, { search: '5000 sat' }, limit)).ids).toEqual(await plainly(run, { search: '5000 sat' }));
});

test('a record that moves past one that has left the page', async () => {
  const run = await new Profile('http://localhost:1').start();
  const { makeSearchPages } = await import('./search-pages.ts');
  await write(run, everySecond(200));
  await makeSearchPages();
  await write(run, [receipt(50, START + 900_000), receipt(49, START + 150_500)]);
  for (const limit of [1, 20, 100])
    expect((await asked(run, { search: '5000 sat' }, limit)).ids).toEqual(await plainly(run, { search: '5000 sat' }));
});

test('pages that several questions made lie side by side', async () => {
  const run = await new Profile('http://localhost:1').start();
  await write(
    run,
    Array.from({ length: 4600 }, (_, n) => receipt(n, START + n * 1000)),
  );
  await asked(run, { search: 'nowhere' });
  const keys = await pageKeys(run);
  for (const [i, [, ...place]] of keys.entries()) if (i > 0) expect(place.slice(2)).toEqual(keys[i - 1]?.slice(1, 3));
});

test('alarms come to an end', async () => {
  const profile = new Profile('http://localhost:1');
  let run = await profile.start();
  await write(
    run,
    Array.from({ length: 2400 }, (_, n) => receipt(n, START + n * 1000)),
  );
  const { readGap } = await import('./search-pages.ts');
  // As each question of a search begins: below a place, not knowing of the page above it.
  let at: { time: number; id: string } = { time: START + 2_400_000, id: '' };
  for (let n = 0; n < 46; n += 1) {
    const part = await readGap(
      'receipts',
      { at, last: { time: 0, id: '' }, isBelowPage: false, isAbovePage: false },
      50,
    );
    at = part.entries.at(-1)!;
  }
  const seen = [];
  for (let alarms = 0; alarms < 5; alarms += 1) {
    run = await profile.start();
    const { makeSearchPages, SEARCH_ALARM } = await import('./search-pages.ts');
    await run.browserApi.alarms.clear(SEARCH_ALARM);
    await makeSearchPages();
    seen.push([await pages(run), (await run.browserApi.alarms.get(SEARCH_ALARM)) !== undefined]);
  }
  expect(seen.at(-1)?.[1], JSON.stringify(seen)).toBe(false);
});

test('an alarm that had to remove a page has the next one make it again', async () => {
  const run = await new Profile('http://localhost:1').start();
  const { makeSearchPages, SEARCH_ALARM } = await import('./search-pages.ts');
  await write(run, some(0, 200));
  await makeSearchPages();
  await write(run, [payment(900, START + 77_500)]);
  await run.browserApi.alarms.clear(SEARCH_ALARM);
  await makeSearchPages();
  expect([await pages(run), (await run.browserApi.alarms.get(SEARCH_ALARM)) !== undefined]).toEqual([0, true]);
});
