/** A database of each version that a browser may hold, opened by today's code. */
import { afterEach, expect, test, vi } from 'vitest';
import type { IDBPDatabase, openDB as OpenDB } from 'idb';
import { SAMPLES, VERSIONS, type Sample, type StoreShape } from './testing/database-versions.ts';
import { endAllWorkerRuns, Profile } from './testing/worker-run.ts';
import { sealQuickly } from './testing/wallet.ts';

const NAME = 'service-button';
const versions = Object.keys(VERSIONS).map(Number);

afterEach(endAllWorkerRuns);

/** Makes a database as the code of a version made it, with records of that version. */
async function databaseOf(profile: Profile, version: number): Promise<void> {
  vi.stubGlobal('indexedDB', profile.indexedDB);
  const { openDB } = await vi.importActual<{ openDB: typeof OpenDB }>('idb');
  const db = await openDB(NAME, version, {
    upgrade(made) {
      for (const [name, { keyPath, indexes }] of Object.entries(VERSIONS[version] as Record<string, StoreShape>)) {
        const store = made.createObjectStore(name, keyPath === null ? {} : { keyPath });
        for (const [index, path] of Object.entries(indexes))
          store.createIndex(index.replace(/[!*]$/, ''), path, {
            unique: index.endsWith('!'),
            multiEntry: index.endsWith('*'),
          });
      }
    },
  });
  const { records, values } = SAMPLES[version] as Sample;
  for (const [store, list] of Object.entries(records)) for (const record of list) await db.put(store, record);
  for (const [store, named] of Object.entries(values))
    for (const [key, value] of Object.entries(named)) await db.put(store, value, key);
  db.close();
}

/** The stores of an open database, as {@link VERSIONS} writes them. */
function shapesOf(db: IDBPDatabase): Record<string, StoreShape> {
  const tx = db.transaction([...db.objectStoreNames]);
  return Object.fromEntries(
    [...db.objectStoreNames].map((name) => {
      const { keyPath, indexNames } = tx.objectStore(name);
      const indexes = [...indexNames].map((index) => {
        const { unique, multiEntry, keyPath: path } = tx.objectStore(name).index(index);
        return [`${index}${unique ? '!' : ''}${multiEntry ? '*' : ''}`, path];
      });
      return [name, { keyPath, indexes: Object.fromEntries(indexes) }];
    }),
  );
}

async function opened(profile: Profile): Promise<IDBPDatabase> {
  sealQuickly();
  const { modules } = await profile.start();
  return (await modules.database.database()) as unknown as IDBPDatabase;
}

test('the stores of today are those written down for their version', async () => {
  const db = await opened(new Profile('http://localhost:1'));
  expect(db.version).toBe(Math.max(...versions));
  expect(shapesOf(db)).toEqual(VERSIONS[db.version]);
});

test.each(versions)('a database of version %d becomes one of today, and keeps what it holds', async (version) => {
  const profile = new Profile('http://localhost:1');
  await databaseOf(profile, version);
  const db = await opened(profile);
  expect(db.version).toBe(Math.max(...versions));
  expect(shapesOf(db)).toEqual(VERSIONS[db.version]);
  const { records, values } = SAMPLES[version] as Sample;
  for (const [store, list] of Object.entries(records))
    expect(await db.getAll(store), store).toEqual(list.map((one) => expect.objectContaining(one as object)));
  for (const [store, named] of Object.entries(values))
    for (const [key, value] of Object.entries(named))
      expect(await db.get(store, key), `${store} ${key}`).toEqual(value);
});

test('version 4 empties the pages of the search, whose text is another since then', async () => {
  const profile = new Profile('http://localhost:1');
  await databaseOf(profile, 3);
  const { openDB } = await vi.importActual<{ openDB: typeof OpenDB }>('idb');
  const old = await openDB(NAME, 3);
  await old.put('searchPages', 'ab\treceived COMPLETED\tab', ['receipts', 2, '', 1, 'ab']);
  old.close();
  expect(await (await opened(profile)).getAllKeys('searchPages')).toEqual([]);
});

test('version 6 works out which addresses the network has seen, and which are free', async () => {
  const profile = new Profile('http://localhost:1');
  await databaseOf(profile, 4);
  const { openDB } = await vi.importActual<{ openDB: typeof OpenDB }>('idb');
  const old = await openDB(NAME, 4);
  await old.clear('addresses');
  const address = (index: number, used: boolean, chain = 'change') => ({
    script: `${chain} ${index}`,
    address: `m${index}`,
    chain,
    index,
    used,
  });
  const coin = (index: number, more: object, chain = 'change') => ({
    outpoint: `${chain}${index}:0`,
    txid: `${chain}${index}`,
    vout: 0,
    satoshis: 5n,
    script: `${chain} ${index}`,
    chain,
    index,
    status: 'available',
    paymentId: null,
    height: null,
    depth: 1,
    seen: false,
    ...more,
  });
  const payment = (txid: string, state: string, more: object = {}) => ({
    id: txid,
    origin: 'own',
    requestId: txid,
    createdAt: 1,
    state,
    signed: { txid },
    ...more,
  });
  for (let index = 0; index < 8; index += 1) await old.put('addresses', address(index, index < 7 && index !== 5));
  for (const index of [0, 27, 30]) await old.put('addresses', address(index, true, 'service'));
  for (const one of [
    coin(0, { status: 'spent', height: 7 }), // mined
    coin(1, { status: 'spent' }), // ours, on the network
    coin(2, { status: 'reserved' }), // ours, kept by a site that spends it already
    coin(3, { status: 'pending' }),
    coin(5, { status: 'void' }), // replaced: it may be mined after all
    coin(27, {}, 'service'), // beyond the gap
  ])
    await old.put('coins', one);
  for (const one of [
    payment('change1', 'settled'),
    payment('change2', 'signed'),
    payment('change3', 'signed'),
    payment('change5', 'signed'),
    payment('waits', 'signable', { action: { unsigned: { change: ['change 6'] } } }),
  ])
    await old.put('payments', one);
  old.close();
  const db = await opened(profile);
  const told = (await db.getAll('addresses')) as { chain: string; index: number; used: boolean; seen?: true }[];
  const where = (is: (one: (typeof told)[number]) => unknown, chain: string) =>
    told
      .filter((one) => one.chain === chain && is(one))
      .map(({ index }) => index)
      .sort((a, b) => a - b);
  // The index had shown that the address at 4 was used: it has no coin, and no transaction waits for it.
  expect(where(({ seen }) => seen, 'change')).toEqual([0, 1, 4]);
  expect(where(({ used }) => used, 'change')).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(where(({ seen }) => seen, 'service')).toEqual([0, 27, 30]);
  expect(await db.getAllKeysFromIndex('addresses', 'free')).toEqual(['change 7']);
  expect(await db.get('totals', 'reach')).toEqual({ receive: -1, change: 4, service: 0 });
});
