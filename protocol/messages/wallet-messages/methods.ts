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
  noParameters,
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

/** The wallet's windows, named by their documents (`extension/<name>/index.html`). */
export const WALLET_WINDOWS = ['popup', 'popup/settings', 'onboarding', 'approval'] as const;
export type WalletWindow = (typeof WALLET_WINDOWS)[number];

const everywhere = WALLET_WINDOWS;

export const walletMethods = {
  'vault/status': { callers: everywhere, params: noParameters },
  /** Generates twelve new recovery words without storing them. */
  'vault/generate-words': { callers: ['onboarding'], params: noParameters },
  /** Returns true for BIP39 words with a valid checksum. */
  'vault/check-words': { callers: ['onboarding'], params: z.strictObject({ words }) },
  /**
   * Deletes stored data that can't be decrypted. Never deletes readable data. Requires valid recovery words for the
   * restore.
   */
  'vault/replace-unreadable': { callers: ['onboarding'], params: z.strictObject({ words }) },
  /** Stores the vault and unlocks it. If `restored` is set, the wallet searches for existing coins. */
  'vault/create': { callers: ['onboarding'], params: z.strictObject({ words, password, restored: z.boolean() }) },
  'vault/unlock': {
    callers: ['popup', 'popup/settings', 'approval', 'onboarding'],
    params: z.strictObject({ password }),
  },
  /** Unlocks the vault with a passkey's output instead of the password. */
  'vault/unlock-with-passkey': {
    callers: ['popup', 'popup/settings', 'approval'],
    params: z.strictObject({ id: passkeyId, output: passkeyOutput }),
  },
  /** Lists the passkeys that unlock the vault. Works while the wallet is locked. */
  'passkeys/list': { callers: ['popup', 'popup/settings', 'approval'], params: noParameters },
  /** Adds a passkey that unlocks the vault. `salt` is the passkey's PRF input: base64url of 32 random bytes. */
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
  /** Revokes a passkey. The wallet must be unlocked. */
  'passkeys/remove': { callers: ['popup/settings'], params: z.strictObject({ id: passkeyId }) },
  /** Rejects a wrong password. Doesn't unlock the wallet. */
  'vault/check-password': { callers: ['popup/settings'], params: z.strictObject({ password }) },
  'vault/lock': { callers: ['popup', 'popup/settings'], params: noParameters },
  /** Returns the recovery words. Requires the password even while the wallet is unlocked. */
  'vault/show-words': { callers: ['popup/settings'], params: z.strictObject({ password }) },
  'vault/change-password': { callers: ['popup/settings'], params: z.strictObject({ password, newPassword: password }) },
  /** Broadcasts signed payments that the network hasn't accepted yet. */
  'vault/send-unsent': { callers: ['popup', 'popup/settings'], params: noParameters },
  /**
   * Removes the wallet and all its data from this browser. The password may be null only while the wallet is locked.
   * Fails if this would abandon more unsent payments than `leaving`, the number shown to the user.
   */
  'vault/remove': {
    callers: ['popup', 'popup/settings'],
    params: z.strictObject({ password: z.nullable(password), leaving: z.number().check(z.int(), z.minimum(0)) }),
  },
  /** Lists the prompts that are waiting for the user's decision, oldest first. */
  'prompts/list': { callers: ['popup'], params: noParameters },
  /** Brings a prompt's window to the front. Fails with `approval-unknown` if the prompt is no longer open. */
  'prompts/show': { callers: ['popup'], params: z.strictObject({ id: z.string().check(z.regex(/^[0-9a-f]{32}$/)) }) },
  /** Returns the site whose page requested a wallet, if that page is still open. */
  'onboarding/client': { callers: ['onboarding'], params: noParameters },
  /** Brings the page that requested a wallet to the front. */
  'onboarding/return': { callers: ['onboarding'], params: noParameters },
  'account/check-handle': { callers: ['onboarding', 'popup'], params: z.strictObject({ handle }) },
  /** Registers with the service, or signs in if this key has an account. */
  'account/register': {
    callers: ['onboarding', 'popup'],
    params: z.strictObject({ handle, name: z.string().check(z.maxLength(100)) }),
  },
  /** Signs in with the key, or returns null if it has no account. */
  'account/sign-in': { callers: ['onboarding', 'popup'], params: noParameters },
  'connections/list': { callers: ['popup/settings'], params: noParameters },
  /** Revokes an application's access to the account. */
  'connections/remove': { callers: ['popup/settings'], params: z.strictObject({ id: z.uuid() }) },
  'wallet/overview': { callers: ['popup', 'popup/settings', 'onboarding'], params: noParameters },
  /**
   * Searches for new coins and confirmations, on all addresses if `all` is set, otherwise only on addresses that are
   * likely to receive coins.
   */
  'wallet/refresh': {
    callers: ['popup', 'onboarding', 'approval'],
    params: z.strictObject({ all: z.optional(z.boolean()) }),
  },
  /** Searches for coins that other wallets derive from the same recovery words, with an optional BIP39 passphrase. */
  'other-wallets/search': {
    callers: ['popup/settings', 'onboarding'],
    params: z.strictObject({ password, passphrase }),
  },
  /** Moves the displayed coins to this wallet, for a fee of at most `feeSatoshis`. */
  'other-wallets/move': {
    callers: ['popup/settings', 'onboarding'],
    params: z.strictObject({
      password,
      passphrase,
      outpoints: z.array(outpoint).check(z.minLength(1), z.maxLength(100)),
      feeSatoshis: satoshis,
    }),
  },
  /** Moves the displayed tokens and ordinals. This wallet's money pays the fee. */
  'other-wallets/move-assets': {
    callers: ['popup/settings', 'onboarding'],
    params: z.strictObject({
      password,
      passphrase,
      outpoints: z.array(outpoint).check(z.minLength(1), z.maxLength(100)),
      feeSatoshis: satoshis,
    }),
  },
  'wallet/search-further': { callers: ['popup/settings'], params: noParameters },
  /**
   * Reports that a window is open. For the next 30 seconds, incoming payments are announced immediately, so open
   * windows repeat this call.
   */
  'wallet/listen': { callers: ['popup'], params: noParameters },
  /** Requests this many satoshis from devnet's faucet. */
  'wallet/faucet': {
    callers: ['popup', 'onboarding', 'approval'],
    params: z.strictObject({ satoshis: z.number().check(z.int(), z.minimum(1), z.maximum(100_000_000)) }),
  },
  /** Lists the activity, newest first. Each request reads a limited number of records. */
  'activity/list': {
    callers: ['popup'],
    params: z.extend(activityFilter, { before, limit: z.number().check(z.int(), z.minimum(1), z.maximum(100)) }),
  },
  'activity/read': {
    callers: ['popup'],
    params: z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(100)) }),
  },
  /** Cancels a rejected payment by spending one of its coins. `feeSatoshis` is the maximum cost. */
  'activity/cancel': {
    callers: ['popup'],
    params: z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(100)), feeSatoshis: satoshis }),
  },
  /** Ends an application's transaction that spends none of the user's coins and hasn't reached the network. */
  'activity/end': {
    callers: ['popup'],
    params: z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(100)) }),
  },
  /** Replaces the user's own note on a payment. An empty string removes the note. */
  'activity/note': {
    callers: ['popup'],
    params: z.strictObject({
      id: z.string().check(z.minLength(1), z.maxLength(100)),
      note: z.string().check(z.maxLength(MAX_NOTE_LENGTH)),
    }),
  },
  /** Returns rows for the export, one page at a time. */
  'activity/export': { callers: ['popup'], params: z.extend(activityFilter, { before }) },
  /** Lists the recipients of the wallet's own payments without duplicates, latest first. */
  'send/recents': { callers: ['popup'], params: noParameters },
  /** Lists the contacts, sorted by name. */
  'contacts/list': { callers: ['popup', 'popup/settings'], params: noParameters },
  /**
   * Saves a contact: a paymail, user ID or address, and the user's name for it. Replaces the contact with this `id` or
   * with the same recipient. Requests the recipient's key from its host unless the wallet already has the key.
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
  /**
   * Quotes the current cost of sending. One recipient can receive the remaining balance. Works while the wallet is
   * locked.
   */
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
   * Pays exactly the quoted satoshis and at most the quoted fee. `time` is the time of the quote. `requestId` is
   * random. Repeating a request with the same ID doesn't pay again. `note` is stored only in the wallet.
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
  'assets/list': { callers: ['popup'], params: noParameters },
  'assets/refresh': { callers: ['popup', 'approval'], params: noParameters },
  /** Returns the content of one of the wallet's outputs (`txid_vout`), an ordinal's origin, or a token's picture. */
  'assets/content': { callers: ['popup'], params: z.strictObject({ outpoint: assetId }) },
  /** Quotes the current cost of sending an amount of a token, or an ordinal. Works while the wallet is locked. */
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
  /** Sends the asset for at most the quoted fee. `units` is the quoted amount. `requestId` works as in `send/pay`. */
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
  /** Sets a different 1Sat ordinals index. Null restores the network's default. */
  'assets/index': { callers: ['popup'], params: z.strictObject({ url: interfaceUrl }) },
  /** Returns the stored picture of a paymail, without any network request. */
  'avatars/kept': { callers: ['popup', 'popup/settings', 'approval'], params: avatarOf },
  /**
   * Returns a paymail's picture, which is fetched from the user's service if it isn't stored. Works only for the user's
   * payers and recipients.
   */
  'avatars/fetch': { callers: ['popup', 'popup/settings'], params: avatarOf },
  'approval/read': { callers: ['approval'], params: z.strictObject({ approvalId }) },
  /**
   * Decides a prompt. `pay` makes a payment and grants its site the allowance `grant`, `grant` grants a requested
   * allowance, `sign` signs in, registers or runs a site's crypto operations, `mint` mints an asset, `permit` grants
   * permissions (if there are several, only those whose index is in `permitted`), `unlock` unlocks the wallet for a
   * site. `refuse` rejects any prompt and, if `blockHours` is set, blocks the site for that time. `feeSatoshis`, the
   * displayed fee, is the maximum.
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
  /** Lists the sites that have an allowance or a permission, are blocked, or were recently rejected. */
  'sites/list': { callers: ['popup'], params: noParameters },
  'sites/change': { callers: ['popup'], params: z.omit(z.extend(allowanceTerms, { token }), { currency: true }) },
  /** Returns the current price of one BSV in an allowance's currency. */
  'sites/rate': { callers: ['popup'], params: z.strictObject({ currency: currencyCode }) },
  'sites/revoke': { callers: ['popup'], params: z.strictObject({ token }) },
  /** Revokes one of a site's permissions. Null revokes all of them. */
  'sites/forbid': {
    callers: ['popup'],
    params: z.strictObject({ origin, name: z.nullable(z.string().check(z.maxLength(1000))) }),
  },
  'sites/block': { callers: ['popup'], params: z.strictObject({ origin, hours: z.nullable(blockHours) }) },
  /** Ends the unfinished actions of a site's application, so they can no longer be signed or sent. */
  'sites/end': { callers: ['popup'], params: z.strictObject({ origin }) },
  'sites/unblock': { callers: ['popup'], params: z.strictObject({ origin }) },
  /** Returns the limits for trusted swipes on all sites, and today's remaining amount. */
  'swipes/read': { callers: ['popup', 'onboarding'], params: noParameters },
  /** Enables trusted swipes on all sites or changes their limits: `amount` per day and `perPayment` per swipe. */
  'swipes/change': {
    callers: ['popup', 'onboarding'],
    params: z.extend(z.omit(allowanceTerms, { period: true }), { perPayment: money }),
  },
  'swipes/switch-off': { callers: ['popup'], params: noParameters },
  'settings/read': { callers: everywhere, params: noParameters },
  'settings/change': { callers: ['popup', 'popup/settings', 'onboarding'], params: settingsChange },
  /** Returns this build's default service. */
  'service/read': { callers: ['popup', 'popup/settings', 'onboarding'], params: noParameters },
  /** Lists the currencies in the service's latest rate table. */
  'settings/currencies': { callers: ['popup/settings'], params: noParameters },
  /** Returns how application data is stored outside this browser. */
  'app-data/read': { callers: ['popup/settings'], params: noParameters },
  /** Exports application data as an encrypted file. The wallet must be unlocked. */
  'app-data/export': { callers: ['popup/settings'], params: noParameters },
  /** Restores application data from an exported file. Idempotent. */
  'app-data/restore': {
    callers: ['popup/settings'],
    params: z.strictObject({ file: z.string().check(z.maxLength(40_000_000)) }),
  },
  /** Uploads all application data to the account's service again, replacing the data stored there. */
  'app-data/save-again': { callers: ['popup/settings'], params: noParameters },
  'network/read': { callers: ['popup/settings', 'onboarding'], params: noParameters },
  /** Changes the network after both URLs have responded. A null URL selects the network's default. */
  'network/choose': {
    callers: ['popup/settings', 'onboarding'],
    params: z.strictObject({
      network: z.enum(NETWORKS),
      arcUrl: interfaceUrl,
      wocUrl: interfaceUrl,
      /** API keys for the two URLs. Null removes the stored key, and an omitted key remains unchanged. */
      arcKey: operatorKey,
      wocKey: operatorKey,
    }),
  },
} as const;

export type WalletMethod = keyof typeof walletMethods;
export type WalletParams<M extends WalletMethod> = z.infer<(typeof walletMethods)[M]['params']>;
