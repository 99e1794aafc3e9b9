/**
 * What the wallet's own windows (popup, onboarding, approval) ask of the background, by `runtime.sendMessage`.
 * A page can never reach this table: the background compares the sender's exact document path with `callers`.
 */
import * as z from 'zod/mini';
import type { Connection } from './api-v2.ts';
import type { ErrorCode, WireError } from './errors.ts';
import { NETWORKS, type Network } from './address.ts';
import { MAX_CONTACT_NAME, MAX_GROUPED, MAX_NOTE_LENGTH, MAX_OUTPUTS, MAX_PAYMAIL } from './limits.ts';
import type { Metadata } from './metadata.ts';
import type { Permission } from './permission.ts';
import {
  currencyCode,
  PAYMENT_STATUSES,
  RECIPIENT_KINDS,
  requestId,
  type CryptoMethod,
  type CryptoResult,
  type PaymentOutput,
  type PaymentStatus,
} from './payment.ts';

/** The wallet's windows, named as their documents are (`extension/<name>/index.html`). */
export const WALLET_WINDOWS = ['popup', 'onboarding', 'approval'] as const;
/** One of {@link WALLET_WINDOWS}. */
export type WalletWindow = (typeof WALLET_WINDOWS)[number];

/** Languages of the wallet's windows (BCP 47). */
export const LANGUAGE_CODES = ['en', 'de', 'es', 'fr', 'pt', 'ja', 'ar'] as const;

const none = z.strictObject({});
const password = z.string().check(z.minLength(1), z.maxLength(1000));
const words = z.string().check(z.minLength(1), z.maxLength(500));
/** Base64url of a WebAuthn credential's id: at most 1023 bytes (Web Authentication 3, 4). */
const passkeyId = z.string().check(z.regex(/^[\w-]{1,1364}$/));
/**
 * What a passkey's PRF gave: 32 bytes, as numbers, which can be overwritten once they were used. Half of a secret: it is
 * never stored, logged or put into an error.
 */
const passkeyOutput = z.array(z.number().check(z.int(), z.minimum(0), z.maximum(255))).check(z.length(32));
const approvalId = z.string().check(z.regex(/^[A-Za-z0-9_-]{16,64}$/));
const handle = z.string().check(z.maxLength(100));
const everywhere = WALLET_WINDOWS;

const money = z.string().check(z.minLength(1), z.maxLength(40));
const period = z.enum(['day', 'week', 'month']);
const token = z.string().check(z.regex(/^[A-Za-z0-9_-]{16,64}$/));
const origin = z.string().check(z.maxLength(2000));
/**
 * What an allowance is to be: decimal amounts in `currency`, the most for one period and, where set, for one payment.
 */
const allowanceTerms = z.strictObject({
  amount: money,
  currency: currencyCode,
  period,
  perPayment: z.nullable(money),
  /**
   * What one BSV cost in `currency` and in dollars by the rate on the screen: it fixes the ceiling. Null where that is
   * not known, and for BSV.
   */
  rate: z.nullable(z.strictObject({ price: money, dollar: money })),
});
/** See {@link allowanceTerms}. */
export type AllowanceTerms = z.infer<typeof allowanceTerms>;
/** The base of an interface of the network. The background takes it apart and checks it. */
const interfaceUrl = z.nullable(z.string().check(z.maxLength(500)));
const satoshis = z.string().check(z.regex(/^\d{1,16}$/));
const recipient = z.string().check(z.minLength(1), z.maxLength(20_000));
/** A recipient as the user typed it, and what it gets: decimal text in `currency`, or null for all that is left. */
const sendRecipient = z.strictObject({ to: recipient, amount: z.nullable(money), currency: currencyCode });
/** See {@link sendRecipient}. */
export type SendRecipient = z.infer<typeof sendRecipient>;
/**
 * A recipient and what exactly it gets. `satoshis` is what counts; `amount` is what was typed, or what all that is left
 * is worth.
 */
const sendOutput = z.strictObject({
  type: z.enum(RECIPIENT_KINDS),
  to: recipient,
  amount: money,
  currency: currencyCode,
  satoshis,
});
/** See {@link sendOutput}. */
export type SendOutput = z.infer<typeof sendOutput>;
const contactId = z.string().check(z.minLength(1), z.maxLength(2000));
const avatarOf = z.strictObject({ paymail: z.string().check(z.minLength(1), z.maxLength(320)) });
/** For how many hours a site can be blocked. */
const blockHours = z.literal([1, 24]);

const time = z.number().check(z.int(), z.minimum(0));
/**
 * Selects rows of the activity: those that match every given part. Each word of `search` must occur in the site, a
 * recipient, an address, the transaction id, an amount or the data. Times are milliseconds since 1970, from `from` on
 * and before `to`.
 */
const activityFilter = z.strictObject({
  search: z.optional(z.string().check(z.maxLength(100))),
  direction: z.optional(z.enum(['sent', 'received'])),
  status: z.optional(z.enum(PAYMENT_STATUSES)),
  from: z.optional(time),
  to: z.optional(time),
});
/** See {@link activityFilter}. */
export type ActivityFilter = z.infer<typeof activityFilter>;
/** Where to read on: what an earlier answer gave as `before`. */
const before = z.optional(z.string().check(z.regex(/^\d{1,16}\/[A-Za-z0-9-]{1,80}$/)));

/** The settings a user may change. `serviceUrl` is an origin: scheme, host and port. */
export const settingsChange = z.strictObject({
  currency: z.optional(currencyCode),
  lockAfterMinutes: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(24 * 60))),
  theme: z.optional(z.enum(['system', 'light', 'dark'])),
  language: z.optional(z.enum(['system', ...LANGUAGE_CODES])),
  notify: z.optional(z.boolean()),
  singleKeys: z.optional(z.boolean()),
  serviceUrl: z.optional(z.string().check(z.maxLength(2000))),
  /** The wallet is to have no account at a service: the one that it knows is forgotten here. */
  noAccount: z.optional(z.boolean()),
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
  /** Opens the vault with what a passkey gave instead of the password. */
  'vault/unlock-with-passkey': {
    callers: ['popup', 'approval'],
    params: z.strictObject({ id: passkeyId, output: passkeyOutput }),
  },
  /** The passkeys that open the vault: also while it is locked, because they are needed to unlock it. */
  'passkeys/list': { callers: ['popup', 'approval'], params: none },
  /** Lets a fresh passkey open the vault. `salt` is what its PRF was asked for: base64url of 32 random bytes. */
  'passkeys/add': {
    callers: ['popup'],
    params: z.strictObject({
      password,
      id: passkeyId,
      salt: z.string().check(z.regex(/^[\w-]{43}$/)),
      name: z.string().check(z.minLength(1), z.maxLength(60)),
      output: passkeyOutput,
    }),
  },
  /** Lets a passkey open the vault no more. Only while the wallet is unlocked. */
  'passkeys/remove': { callers: ['popup'], params: z.strictObject({ id: passkeyId }) },
  /** Rejects where it is not the wallet's password. Nothing is opened. */
  'vault/check-password': { callers: ['popup'], params: z.strictObject({ password }) },
  'vault/lock': { callers: ['popup'], params: none },
  /** The recovery words, for the password: also while the wallet is unlocked. */
  'vault/show-words': { callers: ['popup'], params: z.strictObject({ password }) },
  'vault/change-password': { callers: ['popup'], params: z.strictObject({ password, newPassword: password }) },
  /** Tries to send payments that are signed and that the network has not taken. */
  'vault/send-unsent': { callers: ['popup'], params: none },
  /**
   * Removes the wallet from this browser with everything that belongs to it. Without a password only while it is
   * locked.
   * `leaving` is how many unsent payments stood on the screen: no more are given up.
   */
  'vault/remove': {
    callers: ['popup'],
    params: z.strictObject({ password: z.nullable(password), leaving: z.number().check(z.int(), z.minimum(0)) }),
  },
  /** The site whose page asked for a wallet, if that page is still open. */
  'onboarding/client': { callers: ['onboarding'], params: none },
  /** Brings that page to the front. */
  'onboarding/return': { callers: ['onboarding'], params: none },
  'account/check-handle': { callers: ['onboarding', 'popup'], params: z.strictObject({ handle }) },
  /** Registers with the service, or signs in where this key has an account already. */
  'account/register': {
    callers: ['onboarding', 'popup'],
    params: z.strictObject({ handle, name: z.string().check(z.maxLength(100)) }),
  },
  /** Signs in with the key; answers null where it has no account. */
  'account/sign-in': { callers: ['onboarding', 'popup'], params: none },
  /** The applications that the account is connected to, as its service lists them. */
  'connections/list': { callers: ['popup'], params: none },
  /** Ends an application's access to the account. */
  'connections/remove': { callers: ['popup'], params: z.strictObject({ id: z.uuid() }) },
  'wallet/overview': { callers: ['popup', 'onboarding'], params: none },
  /** Looks for new coins and confirmations now: on `all` addresses, or where they are likely. */
  'wallet/refresh': {
    callers: ['popup', 'onboarding', 'approval'],
    params: z.strictObject({ all: z.optional(z.boolean()) }),
  },
  /**
   * A window is open: for half a minute from now the wallet hears at once of what arrives. Asked again while it stays
   * open.
   */
  'wallet/listen': { callers: ['popup'], params: none },
  /** On devnet: asks the faucet for this many satoshis. */
  'wallet/faucet': {
    callers: ['popup', 'onboarding', 'approval'],
    params: z.strictObject({ satoshis: z.number().check(z.int(), z.minimum(1), z.maximum(100_000_000)) }),
  },
  /** Rows of the activity, newest first. One question looks at a bounded number of records. */
  'activity/list': {
    callers: ['popup'],
    params: z.extend(activityFilter, { before, limit: z.number().check(z.int(), z.minimum(1), z.maximum(100)) }),
  },
  /** Everything about one row. */
  'activity/read': {
    callers: ['popup'],
    params: z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(100)) }),
  },
  /**
   * Spends a coin of a payment that the network does not take, so that it can never be mined. `feeSatoshis` is the most
   * that this may cost.
   */
  'activity/cancel': {
    callers: ['popup'],
    params: z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(100)), feeSatoshis: satoshis }),
  },
  /** Replaces the user's own note on a payment; an empty one removes it. */
  'activity/note': {
    callers: ['popup'],
    params: z.strictObject({
      id: z.string().check(z.minLength(1), z.maxLength(100)),
      note: z.string().check(z.maxLength(MAX_NOTE_LENGTH)),
    }),
  },
  /** Rows as they are exported, a page at a time. */
  'activity/export': { callers: ['popup'], params: z.extend(activityFilter, { before }) },
  /** Whom the user has sent to from the wallet's own window: the latest first, each once. */
  'send/recents': { callers: ['popup'], params: none },
  /** The people whom the user saved, by name. */
  'contacts/list': { callers: ['popup'], params: none },
  /**
   * Saves a contact, in place of `id` where it is given: a paymail, user ID or address, and the user's own name for it. One
   * with the same recipient is replaced. Its host is asked for its key, where the wallet does not know it.
   */
  'contacts/save': {
    callers: ['popup'],
    params: z.strictObject({
      id: z.nullable(contactId),
      to: z.string().check(z.minLength(1), z.maxLength(MAX_PAYMAIL)),
      name: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_CONTACT_NAME)),
    }),
  },
  'contacts/remove': { callers: ['popup'], params: z.strictObject({ id: contactId }) },
  /** What sending would cost now. One recipient at most gets all that is left. Works while the wallet is locked. */
  'send/quote': {
    callers: ['popup'],
    params: z.strictObject({
      recipients: z.array(sendRecipient).check(
        z.minLength(1),
        z.maxLength(MAX_OUTPUTS),
        z.refine((all) => all.filter(({ amount }) => amount === null).length <= 1),
      ),
    }),
  },
  /**
   * Pays exactly the quoted satoshis and at most the quoted fee. `time` is the quote's; `requestId` is random, created
   * by the window: a repeated request with it is the same payment. `note` is the user's own: it stays in the wallet.
   */
  'send/pay': {
    callers: ['popup'],
    params: z.strictObject({
      requestId,
      outputs: z.array(sendOutput).check(z.minLength(1), z.maxLength(MAX_OUTPUTS)),
      feeSatoshis: satoshis,
      time,
      note: z.optional(z.string().check(z.maxLength(MAX_NOTE_LENGTH))),
    }),
  },
  /** The picture of a paymail as far as the wallet keeps it: nobody is asked. */
  'avatars/kept': { callers: ['popup', 'approval'], params: avatarOf },
  /** The same; the user's service is asked where none is kept. Only of whom the user pays or is paid by. */
  'avatars/fetch': { callers: ['popup'], params: avatarOf },
  'approval/read': { callers: ['approval'], params: z.strictObject({ approvalId }) },
  /**
   * `pay` a payment, giving its site the allowance `grant` along with it; `grant` an allowance that a site requested;
   * `sign` in to a site, register there, or sign or decrypt what a site requests; `permit` what a site may do from then
   * on, of several the `permitted` ones by their places; `unlock` for a site; or `refuse` any of these, and block the
   * site for `blockHours`. `feeSatoshis` is the fee that was on screen when the user decided: no more will be paid.
   */
  'approval/decide': {
    callers: ['approval'],
    params: z.strictObject({
      approvalId,
      decision: z.enum(['pay', 'grant', 'sign', 'permit', 'unlock', 'refuse']),
      feeSatoshis: z.optional(z.string().check(z.regex(/^\d{1,16}$/))),
      grant: z.optional(allowanceTerms),
      permitted: z.optional(z.array(z.number().check(z.int(), z.minimum(0))).check(z.maxLength(MAX_GROUPED))),
      blockHours: z.optional(blockHours),
    }),
  },
  /** Sites that have an allowance or a permission, are blocked, or were refused lately. */
  'sites/list': { callers: ['popup'], params: none },
  /** Gives an allowance other terms; its currency stays. */
  'sites/change': { callers: ['popup'], params: z.omit(z.extend(allowanceTerms, { token }), { currency: true }) },
  /** What an allowance's currency costs now. */
  'sites/rate': { callers: ['popup'], params: z.strictObject({ currency: currencyCode }) },
  'sites/revoke': { callers: ['popup'], params: z.strictObject({ token }) },
  /** Takes one permission of a site back, or all of them (null). */
  'sites/forbid': {
    callers: ['popup'],
    params: z.strictObject({ origin, name: z.nullable(z.string().check(z.maxLength(1000))) }),
  },
  'sites/block': { callers: ['popup'], params: z.strictObject({ origin, hours: z.nullable(blockHours) }) },
  'sites/unblock': { callers: ['popup'], params: z.strictObject({ origin }) },
  /** The limits for trusted swipes on all sites, and what is left of them today. */
  'swipes/read': { callers: ['popup', 'onboarding'], params: none },
  /** Switches trusted swipes on for all sites, or changes their limits: for a day, and `perPayment` for one swipe. */
  'swipes/change': {
    callers: ['popup', 'onboarding'],
    params: z.extend(z.omit(allowanceTerms, { period: true }), { perPayment: money }),
  },
  'swipes/switch-off': { callers: ['popup'], params: none },
  'settings/read': { callers: everywhere, params: none },
  'settings/change': { callers: ['popup', 'onboarding'], params: settingsChange },
  /** Which service this build of the wallet came with. */
  'service/read': { callers: ['popup', 'onboarding'], params: none },
  /** The currencies that the service's table of rates has, as last known. */
  'settings/currencies': { callers: ['popup'], params: none },
  /** How applications' data is kept besides this browser. */
  'app-data/read': { callers: ['popup'], params: none },
  /** Applications' data as the text of a file, sealed. Only while the wallet is unlocked. */
  'app-data/export': { callers: ['popup'], params: none },
  /** Takes in such a file. Doing it twice is as good as once. */
  'app-data/restore': {
    callers: ['popup'],
    params: z.strictObject({ file: z.string().check(z.maxLength(40_000_000)) }),
  },
  /** Saves all of it at the account's service again, in place of what is there. */
  'app-data/save-again': { callers: ['popup'], params: none },
  /** Which network the wallet is on, and where that is. */
  'network/read': { callers: ['popup', 'onboarding'], params: none },
  /**
   * Takes a network by hand, or other addresses of its two interfaces (null: the network's own), once both have
   * answered. A wallet that exists stays on its network.
   */
  'network/choose': {
    callers: ['popup', 'onboarding'],
    params: z.strictObject({ network: z.enum(NETWORKS), arcUrl: interfaceUrl, wocUrl: interfaceUrl }),
  },
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
  'vault/unlock-with-passkey': null;
  'passkeys/list': { passkeys: PasskeyView[] };
  'passkeys/add': null;
  'passkeys/remove': null;
  'vault/check-password': null;
  'vault/lock': null;
  'vault/show-words': { words: string };
  'vault/change-password': null;
  'vault/send-unsent': { left: number };
  'vault/remove': null;
  'onboarding/client': { origin: string | null };
  'onboarding/return': null;
  'account/check-handle': { available: boolean; problem: ErrorCode | null };
  'account/register': Account;
  'account/sign-in': Account | null;
  'connections/list': { connections: Connection[] };
  'connections/remove': null;
  'wallet/overview': Overview;
  'wallet/refresh': null;
  'wallet/listen': null;
  'wallet/faucet': { txid: string };
  'activity/list': ActivityPage<ActivityItem>;
  'activity/read': ActivityDetails;
  'activity/cancel': null;
  'activity/note': null;
  'activity/export': ActivityPage<ExportedActivity>;
  'avatars/kept': { picture: string | null };
  'avatars/fetch': { picture: string | null };
  'approval/read':
    | ApprovalView
    | AllowancePromptView
    | SignInView
    | OperationsPromptView
    | PermissionPromptView
    | PermissionGroupView
    | UnlockPromptView;
  'send/recents': { recipients: string[] };
  'contacts/list': { contacts: ContactView[] };
  'contacts/save': null;
  'contacts/remove': null;
  'send/quote': SendQuote;
  'send/pay': SendResult;
  'approval/decide': null;
  'sites/list': { sites: SiteView[] };
  'sites/change': null;
  'sites/rate': { rate: Rate | null };
  'sites/revoke': null;
  'sites/forbid': null;
  'sites/block': null;
  'sites/unblock': null;
  'swipes/read': SwipeLimitsView;
  'swipes/change': null;
  'swipes/switch-off': null;
  'settings/read': Settings;
  'settings/change': Settings;
  'service/read': { builtIn: string };
  'settings/currencies': { currencies: string[] };
  'network/read': NetworkChoice;
  'network/choose': null;
  'app-data/read': AppDataView;
  'app-data/export': { file: string; entries: number };
  'app-data/restore': { entries: number };
  'app-data/save-again': null;
}

/** The background's answer: exactly one of `result` and `error`. */
export type WalletReply<M extends WalletMethod = WalletMethod> = { result: WalletResults[M] } | { error: WireError };

/** A passkey as the windows know it. Nothing of it is secret. */
export interface PasskeyView {
  /** The credential's id, and what its PRF is asked for: base64url. */
  id: string;
  salt: string;
  name: string;
  /** Milliseconds since 1970; null: never used. */
  createdAt: number;
  usedAt: number | null;
}

/** Somebody whom the user saved, for paying them again. */
export interface ContactView {
  id: string;
  /** The user's own: nobody else has said it. */
  name: string;
  /** Paymail, user ID or address. */
  to: string;
  /** Of a user ID of another service than the wallet's: that service's host. It cannot be paid by this ID. */
  elsewhere: string | null;
}

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
  /** That of the older one where two sources agree. */
  time: number;
  /** How many sources confirm its dollar: two that agree, or a single one. */
  sources: 1 | 2;
  /**
   * What the same source says one BSV costs in dollars: all that a second source can confirm. Missing where it does not
   * say, of BSV itself, and of older records.
   */
  dollar?: string;
}

/** Which network the wallet is on, and where. URLs have no slash at the end; null means the network's own. */
export interface NetworkChoice {
  network: Network;
  arcUrl: string | null;
  wocUrl: string | null;
  /** The network's own addresses; null where only a service knows them (devnet). */
  preset: { arcUrl: string; wocUrl: string } | null;
  /** Whether some or all addresses in use come from the service. */
  fromService: boolean;
}

/** The popup's first page. Satoshis are whole numbers as text. */
export interface Overview {
  network: Network;
  account: Account | null;
  /** Everything spendable now, unconfirmed change and receipts included. */
  satoshis: string;
  /** The part of `satoshis` that no checked block holds yet. */
  unconfirmedSatoshis: string;
  /**
   * Number of one-satoshi coins: they may carry tokens, so they are not part of `satoshis` and never spent as money.
   */
  keptApart: number;
  /** The next unused receiving address. */
  receiveAddress: string;
  rate: Rate | null;
  /** Why there is no rate: `rates-differ`, `rate-unavailable` or `invalid-currency`; null where there is one. */
  rateProblem: ErrorCode | null;
  /** A scan for coins of a restored wallet is under way: addresses looked at, coins found. */
  scan: { addresses: number; coins: number } | null;
  /**
   * How many transactions that pay this wallet could not be read yet, or wait for their turn: they are no part of
   * `satoshis`.
   */
  unread: number;
  /**
   * How many transactions the activity of a restored wallet still lacks, as far as is known yet; null or missing where it
   * is whole.
   */
  historyLeft?: number | null;
  /** How many addresses have more coins than the index can list: of those some may be missing from `satoshis`. */
  crowded: number;
  /** What keeps the wallet from being up to date, if anything. */
  problem: WireError | null;
  /** A newer wallet at the user's service; null where there is none, or the browser updates the wallet itself. */
  update: WalletUpdate | null;
}

/** A newer version of the wallet, as the service names it, and the page of the service that offers it. */
export interface WalletUpdate {
  version: string;
  url: string;
}

/** States of a payment inside the wallet. */
export const PAYMENT_STATES = [
  'requested',
  'approved',
  'signable',
  'signed',
  'broadcast',
  'settled',
  'refused',
  'failed',
] as const;
/** One of {@link PAYMENT_STATES}. */
export type PaymentState = (typeof PAYMENT_STATES)[number];

/**
 * One page of the activity. If there may be `more`, `before` says where to continue. `searchedTo`: the page is not
 * full, but the search went back to this time (milliseconds since 1970) without enough matches and returns what it has.
 */
export interface ActivityPage<Item> {
  items: Item[];
  more: boolean;
  before: string | null;
  searchedTo: number | null;
}

/** A row as it is exported. */
export interface ExportedActivity extends ActivityItem {
  /** Everybody who was paid, as named in the request; of money received the address. */
  recipients: { to: string; satoshis: string }[];
  height: number | null;
  buttonId: string | null;
  /** What one BSV cost in the currency that the amount was asked in; missing where it was in BSV or none was kept. */
  quotedPrice?: string;
  /** The payment that it gives back, as the site or the account's service says. */
  givesBack?: string;
}

/** Everything about one row. What only payments have is null or empty in money received. */
export interface ActivityDetails extends Metadata {
  /** What cancelling it would cost, in satoshis; null or missing where it cannot be cancelled now. */
  cancelFee?: string | null;
  item: ActivityItem;
  /** The block that a checked proof places it in. */
  height: number | null;
  outputs: SavedOutput[];
  data: ApprovalView['data'];
  /** The site's own, unverified statement. */
  clientIdentifier: string | null;
  /** What came back of it, as far as the wallet has seen: satoshis as text, one for each transaction, the latest first. */
  refunds: { txid: string; satoshis: string; time: number; isConfirmed?: boolean }[];
  /** It has a transaction, sent or about to be. */
  signed: boolean;
  /** `swipe`: within the limits for trusted swipes on all sites. */
  decided: 'by-hand' | 'allowance' | 'swipe' | null;
  /** What it took from the site's allowance or from those limits, decimal text in `currency`. */
  debit: { amount: string; currency: string } | null;
  /** Whether the account's service has it; null if there is nothing to report, or no account to report it to. */
  report: 'waiting' | 'done' | 'refused' | null;
  /** The same of the service that the button belongs to, where the wallet's account does not report to it. */
  serviceReport: { host: string; state: 'waiting' | 'done' | 'refused' | 'given-up' } | null;
  /** Recipients by paymail or user ID, and whether their hosts have it. */
  deliveries: { paymail: string; host: string; state: 'waiting' | 'done' | 'given-up' }[];
  /** What the site got signed, encrypted or decrypted along with it. */
  operations: OperationNote[];
  /** What an application marked it with (BRC-100), and what it brought in of its own (satoshis). */
  labels?: string[];
  brought?: string;
}

/**
 * A recipient with the name of its contact: null where there is none, missing where it cannot be one (a script, or the user
 * of another service).
 */
export type SavedOutput = PaymentOutput & { contact?: string | null };

/**
 * `refused`, `contested`, `unseen`, `slow`, `held` and `aborted` as in a payment's record (payment/record.ts); `signable`:
 * an application is yet to sign it; `replaced` and `cancelling`: a later
 * payment, or the user's cancellation, spends the same coins, and a block decides.
 */
export type PaymentTrouble =
  | 'refused'
  | 'contested'
  | 'unseen'
  | 'slow'
  | 'replaced'
  | 'cancelling'
  | 'held'
  | 'aborted'
  | 'signable';

/**
 * What a site got of a crypto operation, as the activity shows it: without ciphertext, and without a plaintext where no
 * payment keeps it.
 */
export type OperationNote = Pick<
  CryptoResult,
  'id' | 'method' | 'data' | 'dataEncoding' | 'value' | 'valueEncoding' | 'paymail' | 'publicKey' | 'verified'
>;

/** One row of the activity. Satoshis are whole numbers as text, `time` is milliseconds since 1970. */
export interface ActivityItem {
  id: string;
  direction: 'sent' | 'received';
  /** The site that asked, for what a page's button paid. */
  origin: string | null;
  /** Who was paid, of several the first, or the address that received; '' where nobody was. */
  counterparty: string;
  recipientCount: number;
  satoshis: string;
  /** Null where none was paid, or where it is not known. */
  feeSatoshis: string | null;
  /** As requested. */
  amount: string | null;
  currency: string | null;
  /** What one BSV cost when it was signed or arrived, in the user's currency of then; missing where that is not known. */
  priceThen?: { currency: string; price: string };
  /** What it was worth by the account's service when it got the report: of what another wallet with the same words paid. */
  worthThen?: { amount: string; currency: string };
  status: PaymentStatus;
  statusDescription: string | null;
  /**
   * Why money received failed: the sender spent it in another transaction that is in a block, or the network dropped
   * it.
   */
  failure?: 'double-spent' | 'dropped' | null;
  /** The code of the error that `statusDescription` is the sentence of. */
  statusCode?: ErrorCode | null;
  /** What keeps it from the network or from a block. */
  trouble?: PaymentTrouble | null;
  /**
   * Another wallet with the same words has paid it, this one before it was restored, say: who asked for it is not known,
   * and `id` is the transaction's.
   */
  isFromChain?: boolean;
  /** Of such a payment: site, recipients' names and metadata are the word of the account's service. */
  isFromService?: boolean;
  /** What it meant could not be worked out yet: neither direction nor amount counts. */
  isUnverified?: boolean;
  /** First seen in a block, as by a restore, and no proof places it there yet: `time` is a guess to sort by. */
  isTimeUnknown?: boolean;
  /** It is the wallet's own transaction that cancels a payment. */
  isCancellation?: boolean;
  /** It is the wallet's own transaction that moves what came in for a derived key (BRC-29) to its addresses. */
  isSweep?: boolean;
  txid: string | null;
  time: number;
  /**
   * Of money received by paymail: who says to have sent it, whether that one's host vouches for it, and the note that
   * came with it; of what the user sent, the user's own note.
   */
  sender: { paymail: string; verified: boolean } | null;
  note: string | null;
  /** Of what a page's button paid: its label, as the site says. */
  label?: string | null;
  /** The name of the contact who was paid, or who paid as their host confirms. */
  contact?: string;
  /** What a site got without a payment, and the application that it named: then no money is in this row. */
  operations?: OperationNote[];
  clientIdentifier?: string | null;
  /**
   * Of money received: the payment that it may give back, with the site that asked for that and its first recipient. Others
   * than they know that address, too. `isConfirmed`: the account's service says that it does.
   */
  refundOf?: { id: string; origin: string | null; to: string; isConfirmed?: boolean } | null;
}

/** What sending costs. Satoshis are whole numbers as text. */
export interface SendQuote {
  /** Empty where a row or the rate is wrong. */
  outputs: ShownOutput[];
  /** Sum of the outputs. */
  satoshis: string;
  /** The highest fee. Null if a `problem` or an invalid row prevents a quote. */
  feeSatoshis: string | null;
  totalSatoshis: string | null;
  balanceSatoshis: string;
  /** The user's own currency, and what it costs. */
  rate: Rate | null;
  /** As of when it counts: that of the rate that it was worked out with (milliseconds since 1970). */
  time: number;
  /** Why it cannot be paid at present. */
  problem: WireError | null;
  /** What is wrong with single recipients or their amounts, by their place in the request. */
  badRecipients: Record<number, ErrorCode>;
}

/** A payment that the user sent. `taken`: the network has it; else it is signed and will be sent again until it has. */
export interface SendResult {
  id: string;
  txid: string;
  taken: boolean;
}

/**
 * An allowance with its settings and current state. Amounts are decimal text in `currency`, times milliseconds since
 * 1970.
 */
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
  /**
   * The most that it may take whatever the exchange rate does, and what is left of that: satoshis as text. Null of
   * one in BSV, and of an older one that has none and pays nothing.
   */
  ceiling: { satoshis: string; left: string; perPayment: string | null } | null;
  resetsAt: number;
  /** Since the site was first given one in this currency. */
  totalSpent: string;
  payments: number;
  createdAt: number;
  usedAt: number | null;
}

/** The user's limits for trusted swipes on all sites: `allowance` is null until they are first switched on. */
export interface SwipeLimitsView {
  on: boolean;
  allowance: AllowanceView | null;
}

/** A permission of a site: its name (see `permissionName`) and since when it has it (milliseconds since 1970). */
export interface SitePermission {
  name: string;
  permission: Permission;
  grantedAt: number;
}

/** What the wallet knows of one site, by its full origin. Times are milliseconds since 1970. */
export interface SiteView {
  origin: string;
  allowances: AllowanceView[];
  /** What it may do besides paying, newest first. */
  permissions: SitePermission[];
  /** When the user last refused it something. */
  refusedAt: number | null;
  /** `for-good`: until the user unblocks it; null where it is not blocked. */
  blockedUntil: number | 'for-good' | null;
}

/** Common to all windows that ask the user something on behalf of a site. */
interface AskingView {
  /** The origin that asks, as the browser gave it. */
  origin: string;
  locked: boolean;
  network: Network;
  /** The user refused this site twice within a minute: blocking it is offered. */
  mayBlock: boolean;
}

/** In addition, in windows about money. */
interface MoneyAskingView extends AskingView {
  /** The page's own name of its application; '' where it gave none. */
  clientIdentifier: string;
  /** What an allowance can be in: the user's own currency, where its price is known, and BSV. */
  allowanceRates: Rate[];
  balanceSatoshis: string;
}

/** What the window shows in which a site asks for an allowance for automatic payments. */
export interface AllowancePromptView extends MoneyAskingView {
  kind: 'allowance';
  /** The page's suggestion, and the least that is useful to it. Unverified. */
  suggested: { amount: string; currency: string } | null;
  minimum: { amount: string; currency: string } | null;
  /** The allowance that it has: a new one takes its place. */
  current: AllowanceView | null;
}

/** What the window shows in which a site asks to sign in, or for an account. */
export interface SignInView extends AskingView {
  kind: 'sign-in';
  /** The service that the wallet is set to, an origin. Another one gets a warning. */
  serviceUrl: string;
  /** The requested account, as the page names it; null for a sign-in. */
  register: { handle: string; name: string } | null;
  /** The wallet's account, where its own service asks and the wallet knows it. */
  account: Account | null;
  /** The identity's public key, hex: all that another site knows the user by. */
  publicKey: string;
  /** The exact text that approval signs. */
  text: string;
}

/** What the window shows in which a site asks for a permission. */
export interface PermissionPromptView extends AskingView {
  kind: 'permission';
  permission: Permission;
  /** The identity's public key, hex, where the site asks for it. */
  publicKey: string | null;
}

/** What the window shows in which a site asks for all that its manifest names and it does not have yet. */
export interface PermissionGroupView extends MoneyAskingView {
  kind: 'permission-group';
  /** `said`: what it is for, as the site says. Unverified. */
  wanted: { permission: Permission; said: string | null }[];
  /** The allowance that it suggests for a month; null where it suggests none. */
  suggested: { amount: string; currency: string } | null;
  /** The allowance that it has: a new one takes its place. */
  current: AllowanceView | null;
  /** It also names certificates, which this wallet does not have. */
  certificates: boolean;
}

/** What the window shows in which a site waits for the wallet to be unlocked. */
export interface UnlockPromptView extends AskingView {
  kind: 'unlock';
}

/**
 * Bytes for people: `text` where they are UTF-8 that can be read, else null; both forms shown up to a length, `bytes`
 * is the size.
 */
export interface ShownData {
  text: string | null;
  hex: string;
  bytes: number;
}

/**
 * Who can take what a script locks, as far as the wallet can prove it: the holder of one address (and that script is
 * exactly the address's where it carries no data), of one public key, of `needed` among `keys`; whoever solves it, for
 * it asks for no signature (`puzzle`); anyone; nobody ever; `retired`: a form that the network takes no more.
 * `unreadable` is all the rest.
 */
export const SCRIPT_KINDS = ['address', 'key', 'keys', 'puzzle', 'anyone', 'nobody', 'retired', 'unreadable'] as const;

/** A script as the wallet reads it. */
export interface ScriptView {
  kind: (typeof SCRIPT_KINDS)[number];
  /** The address of the one key that can take it; null where it is no single key. */
  address: string | null;
  /** That key is one of this wallet's own. */
  own: boolean;
  /** Public keys, hex, where the script names them. */
  keys: string[];
  needed: number;
  /** Other data in the script, readable by everybody. */
  data: ShownData[];
  /** Size of the script; `hex` and `asm` may be shown cut. */
  bytes: number;
  hex: string;
  asm: string;
}

/**
 * The host that answered for a paymail or a user ID, and its answer. Unverified, except where marked as compared by the
 * wallet.
 */
export interface RecipientHost {
  /** The paymail that is paid: of a user ID, the one that the service names. */
  paymail: string;
  /** Of a user ID: host of the service whose user it is, and which named the paymail. */
  namedBy?: string;
  /** Where the destination came from: host, and port where it is not the usual one. */
  host: string;
  /** The name in its public profile; null if there is none. */
  name: string | null;
  /** This wallet has paid it before (its own memory). */
  known: boolean;
  /**
   * Its public key is another than when it was first seen, at this time (milliseconds since 1970; its own memory); null
   * where it is the same.
   */
  keyChangedSince: number | null;
  /** It had a public key when it was last paid, and its host gives none now, which may hide a different key. */
  keyUnavailable?: true;
  /** The host that answered when it was last paid or saved as a contact, where that was another. */
  hostBefore?: string;
}

/**
 * A recipient as the approval window shows it. `own`: an address of this wallet. `scripts`: what is not simply an
 * address.
 * `host`: of a paymail or user ID. `contact`: the user's own name for it, and of a user ID the paymail that its service named when
 * it was saved, where that is another now.
 */
export type ShownOutput = PaymentOutput & {
  own: boolean;
  scripts: ScriptView[];
  host: RecipientHost | null;
  contact?: { name: string; paymailBefore?: string };
};

/** A crypto operation as a window shows it, before anything of it reaches the site. */
export interface ShownOperation {
  name: string;
  method: CryptoMethod;
  /** What is signed, checked, encrypted or decrypted; null where there is nothing, as for a public key. */
  data: ShownData | null;
  /**
   * What comes out and the site gets: the plaintext, the key, the address, the paymail. Null for signatures and
   * ciphertext, and while the wallet is locked.
   */
  value: ShownData | null;
  /**
   * Who can read what is encrypted, or whose signature is checked; null where that says nothing. `self`: the user's own
   * identity key.
   * `keyChangedSince`: the paymail has another key than the one that this wallet has known since then (milliseconds since 1970).
   */
  party: { kind: 'self' | 'key' | 'paymail'; text: string; host: string | null; keyChangedSince: number | null } | null;
  /** What comes out is written into the transaction, for everybody to read for ever. */
  onChain: boolean;
}

/** What the window shows in which a site asks for crypto operations without a payment. */
export interface OperationsPromptView extends AskingView {
  kind: 'operations';
  clientIdentifier: string;
  operations: ShownOperation[];
  /** The identity's public key, hex, and the paymail; null without an account. */
  publicKey: string;
  paymail: string | null;
  /** Why it cannot be done at present. */
  problem: WireError | null;
}

/** What the approval window shows. Only `origin` and what the wallet worked out itself is sure. */
export interface ApprovalView extends MoneyAskingView {
  kind: 'payment';
  /** The page asks to pay by itself: an allowance given here is for that. */
  automatic: boolean;
  /**
   * The allowance for such payments, if there is one, and why this payment is not made from it (null: there was no user
   * activation).
   */
  allowance: (AllowanceView & { short: 'too-much-at-once' | 'used-up' | 'above-ceiling' | 'rate-moved' | null }) | null;
  /** What the page would like that allowance to be, and whether it says that it had one; null where it said nothing. */
  wanted: (Pick<AllowancePromptView, 'suggested' | 'minimum'> & { hadOne: boolean }) | null;
  outputs: ShownOutput[];
  /** Data that is written to the chain. */
  data: ShownData | null;
  /** The button's label and data, as the site says; null where it says nothing. */
  said: Pick<Metadata, 'label' | 'buttonData'>;
  /** What the site wants signed, encrypted or decrypted along with it; empty as a rule. */
  operations: ShownOperation[];
  amount: string;
  currency: string;
  satoshis: string;
  /** Null if there is a `problem`. */
  feeSatoshis: string | null;
  /** What an application brings in of its own, which counts against what its outputs take (satoshis). */
  brought?: string;
  /** What leaves the wallet: `satoshis` and the fee, or the fee alone where all outputs are the user's own. */
  totalSatoshis: string | null;
  /** The user's own currency, and what it costs. */
  rate: Rate | null;
  /** The rate that turned `amount` into satoshis; null where it is in BSV. */
  quotedRate: Rate | null;
  /**
   * Where what an application has kept with this is kept besides this browser; missing where nothing is kept, or where
   * it is not the first.
   */
  appDataKept?: AppDataKept;
  /** Host of the page's service, where that gets a report without an account. */
  reportedTo?: string;
  /** Why it cannot be paid at present, for example insufficient funds. */
  problem: WireError | null;
  /** Where coins can be sent to, if the wallet has too few of them for this; null otherwise. */
  receiveAddress: string | null;
}

/** Where applications' data is kept besides this browser: at the account's service, in a file, or nowhere. */
export type AppDataKept = 'service' | 'file' | 'nowhere';

/** How applications' data is kept besides this browser. Times are milliseconds since 1970. */
export interface AppDataView {
  kept: AppDataKept;
  /** How many outputs, actions and payments there are. */
  entries: number;
  /** How many of them the service does not have yet, and why: null where they are on their way. */
  unsent: number;
  trouble: ErrorCode | null;
  /** How many were read and are still to be checked and given back. */
  unapplied: number;
  /** Something that another wallet with the same words had saved is altered or missing. */
  damaged: boolean;
  exportedAt: number | null;
}

/** What the user chose. */
export interface Settings {
  network: Network;
  /** Where the account is to be, and what knows rates and, on devnet, the network's addresses. An origin. */
  serviceUrl: string;
  /** The user wants no account. */
  noAccount: boolean;
  /**
   * Base of ARC's interface, without `/v1`, and of WhatsOnChain's, with `/v1/bsv/{main|test}`; null: the network's own.
   */
  arcUrl: string | null;
  wocUrl: string | null;
  currency: string;
  lockAfterMinutes: number;
  theme: 'system' | 'light' | 'dark';
  /** The browser shows notifications of incoming money. */
  notify: boolean;
  /** Shortcuts of one key do something. */
  singleKeys: boolean;
  /** Of the wallet's windows; `system`: the browser's. */
  language: 'system' | (typeof LANGUAGE_CODES)[number];
}
