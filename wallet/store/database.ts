/**
 * The wallet's only IndexedDB database. A test checks that docs/storage.md lists all of its keys. Data that must change
 * together is changed in one transaction of this database.
 */
import type { IDBPObjectStore, IDBPTransaction, StoreNames } from 'idb';
import { isDiskFull, ServiceError } from '../../protocol/errors/service-error.ts';
import { checkClock } from '../clock.ts';
import { part, type Wallet } from '../platform.ts';
import { type Database, type KeyedValues, type Schema, STORES } from './schema.ts';
import { beginTransaction, DECIDED } from './write-transaction.ts';
import { upgrade, VERSION } from './upgrades.ts';

export const DATABASE_NAME = 'service-button';

const memoryOf = part(() => ({
  opened: undefined as Promise<Database> | undefined,
  lacksRoom: false,
  writers: 0,
  writes: 0,
}));

/** True if the disk was full when the wallet last wrote to the database. */
export const wasDiskFull = (wallet: Wallet): boolean => memoryOf(wallet).lacksRoom;

/** Browser errors that indicate that stored data can't be read (Indexed Database API 3.0, 2.8). */
const UNREADABLE = ['UnknownError', 'NotReadableError', 'NotFoundError', 'DataError'];

/**
 * Returns the database, opened once per worker.
 * @throws ServiceError `wallet-outdated` (written by a newer version of the extension), `wallet-unreadable` (damaged),
 * `disk-full`
 */
export function database(wallet: Wallet): Promise<Database> {
  const memory = memoryOf(wallet);
  memory.opened ??= wallet
    .openDatabase<Schema>(DATABASE_NAME, VERSION, {
      upgrade: (db, from, _to, tx) => upgrade(wallet, db, from, tx),
      blocking(_current, _blocked, event) {
        // Another page of the extension is deleting the database, which would otherwise be blocked until this worker
        // stops.
        (event.target as IDBDatabase).close();
        forget(wallet);
      },
      terminated: () => forget(wallet),
    })
    .catch((error: unknown) => {
      // The stored version is higher than the requested version (Indexed Database API 3.0, 5.1).
      if (error instanceof Error && error.name === 'VersionError')
        throw new ServiceError('wallet-outdated', { cause: error });
      throw new ServiceError(isDiskFull(error) ? 'disk-full' : 'wallet-unreadable', { cause: error });
    });
  memory.opened.catch(() => {
    memory.opened = undefined;
  });
  return memory.opened;
}

/** Clears all caches, so the database is opened and read again. */
function forget(wallet: Wallet): void {
  memoryOf(wallet).opened = undefined;
  kept(wallet).clear();
  found(wallet).clear();
}

/** True if the wallet's data can be read. @throws ServiceError `wallet-outdated`, `disk-full` */
export async function isReadable(wallet: Wallet): Promise<boolean> {
  try {
    await readKey(wallet, 'vault');
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'wallet-unreadable') throw error;
    if (error instanceof ServiceError || (error instanceof Error && UNREADABLE.includes(error.name))) return false;
    throw error;
  }
}

/** Deletes the database if it can't be read. */
export async function deleteUnreadable(wallet: Wallet): Promise<void> {
  if (await isReadable(wallet)) return;
  (await memoryOf(wallet).opened?.catch(() => undefined))?.close();
  forget(wallet);
  await wallet.deleteDatabase(DATABASE_NAME);
}

/** A read-write transaction on all stores involved in handling money. */
export type WriteTransaction = ReturnType<typeof beginTransaction>;

/** A transaction for reading the same stores, created by `readTransaction` or `inTransaction`. */
export interface Reading {
  objectStore<Name extends (typeof DECIDED)[number]>(
    name: Name,
  ): IDBPObjectStore<Schema, ArrayLike<StoreNames<Schema>>, Name, IDBTransactionMode>;
}

/** Begins a read transaction. The caller may await only database requests, and must make the first one immediately. */
export function readTransaction(db: Database): Reading {
  return db.transaction(DECIDED);
}

/**
 * Runs `change` in a transaction, which is rolled back if `change` throws. `change` may await only database requests.
 */
export async function inTransaction<T>(wallet: Wallet, change: (tx: WriteTransaction) => T | Promise<T>): Promise<T> {
  const memory = memoryOf(wallet);
  checkClock(wallet); // the written data may contain times
  const tx = beginTransaction(wallet, await database(wallet));
  tx.done.catch(() => undefined); // awaited below; avoids an unhandled rejection
  try {
    const result = await change(tx);
    checkClock(wallet); // the clock may have changed during the transaction
    await tx.done;
    memory.lacksRoom = false;
    return result;
  } catch (error) {
    try {
      tx.abort();
    } catch {
      // already aborted
    }
    const { error: cause } = tx; // a failed request's own error doesn't contain the reason
    memory.lacksRoom = isDiskFull(error) || isDiskFull(cause);
    throw memory.lacksRoom ? new ServiceError('disk-full', { cause: error }) : error;
  }
}

/**
 * Values that are read often and seldom change. They are cached, except during writes. None of them is secret, because
 * operators' keys are encrypted.
 */
const KEPT: readonly (keyof KeyedValues)[] = ['settings', 'network', 'operatorKeys', 'rates', 'account', 'publicKeys'];
const kept = part(() => new Map<keyof KeyedValues, unknown>());
/** Keys in `keyval` that are known to exist, cached like the values above. */
const found = part(() => new Set<keyof KeyedValues>());

/** Clears the caches, and disables them until a writer's transaction is done. */
export function clearCaches(wallet: Wallet, done: Promise<void>): void {
  const memory = memoryOf(wallet);
  const change = (by: number) => {
    memory.writers += by;
    memory.writes += 1;
    kept(wallet).clear();
    found(wallet).clear();
  };
  change(1);
  const end = () => change(-1);
  done.then(end, end);
}

/** Begins a transaction that can change values in `keyval`. */
export async function keyTransaction(wallet: Wallet) {
  checkClock(wallet);
  const tx = (await database(wallet)).transaction('keyval', 'readwrite');
  clearCaches(wallet, tx.done);
  return tx;
}

/**
 * Begins a transaction that writes other stores, and also reads or changes values in `keyval`.
 * @param keys `read` if no value in `keyval` changes
 */
export async function keyedTransaction<Name extends StoreNames<Schema>>(
  wallet: Wallet,
  names: readonly Name[],
  keys: 'read' | 'write',
): Promise<IDBPTransaction<Schema, ('keyval' | Name)[], 'readwrite'>> {
  checkClock(wallet);
  const tx = (await database(wallet)).transaction<('keyval' | Name)[], 'readwrite'>(['keyval', ...names], 'readwrite');
  if (keys === 'write') clearCaches(wallet, tx.done);
  return tx;
}

/** Begins a transaction that only reads `keyval` and other stores. */
export async function readKeyed<Name extends StoreNames<Schema>>(
  wallet: Wallet,
  names: readonly Name[],
): Promise<IDBPTransaction<Schema, ('keyval' | Name)[], 'readonly'>> {
  return (await database(wallet)).transaction<('keyval' | Name)[]>(['keyval', ...names]);
}

/** A transaction that includes `keyval`. */
interface Keyed<Store> {
  objectStore(name: 'keyval'): Store;
}

export type ReadingKeys = Keyed<{ get(key: string): Promise<unknown> }>;
/** Begun by {@link keyTransaction} or by {@link keyedTransaction} with `write`, because others don't clear the caches. */
export type WritingKeys = Keyed<{
  get(key: string): Promise<unknown>;
  // oxlint-disable-next-line typescript/no-explicit-any -- each key has a different type
  put(value: any, key: string): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}>;

/**
 * Clears all stores in one transaction if `mayEmpty`, which can read in that transaction, returns true.
 * @returns true if the stores were cleared
 */
export async function emptyStores(wallet: Wallet, mayEmpty: (tx: Reading) => Promise<boolean>): Promise<boolean> {
  const tx = (await database(wallet)).transaction(STORES, 'readwrite');
  clearCaches(wallet, tx.done);
  const isAllowed = await mayEmpty(tx);
  await Promise.all([...(isAllowed ? STORES.map((store) => tx.objectStore(store).clear()) : []), tx.done]);
  return isAllowed;
}

/** Returns a value in `keyval` or undefined, within a transaction. */
export const keyIn = <K extends keyof KeyedValues>(tx: ReadingKeys, key: K): Promise<KeyedValues[K] | undefined> =>
  tx.objectStore('keyval').get(key) as Promise<KeyedValues[K] | undefined>;

/** Writes a value in `keyval`, within a transaction. */
export async function putKeyIn<K extends keyof KeyedValues>(
  tx: Keyed<{ put(value: KeyedValues[K], key: string): Promise<unknown> }>,
  key: K,
  value: KeyedValues[K],
): Promise<void> {
  await tx.objectStore('keyval').put(value, key);
}

/** Deletes a value in `keyval`, within a transaction. */
export async function deleteKeyIn(tx: WritingKeys, key: keyof KeyedValues): Promise<void> {
  await tx.objectStore('keyval').delete(key);
}

/** Returns a value in `keyval`, or undefined. */
export async function readKey<K extends keyof KeyedValues>(
  wallet: Wallet,
  key: K,
): Promise<KeyedValues[K] | undefined> {
  const memory = memoryOf(wallet);
  if (kept(wallet).has(key)) return kept(wallet).get(key) as KeyedValues[K] | undefined;
  const before = memory.writes;
  const value = (await (await database(wallet)).get('keyval', key)) as KeyedValues[K] | undefined;
  // A value that a writer may be changing isn't cached.
  if (KEPT.includes(key) && memory.writers === 0 && memory.writes === before)
    kept(wallet).set(key, Object.freeze(value));
  return value;
}

/** True if `keyval` contains a key. */
export async function hasKey(wallet: Wallet, key: keyof KeyedValues): Promise<boolean> {
  if (found(wallet).has(key)) return true;
  const memory = memoryOf(wallet);
  const before = memory.writes;
  const isThere = (await (await database(wallet)).getKey('keyval', key)) !== undefined;
  if (isThere && memory.writers === 0 && memory.writes === before) found(wallet).add(key);
  return isThere;
}

/** Writes a value in `keyval`. */
export async function writeKey<K extends keyof KeyedValues>(
  wallet: Wallet,
  key: K,
  value: KeyedValues[K],
): Promise<void> {
  const tx = await keyTransaction(wallet);
  await Promise.all([tx.store.put(value, key), tx.done]);
}

/** Changes a value in `keyval` in one transaction, so no concurrent write is lost. */
export async function changeKey<K extends keyof KeyedValues>(
  wallet: Wallet,
  key: K,
  change: (value: KeyedValues[K] | undefined) => KeyedValues[K],
): Promise<void> {
  const tx = await keyTransaction(wallet);
  await tx.store.put(change((await tx.store.get(key)) as KeyedValues[K] | undefined), key);
  await tx.done;
}

/** Deletes a value in `keyval`. */
export async function deleteKey(wallet: Wallet, key: keyof KeyedValues): Promise<void> {
  const tx = await keyTransaction(wallet);
  await Promise.all([tx.store.delete(key), tx.done]);
}
