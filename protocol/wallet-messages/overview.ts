/** What the windows show of the wallet as a whole: account, network, rate, balance. */
import type { Network } from '../address.ts';
import type { ErrorCode, WireError } from '../errors.ts';
import type { SetAsideView } from './sites.ts';

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
  /** What the operator's address that is in use speaks; null until it was asked. */
  dialect: 'arc' | 'arcade' | null;
  /** Whether a key is kept for it. */
  hasKey: boolean;
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
  /** What sites have set aside, most first; missing where none has. */
  setAside?: SetAsideView[];
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
