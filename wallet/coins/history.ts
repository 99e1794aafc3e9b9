/** Transactions that are still to be read for the activity, as stored. */
import { database, type WriteTransaction, type Reading } from '../store/database.ts';
import type { HistoryEntry } from './history-entry.ts';
import type { Wallet } from '../platform.ts';

/** The order of transactions outside of blocks. */
export const NEWEST = 1_000_000_000;
/** Waits before unreadable transactions are retried: a minute, then doubling, up to a day (milliseconds). */
const FIRST_WAIT_MS = 60_000;
/** See {@link FIRST_WAIT_MS}. */
const LONGEST_WAIT_MS = 24 * 3600_000;

/** Queues a transaction to be read, within a larger transaction. Those already waiting keep their turn. */
export async function readLater(tx: WriteTransaction, txid: string, order = NEWEST): Promise<void> {
  if (!(await isToBeRead(tx, txid))) await tx.objectStore('history').put({ txid, order, tries: 0 });
}

/** Whether one is still to be read, within a larger transaction. */
export const isToBeRead = async (tx: Reading, txid: string): Promise<boolean> =>
  (await tx.objectStore('history').getKey(txid)) !== undefined;

/** Removes one that was read, or whose transaction has another id, within a larger transaction. */
export async function forgetToRead(tx: WriteTransaction, txid: string): Promise<void> {
  await tx.objectStore('history').delete(txid);
}

/** How long an entry waits after this many tries (milliseconds). */
export const waitAfter = (tries: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(tries - 1, 0));

/** The next due transaction, except those that were already tried. */
export async function nextToRead(wallet: Wallet, passed: ReadonlySet<string>): Promise<HistoryEntry | null> {
  const index = (await database(wallet)).transaction('history').store.index('order');
  let cursor = await index.openCursor(IDBKeyRange.lowerBound(-wallet.now()), 'prev');
  while (cursor && passed.has(cursor.value.txid)) cursor = await cursor.continue();
  return cursor?.value ?? null;
}

/** Number of waiting transactions, including those that failed to be read. */
export async function countToRead(wallet: Wallet): Promise<number> {
  return (await database(wallet)).count('history');
}

/** Number of transactions that wait for their first turn. */
export async function countUntried(wallet: Wallet): Promise<number> {
  return (await database(wallet)).countFromIndex('history', 'order', IDBKeyRange.lowerBound(0));
}

/** Postpones a transaction that failed to be read, within a larger transaction. */
export async function readAgain(wallet: Wallet, tx: WriteTransaction, entry: HistoryEntry): Promise<void> {
  await tx.objectStore('history').put(putOff(wallet, entry));
}

/** Its next turn. */
export function putOff(wallet: Wallet, entry: HistoryEntry): HistoryEntry {
  const { txid, tries } = entry;
  return {
    txid,
    tries: tries + 1,
    order: -(wallet.now() + waitAfter(tries + 1)),
    height: heightOf(entry),
  };
}

/** The height reported by the index; 0 if no block contains it. */
export function heightOf({ order, height }: HistoryEntry): number {
  return height ?? (order === NEWEST ? 0 : order);
}
