/** Progress of the search for coins, from one refresh to the next. */
import type { Listing } from '../../baskets/app-output.ts';
import type { Chain } from '../../keys/keys.ts';

/** An address by its position. */
export interface Place {
  chain: Chain;
  from: number;
}

/**
 * How far the addresses of a restored wallet were queried for their transactions: downwards on each chain, in batches,
 * or individually for as many as `alone` says.
 */
export interface HistoryProgress {
  listed: boolean;
  next?: Place & { alone?: number };
}

/** An unreadable transaction that the index reports. Times in milliseconds since 1970. */
export interface Unreadable {
  txid: string;
  tries: number;
  nextAt: number;
}

/** The search for a restored wallet's coins, and the work left by later searches. */
export interface ScanProgress {
  /** Addresses searched and coins found by a restored wallet's first search. */
  addresses: number;
  coins: number;
  done: boolean;
  next?: Place;
  /** The position in the rotation over all addresses, and how many the current round has yet to search. */
  turn?: Place;
  left?: number;
  /** When the last such round began (milliseconds since 1970). */
  roundAt?: number;
  /** If more addresses hold coins than one refresh searches: the script after which to continue. */
  held?: string | undefined;
  /**
   * Unread transactions that pay the wallet: their number, their addresses (scripts), which failed, and whether some
   * only wait for their turn.
   */
  unread?: { count: number; scripts: string[]; failed: Unreadable[]; waiting: boolean };
  /** Addresses (scripts) whose lists exceed the maximum response, and when to retry (milliseconds since 1970). */
  crowded?: { script: string; nextAt: number }[];
  /**
   * Outputs kept for applications: the one after which to continue, and those that were spent elsewhere, for which site
   * they are kept and until when they are checked (milliseconds since 1970).
   */
  kept?: { after?: Listing | undefined; spent: { outpoint: string; origin: string; until: number }[] };
}

export function newProgress(done: boolean): ScanProgress {
  return { addresses: 0, coins: 0, done };
}
