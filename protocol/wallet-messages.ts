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

const money = z.string().check(z.minLength(1), z.maxLength(40));
const period = z.enum(['day', 'week', 'month']);
const token = z.string().check(z.regex(/^[A-Za-z0-9_-]{16,64}$/));
const origin = z.string().check(z.maxLength(2000));
/** What an allowance is to be: decimal amounts in `currency`, the most for one period and, where set, for one payment. */
const allowanceTerms = z.strictObject({
  amount: money,
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
  period,
  perPayment: z.nullable(money),
});
/** See {@link allowanceTerms}. */
export type AllowanceTerms = z.infer<typeof allowanceTerms>;
/** For how many hours a site can be blocked. */
const blockHours = z.literal([1, 24]);

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
  /**
   * `pay` a payment, giving its site the allowance `grant` along with it; `grant` an allowance that a site asked for; or
   * `refuse` either, and block the site for `blockHours`. `feeSatoshis` is the fee that stood on the screen when the user
   * decided: no more will be paid.
   */
  'approval/decide': {
    callers: ['approval'],
    params: z.strictObject({
      approvalId, decision: z.enum(['pay', 'grant', 'refuse']), feeSatoshis: z.optional(z.string().check(z.regex(/^\d{1,16}$/))),
      grant: z.optional(allowanceTerms), blockHours: z.optional(blockHours),
    }),
  },
  /** Sites that have an allowance, are blocked, or were refused lately. */
  'sites/list': { callers: ['popup'], params: none },
  /** Gives an allowance other terms; its currency stays. */
  'sites/change': { callers: ['popup'], params: z.strictObject({ token, amount: money, period, perPayment: z.nullable(money) }) },
  'sites/revoke': { callers: ['popup'], params: z.strictObject({ token }) },
  'sites/block': { callers: ['popup'], params: z.strictObject({ origin, hours: z.nullable(blockHours) }) },
  'sites/unblock': { callers: ['popup'], params: z.strictObject({ origin }) },
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
  'approval/read': ApprovalView | AllowanceAskView;
  'approval/decide': null;
  'sites/list': { sites: SiteView[] };
  'sites/change': null;
  'sites/revoke': null;
  'sites/block': null;
  'sites/unblock': null;
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

/** An allowance as the user set it and as it stands. Amounts are decimal text in `currency`, times milliseconds since 1970. */
export interface AllowanceView {
  token: string;
  /** The page's own name of its application; '' where it gave none. */
  clientIdentifier: string;
  /** For payments that the page makes by itself; else for payments that a person swipes. */
  automatic: boolean;
  currency: string;
  limit: string;
  perPayment: string | null;
  period: AllowanceTerms['period'];
  spent: string;
  left: string;
  resetsAt: number;
  /** Since the site was first given one in this currency. */
  totalSpent: string;
  payments: number;
  createdAt: number;
  usedAt: number | null;
}

/** What the wallet knows of one site, by its full origin. Times are milliseconds since 1970. */
export interface SiteView {
  origin: string;
  allowances: AllowanceView[];
  /** When the user last refused it something. */
  refusedAt: number | null;
  /** `for-good`: until the user unblocks it; null where it is not blocked. */
  blockedUntil: number | 'for-good' | null;
}

/** What stands in every window that asks the user something for a site. */
interface AskingView {
  /** The origin that asks, as the browser gave it. */
  origin: string;
  locked: boolean;
  network: Network;
  /** The page's own name of its application; '' where it gave none. */
  clientIdentifier: string;
  /** What an allowance can be in: the user's own currency, where its price is known, and BSV. */
  allowanceRates: Rate[];
  /** The user refused this site twice within a minute: blocking it is offered. */
  mayBlock: boolean;
}

/** What the window shows in which a site asks for an allowance for automatic payments. */
export interface AllowanceAskView extends AskingView {
  kind: 'allowance';
  /** What the page would like, and what is of no use to it below. Its word alone. */
  suggested: { amount: string; currency: string } | null;
  minimum: { amount: string; currency: string } | null;
  /** The allowance that it has: a new one takes its place. */
  current: AllowanceView | null;
}

/** What the approval window shows. Only `origin` and what the wallet worked out itself is sure. */
export interface ApprovalView extends AskingView {
  kind: 'payment';
  /** The page asks to pay by itself: an allowance given here is for that. */
  automatic: boolean;
  /** The allowance for such payments, if there is one, and why this payment is not made from it (null: no hand asked for it). */
  allowance: (AllowanceView & { short: 'too-much-at-once' | 'used-up' | null }) | null;
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

