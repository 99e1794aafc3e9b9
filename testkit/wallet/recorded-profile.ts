/**
 * A wallet database that the build of commit 830f1762 wrote on devnet, and the data that its windows and a page
 * displayed. Never modify this recording, which was made with the memory database. Add another recording for each later
 * version.
 */
import type { MemoryDatabases } from '../database/database.ts';
import { VERSIONS, type StoreShape } from './database-versions.ts';
import { newDatabases } from './memory-database.ts';
import recording from './recorded-profile.json' with { type: 'json' };

/** A store's records, or its values by key. */
interface StoredIn {
  records?: unknown[];
  values?: Record<string, unknown>;
}

/** `at` is the time of the recording (milliseconds since 1970). */
export const { at: RECORDED_AT, words: RECORDED_WORDS, password: RECORDED_PASSWORD, shown: RECORDED } = recording;
/** The service URL that was built into the recorded wallet. */
export const RECORDED_SERVICE = recording.stores.keyval.values.network.reported.serviceUrl;

/** Decodes JSON in which `$bigint` and `$bytes` (base64) represent bigints and bytes. */
function revived(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(revived);
  if ('$bigint' in value) return BigInt(value.$bigint as string);
  if ('$bytes' in value) return Uint8Array.from(Buffer.from(value.$bytes as string, 'base64'));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, revived(one)]));
}

/** Creates a browser's databases from the recording. */
export async function recordedDatabases(): Promise<MemoryDatabases> {
  const databases = newDatabases();
  const db = await createVersion(databases, recording.version);
  for (const [store, { records = [], values = {} }] of Object.entries(recording.stores as Record<string, StoredIn>)) {
    for (const record of records) await db.put(store, revived(record));
    for (const [key, value] of Object.entries(values)) await db.put(store, revived(value), key);
  }
  db.close();
  return databases;
}

/** Creates the wallet's database with the stores of an older version. */
export function createVersion(databases: MemoryDatabases, version: number) {
  return databases.openDB('service-button', version, {
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
}
