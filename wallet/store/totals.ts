/**
 * The store of totals, which change together with the records they count. Functions take a transaction;
 * `readTransaction` (database.ts) begins a read-only one.
 */
import type { Totals } from './schema.ts';
import type { Reading, WriteTransaction } from './database.ts';
import type { Wallet } from '../platform.ts';

export const getTotal = <K extends keyof Totals>(tx: Reading, key: K): Promise<Totals[K] | undefined> =>
  tx.objectStore('totals').get(key) as Promise<Totals[K] | undefined>;

// Not async, because callers start several writes together, and errors must be thrown synchronously.
export const putTotal = <K extends keyof Totals>(tx: WriteTransaction, key: K, total: Totals[K]): Promise<unknown> =>
  tx.objectStore('totals').put(total, key);

/** Deletes a total, which is recomputed when needed. */
export async function forgetTotal(tx: WriteTransaction, key: keyof Totals): Promise<void> {
  await tx.objectStore('totals').delete(key);
}

/** Returns all totals with a key prefix, keyed by the rest of their keys. */
export async function totalsUnder<Prefix extends 'kept ' | 'brought '>(
  wallet: Wallet,
  tx: Reading,
  prefix: Prefix,
): Promise<Map<string, Totals[`${Prefix}${string}`]>> {
  const range = wallet.keyRange.bound(prefix, `${prefix}\uffff`);
  const totals = tx.objectStore('totals');
  const [keys, values] = await Promise.all([totals.getAllKeys(range), totals.getAll(range)]);
  return new Map(keys.map((key, i) => [key.slice(prefix.length), values[i] as Totals[`${Prefix}${string}`]]));
}
