/** Types for the wallet's state as displayed by the windows: account, network, rate, balance. */
import type { Network } from '../../bitcoin/address.ts';
import type { ErrorCode, WireError } from '../../errors/service-error.ts';
import type { AssetWord, HeldAsset } from './assets.ts';
import type { SetAsideView } from './sites.ts';

/** A passkey as displayed by the windows. Contains no secrets. */
export interface PasskeyView {
  /** The credential's ID and its PRF input, both base64url. */
  id: string;
  salt: string;
  name: string;
  /** Milliseconds since 1970. `usedAt` is null if the passkey was never used. */
  createdAt: number;
  usedAt: number | null;
}

/** A recipient whom the user saved. */
export interface ContactView {
  id: string;
  /** The user's own name for the recipient, unverified. */
  name: string;
  /** A paymail, user ID or address. */
  to: string;
  /** For a user ID from another service: that service's host. The wallet can't pay this user ID. */
  elsewhere: string | null;
}

export interface Account {
  id: string;
  handle: string;
  paymail: string;
  name: string;
}

/** The price of one BSV as a decimal string in `currency`, and its time (milliseconds since 1970). */
export interface Rate {
  currency: string;
  price: string;
  /** If two sources agree, the time of the older price. */
  time: number;
  /** Number of sources for the dollar price: two if they agree, otherwise one. */
  sources: 1 | 2;
  /**
   * The price of one BSV in dollars from the same source, which a second source can confirm. Missing if unavailable, if
   * the currency is BSV, and in older records.
   */
  dollar?: string;
}

/** An operator that submits payments to the network. */
export interface OperatorView {
  url: string;
  /** Null until it is detected. */
  dialect: 'arc' | 'arcade' | null;
  hasKey: boolean;
  /**
   * The operator's latest failure, or null if a request has succeeded since. `key`: the operator requires a key, or a
   * different key. `wait`: the operator requested a pause. Before `until` (milliseconds since 1970), the operator is
   * used only after all others.
   */
  failure: { kind: 'key' | 'wait' | 'failed'; until: number } | null;
}

/** The network and its URLs, without a trailing slash. Null means the network's default. */
export interface NetworkChoice {
  network: Network;
  arcUrl: string | null;
  wocUrl: string | null;
  /**
   * The network's operators in order of use, the chosen operator first. Empty until the service has reported the
   * operators.
   */
  operators: OperatorView[];
  /** Whether a key for the index in use is stored. */
  hasIndexKey: boolean;
  /** The network's default URLs. Null if a service provides the URLs, as on devnet. */
  preset: { arcUrl: string; wocUrl: string } | null;
  /** Whether any URL in use comes from the service. */
  fromService: boolean;
}

/** The popup's home page. Satoshis are strings. */
export interface Overview {
  network: Network;
  account: Account | null;
  /** The spendable balance, including unconfirmed change and receipts. */
  satoshis: string;
  /** The part of `satoshis` that hasn't been confirmed by a verified block yet. */
  unconfirmedSatoshis: string;
  /** Number of one-satoshi coins, which can carry tokens. Excluded from `satoshis` and never spent as money. */
  keptApart: number;
  /** Coins reserved for sites, largest amount first. Missing if none. */
  setAside?: SetAsideView[];
  /** The next unused receiving address. */
  receiveAddress: string;
  rate: Rate | null;
  /** Why there is no rate: `rates-differ`, `rate-unavailable` or `invalid-currency`. Null if there is a rate. */
  rateProblem: ErrorCode | null;
  /** The progress of a restored wallet's scan: number of addresses checked, and number of coins found. */
  scan: { addresses: number; coins: number } | null;
  /** Number of received transactions that can't be read yet or are queued. `satoshis` doesn't include their amounts. */
  unread: number;
  /**
   * Number of transactions that a restored wallet has yet to read for the activity. Null or missing if there are none.
   */
  historyLeft?: number | null;
  /** True if an address has more transactions than the wallet lists, so the activity may permanently lack some. */
  isHistoryCut?: boolean;
  /** Number of addresses with more coins than the index lists. `satoshis` may lack some of these coins. */
  crowded: number;
  /** The problem that prevents the wallet from being up to date, if any. */
  problem: WireError | null;
  /** A newer wallet version from the user's service. Null if there is none or the browser updates the wallet itself. */
  update: WalletUpdate | null;
}

/** Derivation paths of this wallet's own addresses, without the last index. */
export const OWN_PATHS = ["m/44'/236'/0'/0", "m/44'/236'/0'/1", "m/44'/236'/2'/0"] as const;

/** Coins that other wallets derived from the same recovery words. Satoshis are strings. */
export interface OtherWalletsView {
  /** The searched paths, without the last index, and the wallets that use them (empty: this wallet). */
  searched: { path: string; wallets: string }[];
  found: {
    /** The coin's outpoint, `txid:vout`. */
    outpoint: string;
    path: string;
    wallets: string;
    address: string;
    satoshis: string;
  }[];
  /** Number of coins that exceed the limit for one move and remain for the next. */
  left: number;
  /** The network fee for moving the coins found. Null if there are no coins, or if the coins can't pay the fee. */
  feeSatoshis: string | null;
  /** Tokens and ordinals that fit in one move. */
  assets: { outpoint: string; path: string; wallets: string; address: string; asset: HeldAsset; word: AssetWord }[];
  /** Number of tokens and ordinals that remain after one move. */
  assetsLeft: number;
  /**
   * The network fee for moving these assets, paid by this wallet. Null if there are no assets or this wallet's balance
   * is too low.
   */
  assetsFeeSatoshis: string | null;
  /** Set if the ordinals index didn't respond for all addresses. */
  assetsUnknown?: true;
  /** Number of other one-satoshi coins, which aren't moved because their content is unknown. */
  tokens: number;
}

/** A newer wallet version as reported by the service, and the service's page that offers it. */
export interface WalletUpdate {
  version: string;
  url: string;
}
