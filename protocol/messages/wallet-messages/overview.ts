/** The wallet as a whole, as the windows show it: account, network, rate, balance. */
import type { Network } from '../../bitcoin/address.ts';
import type { ErrorCode, WireError } from '../../errors/service-error.ts';
import type { AssetWord, HeldAsset } from './assets.ts';
import type { SetAsideView } from './sites.ts';

/** A passkey as the windows know it. Nothing of it is secret. */
export interface PasskeyView {
  /** The credential's id, and its PRF's input: base64url. */
  id: string;
  salt: string;
  name: string;
  /** Milliseconds since 1970; null: never used. */
  createdAt: number;
  usedAt: number | null;
}

/** A recipient whom the user saved. */
export interface ContactView {
  id: string;
  /** The user's own name for it, unverified. */
  name: string;
  /** Paymail, user ID or address. */
  to: string;
  /** For a user ID of another service: that service's host. It can't be paid by this ID. */
  elsewhere: string | null;
}

/** The user's account at the service. */
export interface Account {
  id: string;
  handle: string;
  paymail: string;
  name: string;
}

/** The price of one BSV, decimal text in `currency`, and its time (milliseconds since 1970). */
export interface Rate {
  currency: string;
  price: string;
  /** For two agreeing sources, the older one's. */
  time: number;
  /** How many sources confirm its dollar: two that agree, or a single one. */
  sources: 1 | 2;
  /**
   * The price of one BSV in dollars by the same source, which a second source can confirm. Missing if the source omits
   * it, for BSV itself, and in older records.
   */
  dollar?: string;
}

/** An operator that submits payments to the network. */
export interface OperatorView {
  url: string;
  /** Null until it was queried. */
  dialect: 'arc' | 'arcade' | null;
  /** Whether a key is kept for it. */
  hasKey: boolean;
  /**
   * Its last failure, null once it responded again. `key`: it requires a key, or another one. `wait`: it requested a
   * pause. Until then (milliseconds since 1970) it comes after all others.
   */
  failure: { kind: 'key' | 'wait' | 'failed'; until: number } | null;
}

/** The network and its addresses. URLs have no slash at the end; null means the network's own. */
export interface NetworkChoice {
  network: Network;
  arcUrl: string | null;
  wocUrl: string | null;
  /** The network's operators in the order of their use, the chosen one first. Empty until the service named it. */
  operators: OperatorView[];
  /** Whether a key is kept for the index in use. */
  hasIndexKey: boolean;
  /** The network's own addresses; null if only a service knows them (devnet). */
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
  /** The part of `satoshis` that no verified block contains yet. */
  unconfirmedSatoshis: string;
  /** Number of one-satoshi coins, which may carry tokens: excluded from `satoshis`, never spent as money. */
  keptApart: number;
  /** Coins that sites have set aside, most first; missing if none. */
  setAside?: SetAsideView[];
  /** The next unused receiving address. */
  receiveAddress: string;
  rate: Rate | null;
  /** Why there is no rate: `rates-differ`, `rate-unavailable` or `invalid-currency`; null if there is one. */
  rateProblem: ErrorCode | null;
  /** The progress of a restored wallet's scan: addresses checked, coins found. */
  scan: { addresses: number; coins: number } | null;
  /** Number of transactions to this wallet that are unreadable so far, or queued: excluded from `satoshis`. */
  unread: number;
  /** Transactions missing in a restored wallet's activity; null or missing if it is complete. */
  historyLeft?: number | null;
  /** Number of addresses with more coins than the index lists, some of which may be missing from `satoshis`. */
  crowded: number;
  /** The problem that keeps the wallet from being up to date, if any. */
  problem: WireError | null;
  /** A newer wallet at the user's service; null if there is none, or the browser updates the wallet itself. */
  update: WalletUpdate | null;
}

/** The paths of this wallet's own addresses, without the last index. */
export const OWN_PATHS = ["m/44'/236'/0'/0", "m/44'/236'/0'/1", "m/44'/236'/2'/0"] as const;

/** Coins that other wallets hold for the same words. Satoshis are whole numbers as text. */
export interface OtherWalletsView {
  /** The paths that were searched, without the last index, and the wallets that use them; empty: this wallet. */
  searched: { path: string; wallets: string }[];
  found: {
    /** `txid:vout` */
    outpoint: string;
    path: string;
    wallets: string;
    address: string;
    satoshis: string;
  }[];
  /** Number of coins left for later, because each move is limited. */
  left: number;
  /** The network fee of moving all that were found; null if nothing was, or nothing can pay it. */
  feeSatoshis: string | null;
  /** Tokens and ordinals that are moved together, and how many more there are. */
  assets: { outpoint: string; path: string; wallets: string; address: string; asset: HeldAsset; word: AssetWord }[];
  assetsLeft: number;
  /** The network fee of moving them, which this wallet's money pays; null if there are none, or it has too little. */
  assetsFeeSatoshis: string | null;
  /** The index of ordinals didn't answer for all addresses. */
  assetsUnknown?: true;
  /** Number of other coins of one satoshi. Their content is unknown, and they aren't moved. */
  tokens: number;
}

/** A newer version of the wallet, as the service names it, and the page of the service that offers it. */
export interface WalletUpdate {
  version: string;
  url: string;
}
