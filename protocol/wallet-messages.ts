/**
 * What the wallet's own windows (popup, onboarding, approval) ask of the background, by `runtime.sendMessage`.
 * A page can never reach this table: the background compares the sender's exact document path with `callers`.
 */
import * as z from 'zod/mini';
import type { ErrorCode, WireError } from './errors.ts';
import type { Network } from './address.ts';
import type { PaymentOutput, PaymentStatus } from './payment.ts';

/** The wallet's windows, named as their documents are (`extension/<name>/index.html`). */
export const WALLET_WINDOWS = ['popup', 'onboarding', 'approval'] as const;
/** One of {@link WALLET_WINDOWS}. */
export type WalletWindow = (typeof WALLET_WINDOWS)[number];

const none = z.strictObject({});
const password = z.string().check(z.minLength(1), z.maxLength(1000));
const words = z.string().check(z.minLength(1), z.maxLength(500));
const approvalId = z.string().check(z.regex(/^[A-Za-z0-9_-]{16,64}$/));
const handle = z.string().check(z.maxLength(100));
const everywhere = WALLET_WINDOWS;

/** The settings a user may change. `serviceUrl` is an origin: scheme, host and port. */
export const settingsChange = z.strictObject({
  currency: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/))),
  lockAfterMinutes: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(24 * 60))),
  theme: z.optional(z.enum(['system', 'light', 'dark'])),
  serviceUrl: z.optional(z.url({ protocol: /^https?$/ })),
});

/** The methods of the wallet's own windows: who may call, and what goes in. */
export const walletMethods = {
  'vault/status': { callers: everywhere, params: none },
  /** Twelve fresh words. Nothing is stored. */
  'vault/generate-words': { callers: ['onboarding'], params: none },
  /** Are these BIP39 words with the right checksum? */
  'vault/check-words': { callers: ['onboarding'], params: z.strictObject({ words }) },
  /** Stores the vault and unlocks it. With `restored` the wallet looks for coins of earlier. */
  'vault/create': { callers: ['onboarding'], params: z.strictObject({ words, password, restored: z.boolean() }) },
  'vault/unlock': { callers: ['popup', 'approval', 'onboarding'], params: z.strictObject({ password }) },
  'vault/lock': { callers: ['popup'], params: none },
  'account/check-handle': { callers: ['onboarding', 'popup'], params: z.strictObject({ handle }) },
  /** Registers with the service, or signs in where this key has an account already. */
  'account/register': { callers: ['onboarding', 'popup'], params: z.strictObject({ handle, name: z.string().check(z.maxLength(100)) }) },
  /** Signs in with the key; answers null where it has no account. */
  'account/sign-in': { callers: ['onboarding', 'popup'], params: none },
  'wallet/overview': { callers: ['popup', 'onboarding'], params: none },
  /** Looks for new coins and confirmations now. */
  'wallet/refresh': { callers: ['popup', 'onboarding'], params: none },
  /** On devnet: asks the faucet for this many satoshis. */
  'wallet/faucet': { callers: ['popup', 'onboarding'], params: z.strictObject({ satoshis: z.number().check(z.int(), z.minimum(1), z.maximum(100_000_000)) }) },
  'activity/list': { callers: ['popup'], params: z.strictObject({ before: z.optional(z.string().check(z.maxLength(100))), limit: z.number().check(z.int(), z.minimum(1), z.maximum(100)) }) },
  'approval/read': { callers: ['approval'], params: z.strictObject({ approvalId }) },
  /** `feeSatoshis` is the fee that stood on the screen when the user decided: no more will be paid. */
  'approval/decide': { callers: ['approval'], params: z.strictObject({ approvalId, decision: z.enum(['pay', 'refuse']), feeSatoshis: z.optional(z.string().check(z.regex(/^\d{1,16}$/))) }) },
  'settings/read': { callers: everywhere, params: none },
  'settings/change': { callers: ['popup', 'onboarding'], params: settingsChange },
} as const;

/** The name of a method of the wallet's windows. */
export type WalletMethod = keyof typeof walletMethods;
/** What goes into one. */
export type WalletParams<M extends WalletMethod> = z.infer<(typeof walletMethods)[M]['params']>;

/** What comes out of each. */
export interface WalletResults {
  'vault/status': { exists: boolean; locked: boolean; lockAt: number | null };
  'vault/generate-words': { words: string };
  'vault/check-words': { valid: boolean };
  'vault/create': null;
  'vault/unlock': null;
  'vault/lock': null;
  'account/check-handle': { available: boolean; problem: ErrorCode | null };
  'account/register': Account;
  'account/sign-in': Account | null;
  'wallet/overview': Overview;
  'wallet/refresh': null;
  'wallet/faucet': { txid: string };
  'activity/list': { items: ActivityItem[]; more: boolean };
  'approval/read': ApprovalView;
  'approval/decide': null;
  'settings/read': Settings;
  'settings/change': Settings;
}

/** The background's answer: exactly one of `result` and `error`. */
export type WalletReply<M extends WalletMethod = WalletMethod> = { result: WalletResults[M] } | { error: WireError };

/** The user's account at the service. */
export interface Account {
  id: string;
  handle: string;
  paymail: string;
  name: string;
}

/** What one BSV costs: decimal text in `currency`, and when that was known (milliseconds since 1970). */
export interface Rate {
  currency: string;
  price: string;
  time: number;
}

/** The popup's first page. Satoshis are whole numbers as text. */
export interface Overview {
  network: Network;
  account: Account | null;
  /** Everything spendable now, unconfirmed change and receipts included. */
  satoshis: string;
  /** The part of `satoshis` that no checked block holds yet. */
  unconfirmedSatoshis: string;
  /** The next unused receiving address. */
  receiveAddress: string;
  rate: Rate | null;
  /** A scan for coins of a restored wallet is under way: addresses looked at, coins found. */
  scan: { addresses: number; coins: number } | null;
  /** What keeps the wallet from being up to date, if anything. */
  problem: WireError | null;
}

/** States of a payment inside the wallet. */
export const PAYMENT_STATES = ['requested', 'approved', 'signed', 'broadcast', 'settled', 'refused', 'failed'] as const;
/** One of {@link PAYMENT_STATES}. */
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** One row of the activity. Satoshis are whole numbers as text, `time` is milliseconds since 1970. */
export interface ActivityItem {
  id: string;
  direction: 'sent' | 'received';
  /** The site that asked, for what a page's button paid. */
  origin: string | null;
  /** Who was paid, or the address that received. */
  counterparty: string;
  satoshis: string;
  feeSatoshis: string | null;
  /** As it was asked for. */
  amount: string | null;
  currency: string | null;
  status: PaymentStatus;
  statusDescription: string | null;
  txid: string | null;
  time: number;
}

/** What the approval window shows. Only `origin` and what the wallet worked out itself is sure. */
export interface ApprovalView {
  /** The origin that asks, as the browser gave it. */
  origin: string;
  locked: boolean;
  network: Network;
  outputs: PaymentOutput[];
  /** What is written to the chain besides payments: its text where it is UTF-8, else hex; size in bytes. */
  data: { text: string | null; hex: string; bytes: number } | null;
  amount: string;
  currency: string;
  satoshis: string;
  /** Null where `problem` stands in the way. */
  feeSatoshis: string | null;
  totalSatoshis: string | null;
  /** The user's own currency, and what it costs. */
  rate: Rate | null;
  balanceSatoshis: string;
  /** Why it cannot be paid as things stand, for example too little money. */
  problem: WireError | null;
}

/** What the user chose. */
export interface Settings {
  network: Network;
  serviceUrl: string;
  currency: string;
  lockAfterMinutes: number;
  theme: 'system' | 'light' | 'dark';
}

/** Name of the BroadcastChannel on which the background tells its windows that something changed (no content). */
export const CHANGES = 'service-button-changes';

