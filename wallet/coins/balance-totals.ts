/** The stored sum of all coins, except one-satoshi coins and those beyond the words' reach. */
import { isKeptApart, type Coin } from './coin.ts';

/** Satoshis that the wallet can spend, now or once the network has its own payment. */
export interface BalanceTotals {
  satoshis: bigint;
  /** The part of `satoshis` that isn't in a checked block yet. */
  unconfirmed: bigint;
  available: number;
}

/** The totals of an empty wallet. */
export const NOTHING: BalanceTotals = { satoshis: 0n, unconfirmed: 0n, available: 0 };

const isHeld = (coin: Coin) =>
  (coin.status === 'available' || (coin.status === 'pending' && !coin.isUnproven)) &&
  !isKeptApart(coin) &&
  !coin.isUnfound;

/** The totals after `after` replaces `before`, or one of them is missing. */
export function counted(holdings: BalanceTotals, before: Coin | undefined, after: Coin | undefined): BalanceTotals {
  const next = { ...holdings };
  for (const [coin, sign] of [
    [before, -1n],
    [after, 1n],
  ] as const) {
    if (!coin || !isHeld(coin)) continue;
    next.satoshis += sign * coin.satoshis;
    if (coin.height === null) next.unconfirmed += sign * coin.satoshis;
    if (coin.status === 'available') next.available += Number(sign);
  }
  return next;
}
