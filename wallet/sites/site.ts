/** The wallet's record of a site: when the user rejected its requests, and whether it is blocked. */

/** A site, identified by its full origin. Times in milliseconds since 1970. */
export interface Site {
  origin: string;
  /** Times of the user's last two rejections, in order. */
  refusedAt: number[];
  /** Number of consecutive windows rejected by the user or withdrawn by the page. */
  dismissals: number;
  endedAt: number;
  /** No prompts before this time; null if not blocked. */
  blockedUntil: number | null;
  /** Coins that the site reserved but didn't spend, by minute, oldest first; missing if there are none. */
  setAside?: ReservedCoins[];
}

/** Coins reserved by a site: the time (milliseconds since 1970) and the amount (satoshis). */
export interface ReservedCoins {
  at: number;
  satoshis: bigint;
}

/** End time of a block without a time limit. */
export const PERMANENTLY = Number.MAX_SAFE_INTEGER;

/**
 * Maximum duration of a block with a time limit (milliseconds): `blockHours`,
 * protocol/messages/wallet-messages/parameters.ts.
 */
export const MAX_BLOCK_MS = 24 * 3600_000;

/** The origin of the wallet's own payments. No page can have this origin, because page origins include a scheme. */
export const OWN = '';
