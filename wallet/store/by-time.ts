/** Reads records by creation time, or a single record, without the large parts of payments. */
import { database } from './database.ts';
import { hasLightCopies, lightPayment } from './write-transaction.ts';
import type { Wallet } from '../platform.ts';

/** Stores with a `createdAt` index. */
type TimedStore = 'payments' | 'receipts' | 'operations';

/** A position in the records, which are ordered by descending time (milliseconds since 1970), then by descending ID. */
export interface Position {
  time: number;
  id: string;
}

/** True if `a` precedes `b` in the order of {@link Position}. */
export function isNewer(a: Position, b: Position): boolean {
  return a.time > b.time || (a.time === b.time && a.id > b.id);
}

/** Begins a read transaction for one of these stores. */
export const timedTransaction = async (wallet: Wallet, store: TimedStore) =>
  (await database(wallet)).transaction([store, 'lightPayments']);

/**
 * Begins a transaction that reads one of these stores and changes its search pages (wallet/activity/search-pages.ts).
 */
export const pagesTransaction = async (wallet: Wallet, store: 'payments' | 'receipts') =>
  (await database(wallet)).transaction([store, 'lightPayments', 'searchPages'], 'readwrite', { durability: 'relaxed' });

interface Reading {
  objectStore(name: 'payments' | 'lightPayments'): ReadStore;
  objectStore(name: TimedStore): Pick<ReadStore, 'index'>;
}
interface ReadStore {
  count(): Promise<number>;
  get(id: string): Promise<unknown>;
  index(name: 'createdAt'): unknown;
}

/** Returns a record by ID. */
export const timedRecord = <T>(
  tx: { objectStore(name: 'payments' | 'receipts' | 'lightPayments'): { get(id: string): Promise<T | undefined> } },
  store: 'payments' | 'receipts',
  id: string,
): Promise<T | undefined> => (store === 'payments' ? lightPayment(tx, id) : tx.objectStore(store).get(id));

interface CreationIndex {
  /**
   * Returns all records in one response, twice as fast as a cursor (Indexed Database API 3.0; Chromium 141 and later).
   */
  getAllRecords?(options: { query: IDBKeyRange; direction: 'prev'; count: number }): Promise<CreationRecord[]>;
  openCursor(range: IDBKeyRange, direction: 'prev'): Promise<CreationCursor | null>;
  openKeyCursor(range: IDBKeyRange, direction: 'prev'): Promise<CreationCursor | null>;
}
interface CreationRecord {
  readonly key: number;
  readonly primaryKey: string;
  /** The record; missing if only keys were read. */
  readonly value?: unknown;
}
interface CreationCursor extends CreationRecord {
  continue(): Promise<CreationCursor | null>;
  continuePrimaryKey(key: number, primaryKey: string): Promise<CreationCursor | null>;
}

/** Returns up to `most` entries after `before`, down to and including `last`. */
export async function readPiece<Entry extends Position>(
  wallet: Wallet,
  tx: Reading,
  store: TimedStore,
  before: Position | null,
  last: Position,
  most: number,
): Promise<Entry[]> {
  if (before && before.time < last.time) return [];
  const range = before ? wallet.keyRange.bound(last.time, before.time) : wallet.keyRange.lowerBound(last.time);
  const entryOf = ({ key, primaryKey, value }: CreationRecord) =>
    ({ store, record: value, time: key, id: primaryKey }) as unknown as Entry;
  // The response also includes the record at `before`, which is dropped.
  const count = before ? most + 1 : most;
  const index = tx.objectStore(store).index('createdAt') as CreationIndex;
  // If any payment is large, the keys are read first, then each payment without its large parts.
  const hasLarge = store === 'payments' && (await hasLightCopies(tx));
  const records = hasLarge ? undefined : await index.getAllRecords?.({ query: range, direction: 'prev', count });
  const read = records?.map(entryOf).filter((entry) => before === null || isNewer(before, entry)) ?? [];
  if (records && (records.length < count || read.length >= most))
    return read.slice(0, most).filter((entry) => !isNewer(last, entry));
  const entries: Entry[] = [];
  let cursor = await (hasLarge ? index.openKeyCursor(range, 'prev') : index.openCursor(range, 'prev'));
  // Jumps straight to the position, past other records with the same time, because a restore can create a great many
  // of them.
  if (cursor && before && cursor.key === before.time && cursor.primaryKey > before.id)
    cursor = await cursor.continuePrimaryKey(before.time, before.id);
  if (cursor && before && cursor.key === before.time && cursor.primaryKey === before.id)
    cursor = await cursor.continue();
  while (cursor && !isNewer(last, { time: cursor.key, id: cursor.primaryKey })) {
    entries.push(entryOf(cursor));
    cursor = entries.length < most ? await cursor.continue() : null;
  }
  if (!hasLarge) return entries;
  const payments = await Promise.all(entries.map(({ id }) => lightPayment(tx, id)));
  return entries.map((entry, i) => ({ ...entry, record: payments[i] }) as Entry);
}
