/**
 * The wallet's one IndexedDB database. docs/storage.md lists every key of it and a test holds the two together.
 * Whatever must change together changes in one transaction of this database.
 */
import type { DBSchema, IDBPDatabase, IDBPObjectStore, IDBPTransaction, StoreNames } from 'idb';
import { isDiskFull, ServiceError } from '../../protocol/errors/service-error.ts';
import type { Account, Settings } from '../../protocol/messages/wallet-messages.ts';
import { checkClock } from '../clock.ts';
import type { LoggedEntry } from '../app-log/entry.ts';
import type { AppLogState } from '../app-log/state.ts';
import type { AssetRecord } from '../assets/asset-record.ts';
import type { AppAction } from '../baskets/app-action.ts';
import type { AppOutput } from '../baskets/app-output.ts';
import type { Allowance, AllowanceKey } from '../allowances/allowance.ts';
import type { HistoryEntry } from '../coins/history-entry.ts';
import type { Header } from '../chain/headers/header.ts';
import type { RankedCoin } from '../coins/coin.ts';
import type { BalanceTotals } from '../coins/balance-totals.ts';
import type { Contact } from '../contacts/contact.ts';
import type { OperationsRecord } from '../crypto-operations/operations-record.ts';
import type { PaymentRecord, PaymentRequest } from '../payments/record.ts';
import type { PublicKeys } from '../keys/keys.ts';
import type { Passkey } from '../vault/passkey.ts';
import type { Box, SealedVault, WrappedSeed } from '../vault/seal.ts';
import type { KnownRates } from '../chain/agreement.ts';
import type { Receipt } from '../coins/receipt.ts';
import type { Site } from '../sites/site.ts';
import type { AskedManifest, StoredPermission } from '../permissions/permission.ts';
import type { KeptAvatar } from '../avatars/kept-avatar.ts';
import type { KnownPaymail } from '../paymail/paid-host.ts';
import type { Prompt } from '../prompts/prompt.ts';
import type { KnownNetwork } from '../chain/network-info.ts';
import type { Address } from '../coins/addresses/address.ts';
import type { Reach } from '../coins/addresses/reach.ts';
import type { HistoryProgress, ScanProgress } from '../scan/history/progress.ts';
import { lightCopyOf } from './light-payment.ts';
import { noteSeenAddresses } from './seen-addresses.ts';
import { part, type Wallet } from '../platform.ts';

/** Single records, by name. */
export interface KeyedValues {
  vault: SealedVault;
  /** The passkeys that open the vault, besides its password. */
  passkeys: Passkey[];
  session: WrappedSeed;
  publicKeys: PublicKeys;
  /** Chosen settings; the others are as in a new wallet. */
  settings: Partial<Settings>;
  account: Account;
  network: KnownNetwork;
  /** Keys that operators of the network require, by address, sealed. */
  operatorKeys: Record<string, Box>;
  rates: KnownRates;
  scan: ScanProgress;
  history: HistoryProgress;
  /**
   * The version of the wallet that a service (an origin) offers, null where it offers none or has not answered yet, and
   * when it may be asked again (milliseconds since 1970).
   */
  release: { service: string; version: string | null; nextAt: number };
  /**
   * How many more notifications of arrivals may be shown, as of when (milliseconds since 1970), and whether it was said
   * since then that there is more.
   */
  notifications: { left: number; at: number; saidMore: boolean };
  /** How far the log of applications' data is kept at the account's service. */
  appLog: AppLogState;
}

/** The store whose records a page is of, where it ends (time, id; not in it), and its oldest record. */
export type SearchPageKey = [store: 'payments' | 'receipts', time: number, id: string, time: number, id: string];

/** A record that was written since the page was made in which it lies. */
export type SearchMarkKey = ['changed', store: SearchPageKey[0], time: number, id: string];

interface Schema extends DBSchema {
  keyval: { key: string; value: KeyedValues[keyof KeyedValues] };
  addresses: { key: string; value: Address; indexes: { chain: [string, number]; free: [string, number] } };
  coins: {
    key: string;
    value: RankedCoin;
    indexes: {
      status: string;
      txid: string;
      script: string;
      rank: [string, number, number];
      height: number;
      held: [string, string];
    };
  };
  /**
   * The total of all coins, under the key `coins`, how many bytes each site keeps (wallet/baskets/room.ts), and brought
   * in of these (wallet/baskets/brought.ts), and how many the large scripts of one-satoshi coins have
   * (wallet/coins/script-room.ts). `reach` is how far the words find each chain of addresses.
   */
  totals: { key: string; value: BalanceTotals | { bytes: number } | Reach };
  /** Block headers by hash, with the chain that they belong to. */
  headers: { key: string; value: Header; indexes: { height: number } };
  /** Payments that are being quoted. */
  requests: { key: string; value: PaymentRequest; indexes: { request: [string, string] } };
  payments: {
    key: string;
    value: PaymentRecord;
    indexes: {
      request: [string, string];
      state: string;
      unfinished: number;
      createdAt: number;
      site: [string, string];
      height: number;
      input: string;
      ended: number;
      txid: string;
      reference: [string, string];
      latest: [string, number];
    };
  };
  /** Payments whose scripts or transaction are large, without these (light-payment.ts). */
  lightPayments: { key: string; value: PaymentRecord };
  receipts: {
    key: string;
    value: Receipt;
    indexes: { createdAt: number; unconfirmed: number; height: number; unasked: number };
  };
  /**
   * The searchable text of payments and receipts, many to a page (wallet/activity/search-pages.ts); marks are empty.
   */
  searchPages: { key: SearchPageKey | SearchMarkKey; value: string };
  /** Crypto operations for sites without a payment. */
  operations: { key: string; value: OperationsRecord; indexes: { createdAt: number } };
  /** Transactions that are still to be read for the activity. */
  history: { key: string; value: HistoryEntry; indexes: { order: number } };
  allowances: { key: AllowanceKey; value: Allowance };
  /** What sites ask of the user besides payments. */
  prompts: { key: [string, string]; value: Prompt };
  sites: { key: string; value: Site };
  /** Paymails that were paid or used, with the public key they had. */
  paymails: { key: string; value: KnownPaymail };
  /** Outputs that are kept for applications, in the order of keeping. */
  appOutputs: {
    key: number;
    value: AppOutput;
    indexes: {
      outpoint: string;
      place: [string, string];
      listing: string;
      tag: [string, string];
      twin: string;
      madeBy: string;
    };
  };
  /** Transactions that applications have made or brought in, in that order. */
  appActions: {
    key: number;
    value: AppAction;
    indexes: { origin: string; label: [string, string]; paymentId: string; txid: string };
  };
  /** What was found out about outputs that carry something: tokens and ordinals. */
  assets: { key: string; value: AssetRecord };
  /** What sites were permitted besides payments. */
  permissions: { key: [string, string]; value: StoredPermission };
  /** Sites whose manifest the user has answered for. */
  manifests: { key: string; value: AskedManifest };
  /** The log of applications' data: the newest entry of each key (wallet/app-log/entry.ts). */
  appLog: {
    key: string;
    value: LoggedEntry;
    indexes: { unsent: number; unapplied: number; kind: [string, number]; site: [string, string, number] };
  };
  /** The people whom the user saved. */
  contacts: { key: string; value: Contact };
  /** Pictures of paymails: a cache. */
  avatars: { key: string; value: KeptAvatar; indexes: { askedAt: number } };
}

export type Database = IDBPDatabase<Schema>;
export const STORES = [
  'keyval',
  'addresses',
  'coins',
  'requests',
  'payments',
  'receipts',
  'operations',
  'history',
  'allowances',
  'prompts',
  'sites',
  'totals',
  'headers',
  'paymails',
  'appOutputs',
  'appActions',
  'assets',
  'permissions',
  'manifests',
  'appLog',
  'contacts',
  'avatars',
  'searchPages',
  'lightPayments',
] as const;
export const DATABASE_NAME = 'service-button';

const memoryOf = part(() => ({
  opened: undefined as Promise<Database> | undefined,
  /** Whether the latest transaction about money found no room on the disk. */
  lacksRoom: false,
  writers: 0,
  writes: 0,
}));

/** Whether the disk was full when the wallet last stored something. */
export const wasDiskFull = (wallet: Wallet): boolean => memoryOf(wallet).lacksRoom;

/** Errors of the browser that mean that stored data can't be read (Indexed Database API 3.0, 2.8). */
const UNREADABLE = ['UnknownError', 'NotReadableError', 'NotFoundError', 'DataError'];

/**
 * The database, opened once per run of the service worker.
 * @throws ServiceError `wallet-outdated`: a newer version of the extension has made it; `wallet-unreadable`: it is
 *   damaged; `disk-full`
 */
export function database(wallet: Wallet): Promise<Database> {
  const memory = memoryOf(wallet);
  memory.opened ??= wallet
    .openDatabase<Schema>(DATABASE_NAME, 7, {
      upgrade(db, from, _to, tx) {
        if (from < 1) createStores(db);
        if (from < 2) addVersion2(db, tx);
        if (from < 3) db.createObjectStore('searchPages');
        if (from < 4) addVersion4(tx);
        if (from < 7) {
          db.createObjectStore('lightPayments', { keyPath: 'id' });
          void changeRecords(wallet, tx, from);
        }
      },
      blocking(_current, _blocked, event) {
        // Another page of the extension deletes the database, and would wait until the browser ends this run.
        (event.target as IDBDatabase).close();
        forget(wallet);
      },
      terminated: () => forget(wallet),
    })
    .catch((error: unknown) => {
      // Indexed Database API 3.0, 5.1: the stored version is higher than the one asked for.
      if (error instanceof Error && error.name === 'VersionError')
        throw new ServiceError('wallet-outdated', { cause: error });
      throw new ServiceError(isDiskFull(error) ? 'disk-full' : 'wallet-unreadable', { cause: error });
    });
  memory.opened.catch(() => {
    memory.opened = undefined;
  });
  return memory.opened;
}

/** Opens the database anew the next time, and reads everything from it again. */
function forget(wallet: Wallet): void {
  memoryOf(wallet).opened = undefined;
  kept(wallet).clear();
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

/** Deletes a database that can't be read. Does nothing to any other. */
export async function deleteUnreadable(wallet: Wallet): Promise<void> {
  if (await isReadable(wallet)) return;
  (await memoryOf(wallet).opened?.catch(() => undefined))?.close();
  forget(wallet);
  await wallet.deleteDatabase(DATABASE_NAME);
}

/**
 * The stores of version 1. From the first release on this stays as it is: a later version adds what it changes below,
 * each step by the stores of that version, and upgrade.test.ts opens a database of every version before.
 */
function createStores(db: Database): void {
  db.createObjectStore('keyval');
  db.createObjectStore('addresses', { keyPath: 'script' }).createIndex('chain', ['chain', 'index'], { unique: true });
  const coins = db.createObjectStore('coins', { keyPath: 'outpoint' });
  coins.createIndex('status', 'status');
  coins.createIndex('txid', 'txid');
  coins.createIndex('script', 'script');
  coins.createIndex('rank', ['status', 'tier', 'value']);
  coins.createIndex('height', 'height');
  coins.createIndex('held', ['status', 'script']);
  db.createObjectStore('totals');
  db.createObjectStore('headers', { keyPath: 'hash' }).createIndex('height', 'height');
  const requests = db.createObjectStore('requests', { keyPath: 'id' });
  requests.createIndex('request', ['origin', 'requestId'], { unique: true });
  const payments = db.createObjectStore('payments', { keyPath: 'id' });
  payments.createIndex('request', ['origin', 'requestId'], { unique: true });
  payments.createIndex('state', 'state');
  payments.createIndex('unfinished', 'unfinished');
  payments.createIndex('createdAt', 'createdAt');
  payments.createIndex('site', ['origin', 'state']);
  payments.createIndex('height', 'height');
  payments.createIndex('input', 'signed.inputs', { multiEntry: true });
  payments.createIndex('ended', 'ended.height');
  const receipts = db.createObjectStore('receipts', { keyPath: 'txid' });
  receipts.createIndex('createdAt', 'createdAt');
  receipts.createIndex('unconfirmed', 'unconfirmed');
  receipts.createIndex('height', 'height');
  receipts.createIndex('unasked', 'unasked');
  db.createObjectStore('operations', { keyPath: 'id' }).createIndex('createdAt', 'createdAt');
  db.createObjectStore('history', { keyPath: 'txid' }).createIndex('order', 'order');
  db.createObjectStore('allowances', { keyPath: ['origin', 'clientIdentifier', 'kind'] });
  db.createObjectStore('prompts', { keyPath: ['origin', 'message'] });
  db.createObjectStore('sites', { keyPath: 'origin' });
  db.createObjectStore('paymails', { keyPath: 'paymail' });
}

export type Upgrade = IDBPTransaction<Schema, ArrayLike<StoreNames<Schema>>, 'versionchange'>;

function addVersion2(db: Database, tx: Upgrade): void {
  // Transactions that applications make: found by id, and by the reference that an application finishes them with.
  const payments = tx.objectStore('payments');
  payments.createIndex('txid', 'signed.txid');
  payments.createIndex('reference', ['origin', 'action.reference']);
  // What is kept for applications.
  const appOutputs = db.createObjectStore('appOutputs', { keyPath: 'id', autoIncrement: true });
  appOutputs.createIndex('outpoint', 'outpoint', { unique: true });
  appOutputs.createIndex('listing', 'listing');
  appOutputs.createIndex('tag', 'tagListing', { multiEntry: true });
  appOutputs.createIndex('madeBy', 'madeBy');
  const appActions = db.createObjectStore('appActions', { keyPath: 'id', autoIncrement: true });
  appActions.createIndex('origin', 'origin');
  appActions.createIndex('label', 'labelKeys', { multiEntry: true });
  appActions.createIndex('paymentId', 'paymentId');
  appActions.createIndex('txid', 'txid');
  // What outputs carry.
  db.createObjectStore('assets', { keyPath: 'outpoint' });
  // The people whom the user saved.
  db.createObjectStore('contacts', { keyPath: 'id' });
  db.createObjectStore('avatars', { keyPath: 'paymail' }).createIndex('askedAt', 'askedAt');
  // What sites were permitted, and whose manifests were answered.
  db.createObjectStore('permissions', { keyPath: ['origin', 'name'] });
  db.createObjectStore('manifests', { keyPath: 'origin' });
  // The log of applications' data.
  const appLog = db.createObjectStore('appLog', { keyPath: 'key' });
  appLog.createIndex('unsent', 'unsent');
  appLog.createIndex('unapplied', 'unapplied');
  appLog.createIndex('kind', ['entry.kind', 'at']);
}

function addVersion4(tx: Upgrade): void {
  // Whom the user sent to last is found without the payments of sites.
  tx.objectStore('payments').createIndex('latest', ['origin', 'createdAt']);
  // Pages are other text now, and larger: they are made again.
  void tx.objectStore('searchPages').clear();
}

/** What later versions change in records, too. */
async function changeRecords(wallet: Wallet, tx: Upgrade, from: number): Promise<void> {
  if (from < 6) tx.objectStore('addresses').createIndex('free', ['chain', 'free']);
  try {
    if (from < 5) await addVersion5(wallet, tx);
    if (from < 6) await noteSeenAddresses(tx);
    await addLightPayments(tx);
  } catch {
    tx.abort(); // the database stays as it was
  }
}

/** What version 5 changes: what one site keeps and logs is its own, whatever others say of the same output. */
async function addVersion5(wallet: Wallet, tx: Upgrade): Promise<void> {
  const outputs = tx.objectStore('appOutputs');
  outputs.deleteIndex('outpoint');
  outputs.createIndex('outpoint', 'outpoint');
  outputs.createIndex('place', ['origin', 'outpoint'], { unique: true });
  outputs.createIndex('twin', 'twin');
  // Sites are charged by another measure (wallet/baskets/room.ts), which counts anew.
  await tx.objectStore('totals').delete(IDBKeyRange.bound('kept ', 'kept \uffff'));
  const log = tx.objectStore('appLog');
  log.createIndex('site', ['entry.kind', 'entry.origin', 'at']);
  const entries = await log.getAll();
  await log.clear();
  for (const logged of entries) {
    const [kind, about] = [logged.entry.kind, logged.key];
    // Before this version, notes of deleted data lacked the site.
    const entry = kind === 'output-gone' ? ({ kind: 'outpoint-gone', outpoint: about } as const) : logged.entry;
    await log.put({ ...logged, entry, key: keyInVersion5(about, entry) });
  }
  await logAgain(wallet, tx);
}

/** Logs what the wallet has and another site's entry of the same output or transaction had replaced. */
async function logAgain(wallet: Wallet, tx: Upgrade): Promise<void> {
  const log = tx.objectStore('appLog');
  const add = async (about: string, entry: LoggedEntry['entry']) => {
    const key = keyInVersion5(about, entry);
    if ((await log.getKey(key)) !== undefined) return;
    const version = ((await log.get(`${about} gone`))?.version ?? 0) + 1;
    await log.put({ key, entry, version, at: wallet.now(), unsent: 1 });
  };
  for (const kept of await tx.objectStore('appOutputs').getAll()) {
    const { outpoint, satoshis, basket, tags, customInstructions, origin, description, status } = kept;
    const said = { outpoint, basket, tags, customInstructions, origin, description, satoshis: satoshis.toString() };
    if (status !== 'spent' && status !== 'void') await add(outpoint, { kind: 'output', ...said });
  }
  for (const { txid, origin, description, labels, outputs, at, incoming } of await tx
    .objectStore('appActions')
    .getAll()) {
    const brought = incoming && { incoming: { ...incoming, satoshis: incoming.satoshis.toString() } };
    const said = { origin, description, labels, outputs, at, ...brought };
    if (txid !== null) await add(txid, { kind: 'action', txid, ...said });
  }
}

/** `keyOf` in wallet/app-log/entry.ts as version 5 had it. */
function keyInVersion5(about: string, entry: LoggedEntry['entry']): string {
  if (entry.kind === 'output' || entry.kind === 'action') return `${about} ${entry.kind} ${entry.origin}`;
  return `${about} ${entry.kind === 'wallet-payment' ? 'payment' : 'gone'}`;
}

/** Version 7: copies of the large payments that are there already. */
async function addLightPayments(tx: Upgrade): Promise<void> {
  const copies = tx.objectStore('lightPayments');
  // One by one: together they may be gigabytes.
  let cursor = await tx.objectStore('payments').openCursor();
  while (cursor) {
    const copy = lightCopyOf(cursor.value);
    if (copy) await copies.put(copy);
    cursor = await cursor.continue();
  }
}

/** The stores that a decision about money may change together, in one transaction. */
export type WriteTransaction = ReturnType<typeof beginTransaction>;

type PlainTransaction = ReturnType<typeof plainTransaction>;

function beginTransaction(db: Database): PlainTransaction {
  const tx = plainTransaction(db);
  return withMethods(tx, {
    objectStore: (name: (typeof tx.objectStoreNames)[number]) =>
      name === 'payments' || name === 'receipts' ? pagedStore(tx, name) : tx.objectStore(name),
  } as Partial<typeof tx>);
}

/** The stores that one decision may read or change. */
const DECIDED = [
  'requests',
  'payments',
  'receipts',
  'operations',
  'history',
  'coins',
  'totals',
  'addresses',
  'assets',
  'headers',
  'allowances',
  'prompts',
  'sites',
  'permissions',
  'manifests',
  'paymails',
  'appOutputs',
  'appActions',
  'appLog',
  'searchPages',
  'lightPayments',
] as const;

const plainTransaction = (db: Database) => db.transaction(DECIDED, 'readwrite');

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

/** The pages of a store that end after a place, the next one first. */
export function pagesAbove(store: SearchPageKey[0], { time, id }: { time: number; id: string }): IDBKeyRange {
  return IDBKeyRange.bound([store, time, id, []], [store, []], true);
}

/**
 * A store that marks each record that is written and lies in a page of what can be looked for, so that the next search looks
 * at it again, and that keeps the copies of large payments: nobody who writes one has to think of it.
 */
function pagedStore(tx: PlainTransaction, name: SearchPageKey[0]) {
  const store = tx.objectStore(name);
  const pages = tx.objectStore('searchPages');
  const copies = tx.objectStore('lightPayments');
  const mark = async (record: PaymentRecord | Receipt) => {
    const [time, id] = [record.createdAt, 'txid' in record ? record.txid : record.id];
    const page = (await pages.getKey(pagesAbove(name, { time, id }))) as SearchPageKey | undefined;
    if (page && isWithin(page, time, id)) await pages.put('', ['changed', name, time, id]);
  };
  const copy = async (record: PaymentRecord | Receipt) => {
    if ('txid' in record) return;
    const light = lightCopyOf(record);
    await (light ? copies.put(light) : copies.delete(record.id));
  };
  const writing = (write: 'put' | 'add') => (record: PaymentRecord | Receipt) => {
    const written = store[write](record as PaymentRecord & Receipt);
    // The transaction fails with them.
    mark(record).catch(() => undefined);
    copy(record).catch(() => undefined);
    return written;
  };
  const remove = async (id: string) => {
    await Promise.all([store.delete(id), ...(name === 'payments' ? [copies.delete(id)] : [])]);
  };
  return withMethods(store, { put: writing('put'), add: writing('add'), delete: remove } as Partial<typeof store>);
}

/** The same object with some methods of its own. Those of IndexedDB accept no other `this` than their object. */
function withMethods<T extends object>(target: T, own: Partial<T>): T {
  return new Proxy(target, {
    get(_, property) {
      if (Object.hasOwn(own, property)) return own[property as keyof T];
      const value: unknown = Reflect.get(target, property);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function isWithin([, , , fromTime, fromId]: SearchPageKey, time: number, id: string): boolean {
  return time > fromTime || (time === fromTime && id >= fromId);
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
    const { error: cause } = tx; // the requests of an aborted transaction don't name it
    memory.lacksRoom = isDiskFull(error) || isDiskFull(cause);
    throw memory.lacksRoom ? new ServiceError('disk-full', { cause: error }) : error;
  }
}

/**
 * Single records that every step asks for and that seldom change: kept in memory while nobody writes. None is a secret:
 * operators' keys are sealed.
 */
const KEPT: readonly (keyof KeyedValues)[] = ['settings', 'network', 'operatorKeys', 'rates', 'account', 'publicKeys'];
const kept = part(() => new Map<keyof KeyedValues, unknown>());

/** Forgets the kept ones for a transaction that may change single records, until it is over. */
export function forgetKept(wallet: Wallet, done: Promise<void>): void {
  const memory = memoryOf(wallet);
  const change = (by: number) => {
    memory.writers += by;
    memory.writes += 1;
    kept(wallet).clear();
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

/** One single record, or undefined. */
export async function readKey<K extends keyof KeyedValues>(
  wallet: Wallet,
  key: K,
): Promise<KeyedValues[K] | undefined> {
  const memory = memoryOf(wallet);
  if (kept(wallet).has(key)) return kept(wallet).get(key) as KeyedValues[K] | undefined;
  const before = memory.writes;
  const value = (await (await database(wallet)).get('keyval', key)) as KeyedValues[K] | undefined;
  // One that a writer may be changing is not kept.
  if (KEPT.includes(key) && memory.writers === 0 && memory.writes === before)
    kept(wallet).set(key, Object.freeze(value));
  return value;
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

/** Changes one single record in a transaction, so that no write in between is lost. */
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
