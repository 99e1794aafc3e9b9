/** Queue of transactions to read for the activity list. */
import { database, type WriteTransaction, type Reading } from '../store/database.ts';
import type { HistoryEntry } from './history-entry.ts';
import type { Wallet } from '../platform.ts';

/** The `order` of unconfirmed transactions: above all heights. */
export const NEWEST = 1_000_000_000;
/** Delay before a failed read is retried (milliseconds). The delay doubles after each failure, up to the maximum. */
const FIRST_WAIT_MS = 60_000;
const MAX_WAIT_MS = 24 * 3600_000;

/** Queues a transaction to be read. If it is already queued, its order remains unchanged. */
export async function readLater(tx: WriteTransaction, txid: string, order = NEWEST): Promise<void> {
  if (!(await isToBeRead(tx, txid))) await tx.objectStore('history').put({ txid, order, tries: 0 });
}

/** True if a transaction is queued. */
export const isToBeRead = async (tx: Reading, txid: string): Promise<boolean> =>
  (await tx.objectStore('history').getKey(txid)) !== undefined;

/** Dequeues a transaction that was read, or whose ID has changed. */
export async function forgetToRead(tx: WriteTransaction, txid: string): Promise<void> {
  await tx.objectStore('history').delete(txid);
}

/** Returns the delay after a number of failed attempts, in milliseconds. */
export const waitAfter = (tries: number): number => Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(tries - 1, 0));

/** Returns the next due transaction, except for those in `passed`, or null if none is due. */
export async function nextToRead(wallet: Wallet, passed: ReadonlySet<string>): Promise<HistoryEntry | null> {
  const index = (await database(wallet)).transaction('history').store.index('order');
  let cursor = await index.openCursor(wallet.keyRange.lowerBound(-wallet.now()), 'prev');
  while (cursor && passed.has(cursor.value.txid)) cursor = await cursor.continue();
  return cursor?.value ?? null;
}

/** Counts the queued transactions, including those that couldn't be read. */
export async function countToRead(wallet: Wallet): Promise<number> {
  return (await database(wallet)).count('history');
}

/** Counts the queued transactions without a failed attempt. */
export async function countUntried(wallet: Wallet): Promise<number> {
  return (await database(wallet)).countFromIndex('history', 'order', wallet.keyRange.lowerBound(0));
}

/** Postpones a transaction that couldn't be read. */
export async function readAgain(wallet: Wallet, tx: WriteTransaction, entry: HistoryEntry): Promise<void> {
  await tx.objectStore('history').put(putOff(wallet, entry));
}

/** Returns the entry with the time of its next attempt. */
export function putOff(wallet: Wallet, entry: HistoryEntry): HistoryEntry {
  const { txid, tries } = entry;
  return {
    txid,
    tries: tries + 1,
    order: -(wallet.now() + waitAfter(tries + 1)),
    height: heightOf(entry),
  };
}

/** Returns the height reported by the index, or 0 if the transaction is unconfirmed. */
export function heightOf({ order, height }: HistoryEntry): number {
  return height ?? (order === NEWEST ? 0 : order);
}
