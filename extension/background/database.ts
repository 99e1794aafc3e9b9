/**
 * The wallet's one IndexedDB database. docs/storage.md lists every key of it and a test holds the two together.
 * Whatever must change together changes in one transaction of this database.
 */
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { Account, Rate, Settings } from '../../protocol/wallet-messages.ts';
import type { Address } from './coins/addresses.ts';
import type { Coin } from './coins/coin.ts';
import type { PaymentRecord } from './payment/record.ts';
import type { PublicKeys } from './vault/keys.ts';
import type { SealedVault } from './vault/seal.ts';
import type { WrappedSeed } from './vault/session.ts';
import type { NetworkInfo } from './chain/network.ts';
import type { Receipt } from './coins/receipt.ts';

/** Single records, by name. */
export interface KeyedValues {
  vault: SealedVault;
  session: WrappedSeed;
  publicKeys: PublicKeys;
  settings: Settings;
  account: Account;
  network: NetworkInfo;
  rates: Rate[];
  scan: { addresses: number; coins: number; done: boolean; sweptAt: number };
}

interface Schema extends DBSchema {
  keyval: { key: string; value: KeyedValues[keyof KeyedValues] };
  addresses: { key: string; value: Address; indexes: { chain: [string, number] } };
  coins: { key: string; value: Coin; indexes: { status: string; txid: string; script: string } };
  payments: { key: string; value: PaymentRecord; indexes: { request: [string, string]; state: string; unfinished: number; createdAt: number } };
  receipts: { key: string; value: Receipt; indexes: { createdAt: number; unconfirmed: number } };
}

/** The open database. */
export type Database = IDBPDatabase<Schema>;
/** Names of its stores. */
export const STORES = ['keyval', 'addresses', 'coins', 'payments', 'receipts'] as const;
/** Name of the database. */
export const DATABASE_NAME = 'service-button';

let opened: Promise<Database> | undefined;

/** The database, opened once per life of the service worker. */
export function database(): Promise<Database> {
  opened ??= openDB<Schema>(DATABASE_NAME, 1, {
    upgrade(db) {
      db.createObjectStore('keyval');
      db.createObjectStore('addresses', { keyPath: 'script' }).createIndex('chain', ['chain', 'index'], { unique: true });
      const coins = db.createObjectStore('coins', { keyPath: 'outpoint' });
      coins.createIndex('status', 'status');
      coins.createIndex('txid', 'txid');
      coins.createIndex('script', 'script');
      const payments = db.createObjectStore('payments', { keyPath: 'id' });
      payments.createIndex('request', ['origin', 'requestId'], { unique: true });
      payments.createIndex('state', 'state');
      payments.createIndex('unfinished', 'unfinished');
      payments.createIndex('createdAt', 'createdAt');
      const receipts = db.createObjectStore('receipts', { keyPath: 'txid' });
      receipts.createIndex('createdAt', 'createdAt');
      receipts.createIndex('unconfirmed', 'unconfirmed');
    },
    terminated() {
      opened = undefined;
    },
  });
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
}

/** One single record, or undefined. */
export async function readKey<K extends keyof KeyedValues>(key: K): Promise<KeyedValues[K] | undefined> {
  return (await (await database()).get('keyval', key)) as KeyedValues[K] | undefined;
}

/** Writes one single record. */
export async function writeKey<K extends keyof KeyedValues>(key: K, value: KeyedValues[K]): Promise<void> {
  await (await database()).put('keyval', value, key);
}

/** Removes one single record. */
export async function deleteKey(key: keyof KeyedValues): Promise<void> {
  await (await database()).delete('keyval', key);
}
