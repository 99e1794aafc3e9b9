/** The database's stores and record types, described in docs/storage.md. */
import type { DBSchema, IDBPDatabase } from 'idb';
import type { Account, Settings } from '../../protocol/messages/wallet-messages.ts';
import type { LoggedEntry } from '../app-log/entry.ts';
import type { AppLogState } from '../app-log/state.ts';
import type { AssetRecord } from '../assets/asset-record.ts';
import type { AppAction } from '../baskets/app-action.ts';
import type { AppOutput } from '../baskets/app-output.ts';
import type { Allowance, AllowanceKey } from '../allowances/allowance.ts';
import type { HistoryEntry } from '../coins/history-entry.ts';
import type { Header } from '../chain/headers/header.ts';
import type { RankedCoin, BalanceTotals } from '../coins/coin.ts';
import type { Contact } from '../contacts/contact.ts';
import type { OperationsRecord } from '../crypto-operations/operations-record.ts';
import type { PaymentRecord, PaymentRequest } from '../payments/record.ts';
import type { PublicKeys } from '../keys/keys.ts';
import type { Passkey } from '../vault/passkey.ts';
import type { Box, SealedVault, WrappedSeed } from '../vault/seal.ts';
import type { KnownRates } from '../chain/known-rates.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import type { Site } from '../sites/site.ts';
import type { AnsweredManifest, StoredPermission } from '../permissions/permission.ts';
import type { CachedAvatar } from '../avatars/kept-avatar.ts';
import type { KnownPaymail } from '../paymail/paid-host.ts';
import type { Prompt } from '../prompts/prompt.ts';
import type { KnownNetwork } from '../chain/network-info.ts';
import type { Address, Reach } from '../coins/addresses/address.ts';
import type { HistoryProgress, ScanProgress } from '../scan/history/progress.ts';

/** Values in `keyval`, by key. */
export interface KeyedValues {
  vault: SealedVault;
  passkeys: Passkey[];
  session: WrappedSeed;
  publicKeys: PublicKeys;
  /** The settings that the user has changed. All other settings have their default values. */
  settings: Partial<Settings>;
  account: Account;
  network: KnownNetwork;
  /** Operators' API keys by URL, encrypted. */
  operatorKeys: Record<string, Box>;
  rates: KnownRates;
  scan: ScanProgress;
  history: HistoryProgress;
  /**
   * The wallet version offered by a service (null if none or not known yet), the service's origin, and when to query it
   * again (milliseconds since 1970).
   */
  release: { service: string; version: string | null; nextAt: number };
  /**
   * Rate limit for notifications: how many may still be shown, when this number was computed (milliseconds since 1970),
   * and whether the summary has been shown since.
   */
  notifications: { left: number; at: number; saidMore: boolean };
  appLog: AppLogState;
}

/** Totals by key. Each total changes in the same transaction as the records that it counts. */
export interface Totals {
  coins: BalanceTotals;
  /** The last address per chain that a restore from the recovery words would find. */
  reach: Reach;
  /** Size of large scripts in one-satoshi coins (wallet/coins/records.ts). */
  scripts: { bytes: number };
  /** Size of a site's data (wallet/baskets/site-quota.ts). */
  [kept: `kept ${string}`]: { bytes: number };
  /** Size of a site's unfinished actions (`unfinishedBytes` in wallet/payments/record.ts). */
  [unfinished: `unfinished ${string}`]: { bytes: number };
  /**
   * Size of a site's internalized actions, and the ID up to which actions have been deleted
   * (wallet/baskets/brought.ts).
   */
  [brought: `brought ${string}`]: { bytes: number; forgotten?: number };
}

/**
 * Identifies a search page: its store, its exclusive end (time, ID), and the position of its oldest record (time, ID).
 */
export type SearchPageKey = [store: 'payments' | 'receipts', time: number, id: string, time: number, id: string];

/** Marks a record that was written after its page was built. */
export type SearchMarkKey = ['changed', store: SearchPageKey[0], time: number, id: string];

export interface Schema extends DBSchema {
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
  totals: { key: string; value: Totals[keyof Totals] };
  /** Block headers by hash: the followed chain and blocks of older coins. */
  headers: { key: string; value: Header; indexes: { height: number } };
  /** Payments being quoted. */
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
  /** Copies of large payments, without their scripts and transactions (write-transaction.ts). */
  lightPayments: { key: string; value: PaymentRecord };
  receipts: {
    key: string;
    value: Receipt;
    indexes: { createdAt: number; unconfirmed: number; height: number; unasked: number };
  };
  /**
   * Searchable text of payments and receipts, many per page (wallet/activity/search-pages.ts). A mark has an empty
   * value.
   */
  searchPages: { key: SearchPageKey | SearchMarkKey; value: string };
  /** Sites' crypto operations without a payment. */
  operations: { key: string; value: OperationsRecord; indexes: { createdAt: number } };
  /** Transactions to be read for the activity. */
  history: { key: string; value: HistoryEntry; indexes: { order: number } };
  allowances: { key: AllowanceKey; value: Allowance };
  /** Sites' prompts other than payment prompts. */
  prompts: { key: [string, string]; value: Prompt };
  sites: { key: string; value: Site };
  /** Paid or saved paymails, with the public keys that they had when last paid or saved. */
  paymails: { key: string; value: KnownPaymail };
  /** Outputs in applications' baskets, in order of creation. */
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
  /** Transactions created or internalized by applications, in order of creation. */
  appActions: {
    key: number;
    value: AppAction;
    indexes: { origin: string; label: [string, string]; paymentId: string; txid: string };
  };
  /** Data about outputs with tokens or ordinals. */
  assets: { key: string; value: AssetRecord };
  /** Sites' permissions other than allowances. */
  permissions: { key: [string, string]; value: StoredPermission };
  /** Sites' manifests that the user has decided on. */
  manifests: { key: string; value: AnsweredManifest };
  /** The log of applications' data: the latest entry per key (wallet/app-log/entry.ts). */
  appLog: {
    key: string;
    value: LoggedEntry;
    indexes: { unsent: number; unapplied: number; kind: [string, number]; site: [string, string, number] };
  };
  contacts: { key: string; value: Contact };
  avatars: { key: string; value: CachedAvatar; indexes: { askedAt: number } };
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
