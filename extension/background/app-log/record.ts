/** Keeping the log, in the transaction that makes its entries true. */
import type { WriteTransaction } from '../database.ts';
import { goneKey, keyOf, type LogEntry } from './entry.ts';

/** Most notes of one site that something is gone. Other wallets with the same words learn it by them. */
export const MOST_GONE = 1_000;

/**
 * Adds an entry, in place of the one before it of the same key. Awaits nothing but the database.
 * What is sent to the account's service, and when, is app-backup's business.
 */
export async function recordEntry(tx: WriteTransaction, entry: LogEntry): Promise<void> {
  const store = tx.objectStore('appLog');
  const key = keyOf(entry);
  const before = await store.get(key);
  // An older wallet's note ends what is not newer than it.
  const ended = 'outpoint' in entry ? await store.get(goneKey(entry.outpoint)) : undefined;
  const version = Math.max(before?.version ?? 0, ended?.version ?? 0) + 1;
  await store.put({ key, entry, version, at: Date.now(), unsent: 1 });
  if (entry.kind === 'output-gone' && before?.entry.kind !== 'output-gone') await forgetOldest(tx, entry.origin);
}

/** A site that keeps and relinquishes without end fills nothing by it. */
async function forgetOldest(tx: WriteTransaction, origin: string): Promise<void> {
  const index = tx.objectStore('appLog').index('site');
  const range = IDBKeyRange.bound(['output-gone', origin], ['output-gone', origin, []]);
  if ((await index.count(range)) <= MOST_GONE) return;
  await (await index.openCursor(range))?.delete();
}
