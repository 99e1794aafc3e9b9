/**
 * The wallet's only IndexedDB database. docs/storage.md lists all of its keys, as a test ensures. Things that must
 * change together change in one transaction of this database.
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
  /** Whether the latest transaction about money failed because the disk was full. */
  lacksRoom: false,
  writers: 0,
  writes: 0,
}));

/** Whether the disk was full when the wallet last stored something. */
export const wasDiskFull = (wallet: Wallet): boolean => memoryOf(wallet).lacksRoom;

/** Errors of the browser that mean that stored data can't be read (Indexed Database API 3.0, 2.8). */
const UNREADABLE = ['UnknownError', 'NotReadableError', 'NotFoundError', 'DataError'];

/**
 * The database, opened once per worker.
 * @throws ServiceError `wallet-outdated`: a newer version of the extension has written it; `wallet-unreadable`: it is
 * damaged; `disk-full`
 */
export function database(wallet: Wallet): Promise<Database> {
  const memory = memoryOf(wallet);
  memory.opened ??= wallet
    .openDatabase<Schema>(DATABASE_NAME, VERSION, {
      upgrade: (db, from, _to, tx) => upgrade(wallet, db, from, tx),
      blocking(_current, _blocked, event) {
        // Another page of the extension deletes the database, and would otherwise wait until the browser ends this
        // worker.
        (event.target as IDBDatabase).close();
        forget(wallet);
      },
      terminated: () => forget(wallet),
    })
    .catch((error: unknown) => {
      // The stored version is higher than the requested one (Indexed Database API 3.0, 5.1).
      if (error instanceof Error && error.name === 'VersionError')
        throw new ServiceError('wallet-outdated', { cause: error });
      throw new ServiceError(isDiskFull(error) ? 'disk-full' : 'wallet-unreadable', { cause: error });
    });
  memory.opened.catch(() => {
    memory.opened = undefined;
  });
  return memory.opened;
}

/** Opens the database again the next time, and reads everything from it again. */
function forget(wallet: Wallet): void {
  memoryOf(wallet).opened = undefined;
  kept(wallet).clear();
  found(wallet).clear();
}

/** Whether the wallet's data can be read. @throws ServiceError `wallet-outdated`, `disk-full` */
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

/** Deletes a database only if it can't be read. */
export async function deleteUnreadable(wallet: Wallet): Promise<void> {
  if (await isReadable(wallet)) return;
  (await memoryOf(wallet).opened?.catch(() => undefined))?.close();
  forget(wallet);
  await wallet.deleteDatabase(DATABASE_NAME);
}

/** The stores that a decision about money may change together, in one transaction. */
export type WriteTransaction = ReturnType<typeof beginTransaction>;

/** A transaction that reads those stores: of `readTransaction` or of `inTransaction`. */
export interface Reading {
  objectStore<Name extends (typeof DECIDED)[number]>(
    name: Name,
  ): IDBPObjectStore<Schema, ArrayLike<StoreNames<Schema>>, Name, IDBTransactionMode>;
}

/**
 * Begins a transaction that reads them. It must await nothing but the database, and make its first request immediately.
 */
export function readTransaction(db: Database): Reading {
  return db.transaction(DECIDED);
}

/**
 * Runs `change` in one such transaction. Where it throws, nothing of it stays. It must await nothing but the database.
 */
export async function inTransaction<T>(wallet: Wallet, change: (tx: WriteTransaction) => T | Promise<T>): Promise<T> {
  const memory = memoryOf(wallet);
  checkClock(wallet); // what is written may hold a time
  const tx = beginTransaction(await database(wallet));
  tx.done.catch(() => undefined); // awaited below; an abort must not also surface as unhandled
  try {
    const result = await change(tx);
    await tx.done;
    memory.lacksRoom = false;
    return result;
  } catch (error) {
    try {
      tx.abort();
    } catch {
      // already aborted
    }
    const { error: cause } = tx; // the requests of an aborted transaction don't contain the reason
    memory.lacksRoom = isDiskFull(error) || isDiskFull(cause);
    throw memory.lacksRoom ? new ServiceError('disk-full', { cause: error }) : error;
  }
}

/**
 * Single records that every step needs and that seldom change, cached while there is no writer. None is a secret:
 * operators' keys are sealed.
 */
const KEPT: readonly (keyof KeyedValues)[] = ['settings', 'network', 'operatorKeys', 'rates', 'account', 'publicKeys'];
const kept = part(() => new Map<keyof KeyedValues, unknown>());
/** Single records that are there, for as long. */
const found = part(() => new Set<keyof KeyedValues>());

/** Clears the cache for a transaction that may change single records, until it is over. */
export function forgetKept(wallet: Wallet, done: Promise<void>): void {
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

/** A transaction that may change single records. */
export async function keyTransaction(wallet: Wallet) {
  checkClock(wallet);
  const tx = (await database(wallet)).transaction('keyval', 'readwrite');
  forgetKept(wallet, tx.done);
  return tx;
}

/**
 * A transaction that writes other stores, and reads or changes single records with them.
 * @param keys `read` if it changes no single record
 */
export async function keyedTransaction<Name extends StoreNames<Schema>>(
  wallet: Wallet,
  names: readonly Name[],
  keys: 'read' | 'write',
): Promise<IDBPTransaction<Schema, ('keyval' | Name)[], 'readwrite'>> {
  checkClock(wallet);
  const tx = (await database(wallet)).transaction<('keyval' | Name)[], 'readwrite'>(['keyval', ...names], 'readwrite');
  if (keys === 'write') forgetKept(wallet, tx.done);
  return tx;
}

/** A transaction that only reads single records and other stores. */
export async function readKeyed<Name extends StoreNames<Schema>>(
  wallet: Wallet,
  names: readonly Name[],
): Promise<IDBPTransaction<Schema, ('keyval' | Name)[], 'readonly'>> {
  return (await database(wallet)).transaction<('keyval' | Name)[]>(['keyval', ...names]);
}

/** A transaction that has single records. */
interface Keyed<Store> {
  objectStore(name: 'keyval'): Store;
}

/**
 * Empties all stores in one transaction, if `mayEmpty`, which reads in it, returns true.
 * @returns whether it did
 */
export async function emptyStores(wallet: Wallet, mayEmpty: (tx: Reading) => Promise<boolean>): Promise<boolean> {
  const tx = (await database(wallet)).transaction(STORES, 'readwrite');
  forgetKept(wallet, tx.done);
  const isAllowed = await mayEmpty(tx);
  await Promise.all([...(isAllowed ? STORES.map((store) => tx.objectStore(store).clear()) : []), tx.done]);
  return isAllowed;
}

/** One single record, or undefined, within a larger transaction. */
export const keyIn = <K extends keyof KeyedValues>(
  tx: Keyed<{ get(key: string): Promise<unknown> }>,
  key: K,
): Promise<KeyedValues[K] | undefined> => tx.objectStore('keyval').get(key) as Promise<KeyedValues[K] | undefined>;

/** Writes one, within a larger transaction. */
export async function putKeyIn<K extends keyof KeyedValues>(
  tx: Keyed<{ put(value: KeyedValues[K], key: string): Promise<unknown> }>,
  key: K,
  value: KeyedValues[K],
): Promise<void> {
  await tx.objectStore('keyval').put(value, key);
}

/** One single record, or undefined. */
export async function readKey<K extends keyof KeyedValues>(
  wallet: Wallet,
  key: K,
): Promise<KeyedValues[K] | undefined> {
  const memory = memoryOf(wallet);
  if (kept(wallet).has(key)) return kept(wallet).get(key) as KeyedValues[K] | undefined;
  const before = memory.writes;
  const value = (await (await database(wallet)).get('keyval', key)) as KeyedValues[K] | undefined;
  // One that a writer may be changing is not cached.
  if (KEPT.includes(key) && memory.writers === 0 && memory.writes === before)
    kept(wallet).set(key, Object.freeze(value));
  return value;
}

/** Whether there is a single record. */
export async function hasKey(wallet: Wallet, key: keyof KeyedValues): Promise<boolean> {
  if (found(wallet).has(key)) return true;
  const memory = memoryOf(wallet);
  const before = memory.writes;
  const isThere = (await (await database(wallet)).getKey('keyval', key)) !== undefined;
  if (isThere && memory.writers === 0 && memory.writes === before) found(wallet).add(key);
  return isThere;
}

/** Writes one single record. */
export async function writeKey<K extends keyof KeyedValues>(
  wallet: Wallet,
  key: K,
  value: KeyedValues[K],
): Promise<void> {
  const tx = await keyTransaction(wallet);
  await Promise.all([tx.store.put(value, key), tx.done]);
}

/** Changes one single record in a transaction, so that no concurrent write is lost. */
export async function changeKey<K extends keyof KeyedValues>(
  wallet: Wallet,
  key: K,
  change: (value: KeyedValues[K] | undefined) => KeyedValues[K],
): Promise<void> {
  const tx = await keyTransaction(wallet);
  await tx.store.put(change((await tx.store.get(key)) as KeyedValues[K] | undefined), key);
  await tx.done;
}

/** Removes one single record. */
export async function deleteKey(wallet: Wallet, key: keyof KeyedValues): Promise<void> {
  const tx = await keyTransaction(wallet);
  await Promise.all([tx.store.delete(key), tx.done]);
}
