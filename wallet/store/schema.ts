/** The stores of the wallet's database and the shapes of their records. docs/storage.md describes them. */
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
import type { KnownRates } from '../chain/agreement.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import type { Site } from '../sites/site.ts';
import type { AnsweredManifest, StoredPermission } from '../permissions/permission.ts';
import type { KeptAvatar } from '../avatars/kept-avatar.ts';
import type { KnownPaymail } from '../paymail/paid-host.ts';
import type { Prompt } from '../prompts/prompt.ts';
import type { KnownNetwork } from '../chain/network-info.ts';
import type { Address, Reach } from '../coins/addresses/address.ts';
import type { HistoryProgress, ScanProgress } from '../scan/history/progress.ts';

/** Single records, by name. */
export interface KeyedValues {
  vault: SealedVault;
  /** The passkeys that open the vault, in addition to its password. */
  passkeys: Passkey[];
  session: WrappedSeed;
  publicKeys: PublicKeys;
  /** Changed settings. The others are as in a new wallet. */
  settings: Partial<Settings>;
  account: Account;
  network: KnownNetwork;
  /** Keys that the network's operators require, by address, sealed. */
  operatorKeys: Record<string, Box>;
  rates: KnownRates;
  scan: ScanProgress;
  history: HistoryProgress;
  /**
   * The version of the wallet that a service (an origin) offers, null if it offers none or has not responded yet, and
   * when it may be queried again (milliseconds since 1970).
   */
  release: { service: string; version: string | null; nextAt: number };
  /**
   * Number of notifications of arrivals that may still be shown, as of a time (milliseconds since 1970), and whether
   * the summary has been shown since.
   */
  notifications: { left: number; at: number; saidMore: boolean };
  /** How far the log of applications' data is stored at the account's service. */
  appLog: AppLogState;
}

/** Sums, by key. They change in the same transactions as the records that they count. */
export interface Totals {
  coins: BalanceTotals;
  /** How far the words find each chain of addresses. */
  reach: Reach;
  /** How many bytes the large scripts of one-satoshi coins have (wallet/coins/records.ts). */
  scripts: { bytes: number };
  /** How many bytes a site keeps (wallet/baskets/room.ts). */
  [kept: `kept ${string}`]: { bytes: number };
  /** How many of these it brought in, and the row up to which all are forgotten (wallet/baskets/brought.ts). */
  [brought: `brought ${string}`]: { bytes: number; forgotten?: number };
}

/** The store whose records a page is of, where it ends (time, id; not in it), and its oldest record. */
export type SearchPageKey = [store: 'payments' | 'receipts', time: number, id: string, time: number, id: string];

/** A record that was written since its page was made. */
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
  /** Payments with large scripts or transactions, without these (light-payment.ts). */
  lightPayments: { key: string; value: PaymentRecord };
  receipts: {
    key: string;
    value: Receipt;
    indexes: { createdAt: number; unconfirmed: number; height: number; unasked: number };
  };
  /** The searchable text of payments and receipts, many per page (wallet/activity/search-pages.ts); marks are empty. */
  searchPages: { key: SearchPageKey | SearchMarkKey; value: string };
  /** Crypto operations for sites without a payment. */
  operations: { key: string; value: OperationsRecord; indexes: { createdAt: number } };
  /** Transactions that have yet to be read for the activity. */
  history: { key: string; value: HistoryEntry; indexes: { order: number } };
  allowances: { key: AllowanceKey; value: Allowance };
  /** Sites' prompts other than payments. */
  prompts: { key: [string, string]; value: Prompt };
  sites: { key: string; value: Site };
  /** Paymails that were paid or saved, with their public key at the time. */
  paymails: { key: string; value: KnownPaymail };
  /** Outputs that are kept for applications, in order of creation. */
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
  /** Findings about outputs that carry tokens or ordinals. */
  assets: { key: string; value: AssetRecord };
  /** Sites' permissions other than allowances. */
  permissions: { key: [string, string]; value: StoredPermission };
  /** Sites whose manifest the user has answered for. */
  manifests: { key: string; value: AnsweredManifest };
  /** The log of applications' data: the newest entry of each key (wallet/app-log/entry.ts). */
  appLog: {
    key: string;
    value: LoggedEntry;
    indexes: { unsent: number; unapplied: number; kind: [string, number]; site: [string, string, number] };
  };
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
