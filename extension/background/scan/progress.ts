/** Progress of the search for coins: what a refresh leaves to the next one. */
import type { Listing } from '../baskets/app-output.ts';
import type { Chain } from '../vault/keys.ts';

/** An address by its place. */
export interface Place {
  chain: Chain;
  from: number;
}

/**
 * How far the addresses of a restored wallet were asked for their transactions: downwards on each chain, many at once, or
 * one by one as many as `alone` says.
 */
export interface HistoryProgress {
  listed: boolean;
  next?: Place & { alone?: number };
}

/** A transaction that the index names and that could not be read. Times in milliseconds since 1970. */
export interface Unreadable {
  txid: string;
  tries: number;
  nextAt: number;
}

/** The search for a restored wallet's coins, and what later looks leave to be done. */
export interface ScanProgress {
  /** Addresses looked at and coins found by the search that a restored wallet begins with. */
  addresses: number;
  coins: number;
  done: boolean;
  /** The address to continue with. */
  next?: Place;
  /**
   * All addresses are searched in rotation: the one to continue with, and how many the current round still has to
   * search.
   */
  turn?: Place;
  left?: number;
  /** When the last such round was begun (milliseconds since 1970). */
  roundAt?: number;
  /** If more addresses hold coins than one refresh searches: the script after which to continue. */
  held?: string | undefined;
  /**
   * Transactions that pay us and were not read yet: how many, on which addresses (scripts), which could not be, and
   * whether some only wait for their turn.
   */
  unread?: { count: number; scripts: string[]; failed: Unreadable[]; waiting: boolean };
  /**
   * Addresses (scripts) whose list of coins is larger than an answer may be, and when to ask again (milliseconds since
   * 1970).
   */
  crowded?: { script: string; nextAt: number }[];
  /**
   * Of the outputs that are kept for applications: the one after which to continue, and those that were spent elsewhere,
   * for which site they are kept and until when they are looked at (milliseconds since 1970).
   */
  kept?: { after?: Listing | undefined; spent: { outpoint: string; origin: string; until: number }[] };
}

/** What a wallet begins with. */
export function newProgress(done: boolean): ScanProgress {
  return { addresses: 0, coins: 0, done };
}
