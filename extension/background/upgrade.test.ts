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
  for (const [store, list] of Object.entries(records)) expect(await db.getAll(store), store).toEqual(list);
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
