/** Progress of the search for coins across refreshes. */
import type { Listing } from '../../baskets/app-output.ts';
import type { Chain } from '../../keys/keys.ts';

export interface ScanPosition {
  chain: Chain;
  from: number;
}

/**
 * Progress of listing a restored wallet's transactions, in batches, starting with each chain's last address. The next
 * `alone` addresses are queried individually.
 */
export interface HistoryProgress {
  listed: boolean;
  next?: ScanPosition & { alone?: number };
  /** True if an address's list was truncated or unreadable, in which case transactions may be missing permanently. */
  isCut?: boolean;
}

/** A reported transaction that couldn't be read. Times in milliseconds since 1970. */
export interface Unreadable {
  txid: string;
  tries: number;
  nextAt: number;
}

/** Progress of a restored wallet's search for coins, and the remaining work of later searches. */
export interface ScanProgress {
  /** Addresses searched and coins found by the first search after a restore. */
  addresses: number;
  coins: number;
  done: boolean;
  next?: ScanPosition;
  /** Position in the rotation over all addresses. */
  turn?: ScanPosition;
  /** Number of addresses left in the current round. */
  left?: number;
  /** When the last round began (milliseconds since 1970). */
  roundAt?: number;
  /** The script of the last searched address with coins, if one refresh couldn't search all such addresses. */
  held?: string | undefined;
  /** True if the last used addresses aren't known yet, because the requests of one refresh didn't suffice. */
  isGapUnfinished?: boolean;
  /**
   * Transactions that pay the wallet but haven't been read yet: their count, the addresses (scripts) that they pay,
   * failed attempts, and whether some can be read at the next refresh.
   */
  unread?: { count: number; scripts: string[]; failed: Unreadable[]; waiting: boolean };
  /**
   * Addresses (scripts) with lists that exceed the maximum response size, and when to retry (milliseconds since 1970).
   */
  crowded?: { script: string; nextAt: number }[];
  /**
   * Outputs in applications' baskets: the last one checked, and those spent outside this wallet, with their site and
   * the time until which they are checked (milliseconds since 1970).
   */
  kept?: { after?: Listing | undefined; spent: { outpoint: string; origin: string; until: number }[] };
}

/** @param before the previous progress, whose outputs are still checked, because no search finds these outputs again */
export function newProgress(done: boolean, before?: ScanProgress): ScanProgress {
  return { addresses: 0, coins: 0, done, ...(before?.kept && { kept: before.kept }) };
}
