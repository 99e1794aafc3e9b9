/** Reads the latest records in an index without one request per record. */
import type { Wallet } from '../platform.ts';

export interface LatestIndex<T> {
  openKeyCursor(
    range: IDBKeyRange,
    direction: 'prev',
  ): Promise<{ key: IDBValidKey; advance(count: number): Promise<{ key: IDBValidKey } | null> } | null>;
  getAll(range: IDBKeyRange, count?: number): Promise<T[]>;
  getAllKeys(range: IDBKeyRange, count?: number): Promise<string[]>;
}

/** Returns the latest `most` records or keys in a range. */
export async function latest<T, M extends 'getAll' | 'getAllKeys'>(
  wallet: Wallet,
  index: LatestIndex<T>,
  range: IDBKeyRange,
  most: number,
  method: M,
): Promise<Awaited<ReturnType<LatestIndex<T>[M]>>> {
  type Found = Awaited<ReturnType<LatestIndex<T>[M]>>;
  const read = (part: IDBKeyRange, count?: number) => index[method](part, count) as Promise<Found>;
  const first = await (await index.openKeyCursor(range, 'prev'))?.advance(most - 1);
  if (!first) return read(range);
  const { key } = first;
  const newer = await read(wallet.keyRange.bound(key, range.upper, true));
  // Reads only as many records with the oldest time as needed, because a restore can create a great many of them.
  return [...newer, ...(await read(wallet.keyRange.only(key), most - newer.length))] as Found;
}
