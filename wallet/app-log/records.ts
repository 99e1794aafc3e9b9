/** The stored log of applications' data. Functions that take a transaction run within it. */
import { database, readTransaction, type Reading } from '../store/database.ts';
import type { LogEntry, LoggedEntry } from './entry.ts';
import { outputKeys } from './entry.ts';
import type { Wallet } from '../platform.ts';

/** A transaction that can change the log. */
export interface LogTransaction {
  objectStore(name: 'appLog'): {
    get(key: string): Promise<LoggedEntry | undefined>;
    getAll(range: IDBKeyRange): Promise<LoggedEntry[]>;
    put(logged: LoggedEntry): Promise<unknown>;
    delete(key: string): Promise<void>;
    openCursor(): Promise<LogCursor | null>;
    index(name: 'kind'): { getAll(range: IDBKeyRange): Promise<LoggedEntry[]> };
  };
}

interface LogCursor {
  readonly value: LoggedEntry;
  update(logged: LoggedEntry): Promise<unknown>;
  continue(): Promise<LogCursor | null>;
}

export const getLogged = (
  tx: { objectStore(name: 'appLog'): { get(key: string): Promise<LoggedEntry | undefined> } },
  key: string,
): Promise<LoggedEntry | undefined> => tx.objectStore('appLog').get(key);

export async function putLogged(tx: LogTransaction, logged: LoggedEntry): Promise<void> {
  await tx.objectStore('appLog').put(logged);
}

export const deleteLogged = (tx: LogTransaction, key: string): Promise<void> => tx.objectStore('appLog').delete(key);

/** Changes an entry, unless it has been replaced since it was read. */
export async function changeLogged(
  tx: LogTransaction,
  { key, version }: Pick<LoggedEntry, 'key' | 'version'>,
  change: (logged: LoggedEntry) => LoggedEntry,
): Promise<void> {
  const logged = await getLogged(tx, key);
  if (logged?.version === version) await putLogged(tx, change(logged));
}

/** Changes all entries. @param change returns the same object for unchanged entries */
export async function changeAllLogged(tx: LogTransaction, change: (logged: LoggedEntry) => LoggedEntry): Promise<void> {
  for (let cursor = await tx.objectStore('appLog').openCursor(); cursor; cursor = await cursor.continue()) {
    const changed = change(cursor.value);
    if (changed !== cursor.value) await cursor.update(changed);
  }
}

/** Yields all entries one by one. */
export async function* eachLogged(tx: LogTransaction): AsyncGenerator<LoggedEntry> {
  for (let cursor = await tx.objectStore('appLog').openCursor(); cursor; cursor = await cursor.continue())
    yield cursor.value;
}

export async function allLogged(wallet: Wallet): Promise<LoggedEntry[]> {
  return readTransaction(await database(wallet))
    .objectStore('appLog')
    .getAll();
}

/** Returns the entries for sites' outputs at an outpoint. */
export const loggedOutputs = (wallet: Wallet, tx: LogTransaction, outpoint: string): Promise<LoggedEntry[]> =>
  tx.objectStore('appLog').getAll(wallet.keyRange.bound(...outputKeys(outpoint)));

/** Returns the entries for a transaction's outputs. */
export const loggedOf = (wallet: Wallet, tx: LogTransaction, txid: string): Promise<LoggedEntry[]> =>
  tx.objectStore('appLog').getAll(wallet.keyRange.bound(`${txid}:`, `${txid};`));

/** Returns all logged payments to derived keys that may still have to be swept. */
export const loggedPayments = (wallet: Wallet, tx: LogTransaction): Promise<LoggedEntry[]> =>
  tx
    .objectStore('appLog')
    .index('kind')
    .getAll(wallet.keyRange.bound(['wallet-payment'], ['wallet-payment', []]));

/** Returns up to `most` entries not yet stored on the account's service. */
export async function unsentLogged(wallet: Wallet, most: number): Promise<LoggedEntry[]> {
  return readTransaction(await database(wallet))
    .objectStore('appLog')
    .index('unsent')
    .getAll(1, most);
}

/** Returns up to `most` entries read from a log that are due to be applied by `time` (milliseconds since 1970). */
export async function dueLogged(wallet: Wallet, time: number, most: number): Promise<LoggedEntry[]> {
  const index = readTransaction(await database(wallet))
    .objectStore('appLog')
    .index('unapplied');
  return index.getAll(wallet.keyRange.upperBound(time), most);
}

type CountTransaction = {
  objectStore(name: 'appLog'): {
    count(): Promise<number>;
    index(name: 'unsent'): { count(): Promise<number> };
  };
};

export const countLogged = (tx: CountTransaction): Promise<number> => tx.objectStore('appLog').count();

export const countUnsent = (tx: CountTransaction): Promise<number> => tx.objectStore('appLog').index('unsent').count();

export const countUnapplied = (tx: Reading): Promise<number> => tx.objectStore('appLog').index('unapplied').count();

export const countOfKind = (wallet: Wallet, tx: Reading, kind: LogEntry['kind']): Promise<number> =>
  tx
    .objectStore('appLog')
    .index('kind')
    .count(wallet.keyRange.bound([kind], [kind, []]));
