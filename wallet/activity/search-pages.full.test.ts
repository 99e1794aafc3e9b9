import { afterEach, expect, test } from 'vitest';
import type { Receipt } from '../coins/receipts/receipt.ts';
import type { SearchPageKey } from '../store/schema.ts';
import { endAllWorkerRuns, Profile, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import {
  START,
  TO,
  LONG,
  payment,
  receipt,
  everySecond,
  plainly,
  asked,
  write,
  pageKeys,
  pages,
  some,
  id,
} from './testing-search-pages.ts';
import fc from 'fast-check';
import type { ActivityFilter } from '../../protocol/messages/wallet-messages.ts';
import { wallet } from '../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

const noted = (n: number, at: number, note = LONG): Receipt => ({
  ...receipt(n, at),
  note,
  sender: { paymail: TO[1] as string, verified: true },
});

afterEach(endAllWorkerRuns);

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

async function saveContacts(run: WorkerRun): Promise<void> {
  const db = await run.modules.database.database(wallet);
  await db.put('contacts', {
    id: 'bob@xn--bcher-kva.example',
    to: 'bob@bücher.example',
    name: 'Ann my friend',
    service: null,
    paymail: 'bob@xn--bcher-kva.example',
  });
  const service = new URL((await (await import('../settings.ts')).readSettings(wallet)).serviceUrl).origin;
  await db.put('contacts', { id: `75101 ${service}`, to: '75101', name: 'ΑΝΝΟΥΛΑ Ann', service, paymail: null });
}

test('a worker killed while it creates or repairs pages leaves no incomplete ones', async () => {
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
    const { makeSearchPages } = await import('./make-search-pages.ts');
    await write(run, [{ ...payment(300, START + 300_000), note: `word-${(written += 1)}` }]);
    run.dieAt(dieAt);
    isOver = (await run.untilDeath(() => makeSearchPages(wallet).then(() => true))) ?? false;
    const next = await profile.start();
    for (const search of [`word-${written}`, 'grüße'])
      expect((await asked(next, { search })).ids, `killed at ${dieAt}`).toEqual(await plainly(next, { search }));
    if (dieAt > 40) throw new Error('it never comes to an end');
    // All pages exist now. One page is deleted here, and the next write marks another, so the next run finds work.
    const keys = await pageKeys(next);
    await (
      await next.modules.database.database(wallet)
    ).delete('searchPages', keys[dieAt % keys.length] as SearchPageKey);
  }
});

test('an alarm creates a limited number of pages, and the next alarm continues with the rest', async () => {
  const profile = new Profile('http://localhost:1');
  let run = await profile.start();
  // Large records, so only a few fit into a page.
  await write(run, some(0, 600, { options: { outputs: [], buttonData: LONG.repeat(12) } }));
  const counts = [];
  for (let alarms = 0; alarms < 2; alarms += 1) {
    run = await profile.start();
    const { makeSearchPages, SEARCH_ALARM } = await import('./make-search-pages.ts');
    await run.browserApi.alarms.clear(SEARCH_ALARM);
    await makeSearchPages(wallet);
    counts.push([await pages(run), (await run.browserApi.alarms.get(SEARCH_ALARM)) !== undefined]);
  }
  expect(counts).toEqual([
    [20, true],
    [24, false],
  ]);
  expect(await asked(run, { search: 'nowhere' })).toEqual({ ids: [], questions: 1 });
});

test('data of a removed wallet is not found in the next wallet', async () => {
  const run = await new Profile('http://localhost:1').start();
  await write(run, some(0, 300, { note: 'thistle' }));
  expect((await asked(run, { search: 'thistle' }, 100)).ids).toHaveLength(300);
  const { removeWallet } = await import('../remove-wallet.ts');
  await removeWallet(wallet, null, 0);
  await write(run, some(0, 300, { note: 'burdock' }));
  for (const search of ['thistle', 'burdock', 'thistle'])
    expect((await asked(run, { search })).ids).toEqual(await plainly(run, { search }));
  expect(await pages(run)).toBeGreaterThan(0);
});

test('a record that moves from one page to the next is found once, in its new place', async () => {
  const run = await new Profile('http://localhost:1').start();
  const { makeSearchPages } = await import('./make-search-pages.ts');
  const many = (first: number, count: number) =>
    Array.from({ length: count }, (_, n) => noted(first + n, START + (first + n) * 1000));
  await write(run, many(0, 230));
  await makeSearchPages(wallet);
  await write(run, many(230, 100));
  await makeSearchPages(wallet);
  expect(await pages(run)).toBe(2);
  await write(run, [noted(310, START + 225_500)]);
  for (const limit of [20, 100])
    expect((await asked(run, { search: '5000 sat' }, limit)).ids).toEqual(await plainly(run, { search: '5000 sat' }));
  expect((await asked(run, { search: '5000 sat' }, 20)).ids).toEqual(await plainly(run, { search: '5000 sat' }));
});

test('a record that moves past a removed one is found in its new place', async () => {
  const run = await new Profile('http://localhost:1').start();
  const { makeSearchPages } = await import('./make-search-pages.ts');
  await write(run, everySecond(200));
  await makeSearchPages(wallet);
  await run.modules.database.inTransaction(wallet, async (tx) => {
    for (const n of [50, 51, 52]) await tx.objectStore('receipts').delete(receipt(n, 0).txid);
  });
  await write(run, [receipt(49, START + 55_500)]);
  for (const limit of [1, 20])
    expect((await asked(run, { search: '5000 sat' }, limit)).ids).toEqual(await plainly(run, { search: '5000 sat' }));
});

test('a record can move past one that has left the page', async () => {
  const run = await new Profile('http://localhost:1').start();
  const { makeSearchPages } = await import('./make-search-pages.ts');
  await write(run, everySecond(200));
  await makeSearchPages(wallet);
  await write(run, [receipt(50, START + 900_000), receipt(49, START + 150_500)]);
  for (const limit of [1, 20, 100])
    expect((await asked(run, { search: '5000 sat' }, limit)).ids).toEqual(await plainly(run, { search: '5000 sat' }));
});

test('alarms stop once the pages are complete', async () => {
  const profile = new Profile('http://localhost:1');
  let run = await profile.start();
  await write(
    run,
    Array.from({ length: 2400 }, (_, n) => receipt(n, START + n * 1000)),
  );
  const { readGap } = await import('./search-pages.ts');
  // Reads the way a search does at the start of each request: below a position, ignoring the page above it.
  let at: { time: number; id: string } = { time: START + 2_400_000, id: '' };
  for (let n = 0; n < 46; n += 1) {
    const part = await readGap(
      wallet,
      'receipts',
      { at, last: { time: 0, id: '' }, isBelowPage: false, isAbovePage: false },
      50,
    );
    at = part.entries.at(-1)!;
  }
  const seen = [];
  for (let alarms = 0; alarms < 5; alarms += 1) {
    run = await profile.start();
    const { makeSearchPages, SEARCH_ALARM } = await import('./make-search-pages.ts');
    await run.browserApi.alarms.clear(SEARCH_ALARM);
    await makeSearchPages(wallet);
    seen.push([await pages(run), (await run.browserApi.alarms.get(SEARCH_ALARM)) !== undefined]);
  }
  expect(seen.at(-1)?.[1], JSON.stringify(seen)).toBe(false);
});

test('a search of the pages finds the same entries as a search of the records, after any writes between two searches', async () => {
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
            await run.modules.database.inTransaction(wallet, (tx) => tx.objectStore('payments').delete(id(one.n)));
          else if (one.kind === 'alarm') await (await import('./make-search-pages.ts')).makeSearchPages(wallet);
          else if (one.kind === 'search')
            await run.modules.handlers.walletHandlers(wallet)['activity/list']({ limit: one.limit, ...one.filter });
          else
            await run.modules.handlers
              .walletHandlers(wallet)
              ['activity/note']({ id: id(one.n), note: one.note })
              .catch(() => undefined);
        }
        for (const filter of [last, { search: 'nowhere' }, { search: 'grüße' }])
          expect((await asked(run, filter)).ids).toEqual(await plainly(run, filter));
      },
    ),
    { numRuns: 6 },
  );
});
