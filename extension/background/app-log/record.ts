/** Keeping the log, in the transaction that makes its entries true. */
import type { WriteTransaction } from '../database.ts';
import { keyOf, type LogEntry } from './entry.ts';

/**
 * Adds an entry, in place of the one before it about the same output or transaction. Awaits nothing but the database.
 * What is sent to the account's service, and when, is app-backup's business.
 */
export async function recordEntry(tx: WriteTransaction, entry: LogEntry): Promise<void> {
  const store = tx.objectStore('appLog');
  const key = keyOf(entry);
  const before = await store.get(key);
  await store.put({ key, entry, version: (before?.version ?? 0) + 1, at: Date.now(), unsent: 1 });
}
