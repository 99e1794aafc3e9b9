import type { WriteTransaction } from '../store/database.ts';
import { deletionKey, keyOf, type LogEntry } from './entry.ts';
import type { Wallet } from '../platform.ts';

/** Maximum number of deletion entries per site. They inform other wallets with the same recovery words. */
export const MAX_DELETIONS_PER_SITE = 1_000;

/** Adds an entry, replacing any earlier entry that has the same key. Awaits only the database. */
export async function recordEntry(wallet: Wallet, tx: WriteTransaction, entry: LogEntry): Promise<void> {
  const store = tx.objectStore('appLog');
  const key = keyOf(entry);
  const before = await store.get(key);
  // A deletion by an older wallet version applies to all lower and equal versions, so the new one must be higher.
  const ended = 'outpoint' in entry ? await store.get(deletionKey(entry.outpoint)) : undefined;
  const version = Math.max(before?.version ?? 0, ended?.version ?? 0) + 1;
  await store.put({ key, entry, version, at: wallet.now(), unsent: 1 });
  if (entry.kind === 'output-gone' && before?.entry.kind !== 'output-gone')
    await forgetOldest(wallet, tx, entry.origin);
}

/**
 * Deletes a site's oldest deletion entry if there are too many, so a site can't fill the log by repeatedly adding and
 * relinquishing outputs.
 */
async function forgetOldest(wallet: Wallet, tx: WriteTransaction, origin: string): Promise<void> {
  const index = tx.objectStore('appLog').index('site');
  const range = wallet.keyRange.bound(['output-gone', origin], ['output-gone', origin, []]);
  if ((await index.count(range)) <= MAX_DELETIONS_PER_SITE) return;
  await (await index.openCursor(range))?.delete();
}
