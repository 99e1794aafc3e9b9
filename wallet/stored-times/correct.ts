/**
 * Corrects times stored while the clock was ahead. Each kind of stored time has a maximum lead by which it can be ahead
 * of the clock. Any time beyond that lead comes from a wrong clock.
 */
import { database, inTransaction, keyTransaction, readKey } from '../store/database.ts';
import type { KeyedValues } from '../store/schema.ts';
import { announceChange } from '../events.ts';
import type { PaymentRecord } from '../payments/record.ts';
import { corrected, KEYED_TIMES, STORE_TIMES } from './table.ts';
import { putPayment } from '../payments/store.ts';
import type { Wallet } from '../platform.ts';

type StoreName = keyof typeof STORE_TIMES;
const STORE_NAMES = Object.keys(STORE_TIMES) as StoreName[];
const KEYS = Object.keys(KEYED_TIMES) as (keyof typeof KEYED_TIMES)[];

/** Reduces stored times that are too far in the future to the allowed maximum. @param now milliseconds since 1970 */
export async function correctTimes(wallet: Wallet, now = wallet.now()): Promise<void> {
  const wrong = await wrongRecords(wallet, now);
  if (wrong.length > 0)
    await inTransaction(wallet, async (tx) => {
      for (const [name, key] of wrong) {
        const store = tx.objectStore(name);
        const record = await store.get(key as never);
        const next = record && corrected(record, STORE_TIMES[name].times, now);
        if (!next) continue;
        if (name === 'payments') await putPayment(wallet, tx, next as PaymentRecord);
        else await store.put(next as never);
      }
    });
  const isKeyed = await correctKeyed(wallet, now);
  if (wrong.length > 0 || isKeyed) announceChange(wallet);
}

/** Returns the stores and keys of records with times that are too far in the future. */
async function wrongRecords(wallet: Wallet, now: number): Promise<[StoreName, IDBValidKey][]> {
  const tx = (await database(wallet)).transaction(STORE_NAMES);
  const wrong: [StoreName, IDBValidKey][] = [];
  for (const name of STORE_NAMES) {
    const { index, times } = STORE_TIMES[name];
    const source = index ? tx.objectStore(name).index(index.name as never) : tx.objectStore(name);
    const range = index?.range(wallet.keyRange, now) as never;
    const [keys, records] = await Promise.all([source.getAllKeys(range), source.getAll(range)]);
    for (const [i, record] of records.entries())
      if (corrected(record, times, now)) wrong.push([name, keys[i] as IDBValidKey]);
  }
  return wrong;
}

/** Corrects the times in `keyval`. @returns true if any were wrong */
async function correctKeyed(wallet: Wallet, now: number): Promise<boolean> {
  const before = await Promise.all(KEYS.map((key) => readKey(wallet, key)));
  if (!before.some((record, i) => record && corrected(record, timesOf(i), now))) return false;
  const tx = await keyTransaction(wallet);
  for (const [i, key] of KEYS.entries()) {
    const record = (await tx.store.get(key)) as KeyedValues['scan' | 'appLog'] | undefined;
    const next = record && corrected(record, timesOf(i), now);
    if (next) await tx.store.put(next, key);
  }
  await tx.done;
  return true;
}

const timesOf = (i: number) => KEYED_TIMES[KEYS[i] as (typeof KEYS)[number]];
