import * as z from 'zod/mini';
import { NETWORKS } from '../../bitcoin/address.ts';
import { MAX_CONTACT_NAME, MAX_GROUPED, MAX_NOTE_LENGTH, MAX_OUTPUTS, MAX_PAYMAIL } from '../../payments/limits.ts';
import { currencyCode, requestId } from '../../payments/payment.ts';
import {
  activityFilter,
  allowanceTerms,
  approvalId,
  assetId,
  avatarOf,
  before,
  blockHours,
  contactId,
  handle,
  interfaceUrl,
  money,
  none,
  operatorKey,
  origin,
  outpoint,
  passkeyId,
  passkeyOutput,
  passphrase,
  password,
  recipient,
  satoshis,
  sendOutput,
  sendRecipient,
  time,
  token,
  words,
} from './parameters.ts';
import { settingsChange } from './settings.ts';

/** The wallet's windows, named as their documents are (`extension/<name>/index.html`). */
export const WALLET_WINDOWS = ['popup', 'popup/settings', 'onboarding', 'approval'] as const;
export type WalletWindow = (typeof WALLET_WINDOWS)[number];

const everywhere = WALLET_WINDOWS;

export const walletMethods = {
  'vault/status': { callers: everywhere, params: none },
  /** Twelve fresh words. Nothing is stored. */
  'vault/generate-words': { callers: ['onboarding'], params: none },
  /** True for BIP39 words with the right checksum. */
  'vault/check-words': { callers: ['onboarding'], params: z.strictObject({ words }) },
  /** Deletes stored data that can't be opened, for valid words that restore the wallet. Data that opens stays. */
  'vault/replace-unreadable': { callers: ['onboarding'], params: z.strictObject({ words }) },
  /** Stores the vault and unlocks it. With `restored`, the wallet searches for existing coins. */
  'vault/create': { callers: ['onboarding'], params: z.strictObject({ words, password, restored: z.boolean() }) },
  'vault/unlock': {
    callers: ['popup', 'popup/settings', 'approval', 'onboarding'],
    params: z.strictObject({ password }),
  },
  /** Opens the vault with a passkey's output instead of the password. */
  'vault/unlock-with-passkey': {
    callers: ['popup', 'popup/settings', 'approval'],
    params: z.strictObject({ id: passkeyId, output: passkeyOutput }),
  },
  /** The passkeys that open the vault: also while it is locked, because they are needed to unlock it. */
  'passkeys/list': { callers: ['popup', 'popup/settings', 'approval'], params: none },
  /** Lets a new passkey open the vault. `salt` is its PRF's input: base64url of 32 random bytes. */
  'passkeys/add': {
    callers: ['popup/settings'],
    params: z.strictObject({
      password,
      id: passkeyId,
      salt: z.string().check(z.regex(/^[\w-]{43}$/)),
      name: z.string().check(z.minLength(1), z.maxLength(60)),
      output: passkeyOutput,
    }),
  },
  /** Revokes a passkey. Only while the wallet is unlocked. */
  'passkeys/remove': { callers: ['popup/settings'], params: z.strictObject({ id: passkeyId }) },
  /** Rejects a wrong password. Opens nothing. */
  'vault/check-password': { callers: ['popup/settings'], params: z.strictObject({ password }) },
  'vault/lock': { callers: ['popup', 'popup/settings'], params: none },
  /** The recovery words. The password is required even while the wallet is unlocked. */
  'vault/show-words': { callers: ['popup/settings'], params: z.strictObject({ password }) },
  'vault/change-password': { callers: ['popup/settings'], params: z.strictObject({ password, newPassword: password }) },
  /** Broadcasts signed payments that the network hasn't accepted. */
  'vault/send-unsent': { callers: ['popup', 'popup/settings'], params: none },
  /**
   * Removes the wallet from this browser with all its data, without a password only while it is locked. No more than
   * `leaving`, the displayed number of unsent payments, are abandoned.
   */
  'vault/remove': {
    callers: ['popup', 'popup/settings'],
    params: z.strictObject({ password: z.nullable(password), leaving: z.number().check(z.int(), z.minimum(0)) }),
  },
  /** The prompts that await the user's decision, oldest first. */
  'prompts/list': { callers: ['popup'], params: none },
  /** Brings a prompt's window to the front. Rejects with `approval-unknown` if it's no longer open. */
  'prompts/show': { callers: ['popup'], params: z.strictObject({ id: z.string().check(z.regex(/^[0-9a-f]{32}$/)) }) },
  /** The site whose page requested a wallet, if that page is still open. */
  'onboarding/client': { callers: ['onboarding'], params: none },
  /** Brings that page to the front. */
  'onboarding/return': { callers: ['onboarding'], params: none },
  'account/check-handle': { callers: ['onboarding', 'popup'], params: z.strictObject({ handle }) },
  /** Registers with the service, or signs in if this key has an account. */
  'account/register': {
    callers: ['onboarding', 'popup'],
    params: z.strictObject({ handle, name: z.string().check(z.maxLength(100)) }),
  },
  /** Signs in with the key; returns null if it has no account. */
  'account/sign-in': { callers: ['onboarding', 'popup'], params: none },
  'connections/list': { callers: ['popup/settings'], params: none },
  /** Ends an application's access to the account. */
  'connections/remove': { callers: ['popup/settings'], params: z.strictObject({ id: z.uuid() }) },
  'wallet/overview': { callers: ['popup', 'popup/settings', 'onboarding'], params: none },
  /** Searches for new coins and confirmations, on `all` addresses or likely ones. */
  'wallet/refresh': {
    callers: ['popup', 'onboarding', 'approval'],
    params: z.strictObject({ all: z.optional(z.boolean()) }),
  },
  /** Derives more addresses of each chain and looks for coins at all of them. */
  /** Looks for coins that other wallets hold for the same words, with a BIP39 passphrase or an empty one. */
  'other-wallets/search': {
    callers: ['popup/settings', 'onboarding'],
    params: z.strictObject({ password, passphrase }),
  },
  /** Moves displayed coins to this wallet, for a fee of at most `feeSatoshis`. */
  'other-wallets/move': {
    callers: ['popup/settings', 'onboarding'],
    params: z.strictObject({
      password,
      passphrase,
      outpoints: z.array(outpoint).check(z.minLength(1), z.maxLength(100)),
      feeSatoshis: satoshis,
    }),
  },
  /** The same for tokens and ordinals. This wallet's money pays the fee. */
  'other-wallets/move-assets': {
    callers: ['popup/settings', 'onboarding'],
    params: z.strictObject({
      password,
      passphrase,
      outpoints: z.array(outpoint).check(z.minLength(1), z.maxLength(100)),
      feeSatoshis: satoshis,
    }),
  },
  'wallet/search-further': { callers: ['popup/settings'], params: none },
  /** A window is open: for 30 seconds, arriving payments are announced immediately. Repeated. */
  'wallet/listen': { callers: ['popup'], params: none },
  /** On devnet: asks the faucet for this many satoshis. */
  'wallet/faucet': {
    callers: ['popup', 'onboarding', 'approval'],
    params: z.strictObject({ satoshis: z.number().check(z.int(), z.minimum(1), z.maximum(100_000_000)) }),
  },
  /** Rows of the activity, newest first. Each request reads a limited number of records. */
  'activity/list': {
    callers: ['popup'],
    params: z.extend(activityFilter, { before, limit: z.number().check(z.int(), z.minimum(1), z.maximum(100)) }),
  },
  /** Everything about one row. */
  'activity/read': {
    callers: ['popup'],
    params: z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(100)) }),
  },
  /** Double-spends a coin of a rejected payment. `feeSatoshis` is the maximum cost. */
  'activity/cancel': {
    callers: ['popup'],
    params: z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(100)), feeSatoshis: satoshis }),
  },
  /** Ends an application's transaction that spends nothing of the user's and that the network doesn't have. */
  'activity/end': {
    callers: ['popup'],
    params: z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(100)) }),
  },
  /** Replaces the user's own note on a payment. An empty one removes it. */
  'activity/note': {
    callers: ['popup'],
    params: z.strictObject({
      id: z.string().check(z.minLength(1), z.maxLength(100)),
      note: z.string().check(z.maxLength(MAX_NOTE_LENGTH)),
    }),
  },
  /** Rows as they are exported, a page at a time. */
  'activity/export': { callers: ['popup'], params: z.extend(activityFilter, { before }) },
  /** Recipients of the wallet's own payments, latest first, each once. */
  'send/recents': { callers: ['popup'], params: none },
  /** The people whom the user saved, by name. */
  'contacts/list': { callers: ['popup', 'popup/settings'], params: none },
  /**
   * Saves a contact, replacing `id` or the one with the same recipient: a paymail, user ID or address, and the user's
   * name for it. Its host is queried for its key, unless the wallet knows it.
   */
  'contacts/save': {
    callers: ['popup', 'popup/settings'],
    params: z.strictObject({
      id: z.nullable(contactId),
      to: z.string().check(z.minLength(1), z.maxLength(MAX_PAYMAIL)),
      name: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_CONTACT_NAME)),
    }),
  },
  'contacts/remove': { callers: ['popup', 'popup/settings'], params: z.strictObject({ id: contactId }) },
  /** The current cost of sending. At most one recipient gets the whole rest. Works while the wallet is locked. */
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
   * Pays exactly the quoted satoshis and at most the quoted fee. `time` is the quote's. A repeated `requestId`, random
   * from the window, is the same payment. `note` stays in the wallet.
   */
  'send/pay': {
    callers: ['popup'],
    params: z.strictObject({
      requestId,
      outputs: z.array(sendOutput).check(z.minLength(1), z.maxLength(MAX_OUTPUTS)),
      feeSatoshis: satoshis,
      time,
      note: z.optional(z.string().check(z.maxLength(MAX_NOTE_LENGTH))),
      mayPayTwice: z.optional(z.literal(true)),
    }),
  },
  /** Tokens and ordinals that the wallet holds, as far as it knows. */
  'assets/list': { callers: ['popup'], params: none },
  /** Looks for them on the network. */
  'assets/refresh': { callers: ['popup', 'approval'], params: none },
  /** The content of an output (`txid_vout`): the wallet's own, the origin of one, or a token's picture. */
  'assets/content': { callers: ['popup'], params: z.strictObject({ outpoint: assetId }) },
  /** The current cost of sending some of a token, or an ordinal. Works while the wallet is locked. */
  'assets/quote': {
    callers: ['popup'],
    params: z.strictObject({
      asset: z.union([
        z.strictObject({ token: assetId, amount: z.string().check(z.maxLength(40)) }),
        z.strictObject({ ordinal: assetId }),
      ]),
      to: recipient,
    }),
  },
  /** Sends it, at most at the quoted fee. `units` are those of the quote; `requestId` as with `send/pay`. */
  'assets/send': {
    callers: ['popup'],
    params: z.strictObject({
      requestId,
      asset: z.union([
        z.strictObject({ token: assetId, units: z.string().check(z.regex(/^[1-9]\d{0,19}$/)) }),
        z.strictObject({ ordinal: assetId }),
      ]),
      to: recipient,
      feeSatoshis: satoshis,
    }),
  },
  /** Sets another index of 1Sat ordinals; null: the network's own. */
  'assets/index': { callers: ['popup'], params: z.strictObject({ url: interfaceUrl }) },
  /** The stored picture of a paymail, without any request. */
  'avatars/kept': { callers: ['popup', 'popup/settings', 'approval'], params: avatarOf },
  /** The same, but fetches a missing one from the user's service. Only for payers and recipients of the user. */
  'avatars/fetch': { callers: ['popup', 'popup/settings'], params: avatarOf },
  'approval/read': { callers: ['approval'], params: z.strictObject({ approvalId }) },
  /**
   * `pay` a payment, granting its site the allowance `grant` along with it; `grant` an allowance that a site requested;
   * `sign` in or register, or sign or decrypt a site's data; `mint` an asset; `permit` a site's future requests, among
   * several the `permitted` ones by index; `unlock` for a site; or `refuse` any of these, and block the site for
   * `blockHours`. `feeSatoshis`, the displayed fee, is the maximum.
   */
  'approval/decide': {
    callers: ['approval'],
    params: z.strictObject({
      approvalId,
      decision: z.enum(['pay', 'grant', 'sign', 'mint', 'permit', 'unlock', 'refuse']),
      feeSatoshis: z.optional(z.string().check(z.regex(/^\d{1,16}$/))),
      grant: z.optional(allowanceTerms),
      permitted: z.optional(z.array(z.number().check(z.int(), z.minimum(0))).check(z.maxLength(MAX_GROUPED))),
      blockHours: z.optional(blockHours),
    }),
  },
  /** Sites that have an allowance or a permission, are blocked, or were refused lately. */
  'sites/list': { callers: ['popup'], params: none },
  'sites/change': { callers: ['popup'], params: z.omit(z.extend(allowanceTerms, { token }), { currency: true }) },
  /** The current price of an allowance's currency. */
  'sites/rate': { callers: ['popup'], params: z.strictObject({ currency: currencyCode }) },
  'sites/revoke': { callers: ['popup'], params: z.strictObject({ token }) },
  /** Revokes one permission of a site, or all (null). */
  'sites/forbid': {
    callers: ['popup'],
    params: z.strictObject({ origin, name: z.nullable(z.string().check(z.maxLength(1000))) }),
  },
  'sites/block': { callers: ['popup'], params: z.strictObject({ origin, hours: z.nullable(blockHours) }) },
  /** Ends the unfinished actions of a site's application. They are never signed or sent. */
  'sites/end': { callers: ['popup'], params: z.strictObject({ origin }) },
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
  'settings/change': { callers: ['popup', 'popup/settings', 'onboarding'], params: settingsChange },
  /** The service of this build. */
  'service/read': { callers: ['popup', 'popup/settings', 'onboarding'], params: none },
  /** The currencies in the service's table of rates, as last known. */
  'settings/currencies': { callers: ['popup/settings'], params: none },
  /** How applications' data is stored outside this browser. */
  'app-data/read': { callers: ['popup/settings'], params: none },
  /** Applications' data as the text of a file, sealed. Only while the wallet is unlocked. */
  'app-data/export': { callers: ['popup/settings'], params: none },
  /** Restores such a file. Idempotent. */
  'app-data/restore': {
    callers: ['popup/settings'],
    params: z.strictObject({ file: z.string().check(z.maxLength(40_000_000)) }),
  },
  /** Saves all of it at the account's service again, replacing the data there. */
  'app-data/save-again': { callers: ['popup/settings'], params: none },
  'network/read': { callers: ['popup/settings', 'onboarding'], params: none },
  /** Changes the network (null: its own addresses) once both interfaces have answered. */
  'network/choose': {
    callers: ['popup/settings', 'onboarding'],
    params: z.strictObject({
      network: z.enum(NETWORKS),
      arcUrl: interfaceUrl,
      wocUrl: interfaceUrl,
      /** The keys that they require. Null removes one; a missing one stays. */
      arcKey: operatorKey,
      wocKey: operatorKey,
    }),
  },
} as const;

/** The name of a method of the wallet's windows. */
export type WalletMethod = keyof typeof walletMethods;
export type WalletParams<M extends WalletMethod> = z.infer<(typeof walletMethods)[M]['params']>;
