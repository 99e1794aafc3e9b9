/** Compares searches that use pages with a plain scan of all records, for random wallets and histories. */
import { afterEach, expect, test, vi } from 'vitest';
import { endAllWorkerRuns, Profile, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import {
  START,
  id,
  payment,
  receipt,
  everySecond,
  plainly,
  asked,
  write,
  pageKeys,
  pages,
  some,
} from './testing-search-pages.ts';
import { wallet } from '../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

const marks = async (run: WorkerRun) =>
  (await (await run.modules.database.database(wallet)).count('searchPages')) - (await pages(run));

test('the progress that a continued search reports never goes beyond the oldest record or the period', async () => {
  const run = await new Profile('http://localhost:1').start();
  const { makeSearchPages } = await import('./make-search-pages.ts');
  await write(run, some(0, 200));
  await makeSearchPages(wallet);
  await write(run, some(200, 1995));
  for (const from of [0, START + 50_000]) {
    let before: string | null | undefined;
    do {
      const page = await run.modules.handlers.walletHandlers(wallet)['activity/list']({
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

test('records that become old join the previous page while it has room, and otherwise start a new one', async () => {
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
  // Each page ends where the next one begins, so no record is read twice.
  for (const [i, [, ...place]] of keys.entries()) if (i > 0) expect(place.slice(2)).toEqual(keys[i - 1]?.slice(1, 3));
});

test('parallel searches create each page once, without overlaps', async () => {
  const run = await new Profile('http://localhost:1').start();
  await write(
    run,
    Array.from({ length: 600 }, (_, n) => payment(n, START + n * 1000)),
  );
  const { makeSearchPages } = await import('./make-search-pages.ts');
  const searches = [makeSearchPages(wallet), ...['nowhere', 'grüße'].map((search) => asked(run, { search }))];
  await Promise.all([...searches, asked(run, { search: 'nowhere', to: START + 133_000 })]);
  const keys = await pageKeys(run);
  for (const [i, [, , , from]] of keys.entries()) if (i > 0) expect(from).toBeGreaterThanOrEqual(keys[i - 1]?.[1] ?? 0);
  expect((await asked(run, { search: 'grüße' })).ids).toEqual(await plainly(run, { search: 'grüße' }));
});

test('a search reads existing pages, and only the newest records', async () => {
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

test('a record that is rewritten updates one line of its page, regardless of the change', async () => {
  const run = await new Profile('http://localhost:1').start();
  const { makeSearchPages } = await import('./make-search-pages.ts');
  await write(run, some(0, 300));
  await makeSearchPages(wallet);
  const made = await pageKeys(run);
  await write(run, [{ ...payment(70, START + 70_000), note: 'thistle' }, payment(250, START + 250_000)]);
  expect(await marks(run)).toBe(2);
  expect((await asked(run, { search: 'thistle' })).ids).toEqual([id(70)]);
  expect([await pageKeys(run), await marks(run)]).toEqual([made, 0]);
  // An alarm also repairs the page, and the old content of the line no longer matches.
  await write(run, [{ ...payment(70, START + 70_000), note: 'burdock' }]);
  await makeSearchPages(wallet);
  expect([await pageKeys(run), await marks(run)]).toEqual([made, 0]);
  expect((await asked(run, { search: 'thistle' })).ids).toEqual([]);
  expect((await asked(run, { search: 'burdock' })).ids).toEqual([id(70)]);
});

test('a page that cannot be written stays marked: the search fails, and the next one finds all entries', async () => {
  const run = await new Profile('http://localhost:1').start();
  const { makeSearchPages } = await import('./make-search-pages.ts');
  await write(run, everySecond(200));
  await makeSearchPages(wallet);
  await write(run, [{ ...receipt(51, START + 51_000), note: 'burdock' }]);
  const put = IDBObjectStore.prototype.put as unknown as (...args: unknown[]) => Promise<unknown> & IDBRequest;
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
    const request = put.apply(this, args);
    if (this.name === 'searchPages') void request.then(() => this.transaction.abort());
    return request;
  });
  await expect(asked(run, { search: 'burdock' })).rejects.toMatchObject({ name: 'AbortError' });
  full.mockRestore();
  expect((await asked(run, { search: 'burdock' })).ids).toEqual(await plainly(run, { search: 'burdock' }));
});

test('a record that moves within its page, or into a page, is found in its new place', async () => {
  const run = await new Profile('http://localhost:1').start();
  const { makeSearchPages } = await import('./make-search-pages.ts');
  await write(run, everySecond(200));
  await makeSearchPages(wallet);
  // A block's timestamp can be earlier than the time when the wallet saw the money.
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

test('pages created by several requests are adjacent', async () => {
  const run = await new Profile('http://localhost:1').start();
  await write(
    run,
    Array.from({ length: 4600 }, (_, n) => receipt(n, START + n * 1000)),
  );
  await asked(run, { search: 'nowhere' });
  const keys = await pageKeys(run);
  for (const [i, [, ...place]] of keys.entries()) if (i > 0) expect(place.slice(2)).toEqual(keys[i - 1]?.slice(1, 3));
});

test('a page that an alarm had to remove is recreated by the next one', async () => {
  const run = await new Profile('http://localhost:1').start();
  const { makeSearchPages, SEARCH_ALARM } = await import('./make-search-pages.ts');
  await write(run, some(0, 200));
  await makeSearchPages(wallet);
  await write(run, [payment(900, START + 77_500)]);
  await run.browserApi.alarms.clear(SEARCH_ALARM);
  await makeSearchPages(wallet);
  expect([await pages(run), (await run.browserApi.alarms.get(SEARCH_ALARM)) !== undefined]).toEqual([0, true]);
});
