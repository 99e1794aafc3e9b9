/**
 * How to split change into pieces. A wallet with one coin could make only one payment at a time, each spending the
 * change of the previous one: a chain of unconfirmed transactions, whose length nodes limit.
 */
import { spendingFee, type FeeRate } from './fee.ts';

/** Spendable coins that are enough for parallel payments. */
const COINS_KEPT = 8;
/** Each change output costs its bytes now and an input later. */
const MAX_PIECES = 4;
/** Each of several pieces is worth at least this many times the cost of spending it. */
const WORTH_TIMES = 100n;
/** Minimum satoshis of a piece, for networks with almost no fees. */
const LEAST_SATOSHIS = 1000n;
/** Maximum unconfirmed change addresses of all payments: well within the gap limit of 20, even if all fail. */
const MAX_PENDING = 10;

/** The coins that a payment leaves. */
export interface CoinCounts {
  /** Spendable once the payment has taken its own coins. */
  available: number;
  /** Outputs of our own payments that the network hasn't accepted yet. */
  pending: number;
}

/** How many pieces of change to make, from 1 to {@link MAX_PIECES}. */
export function piecesWanted({ available, pending }: CoinCounts): number {
  return Math.max(1, Math.min(MAX_PIECES, COINS_KEPT - available, MAX_PENDING - pending));
}

/**
 * The minimum value of each output, in satoshis: for a single one the cost of spending it, for several more. Outputs of
 * one satoshi would never be spent (wallet/coins/coin.ts), so none is created.
 */
export function leastPiece(pieces: number, rate: FeeRate): bigint {
  const cost = spendingFee(rate);
  if (pieces === 1) return cost > 2n ? cost : 2n;
  return cost * WORTH_TIMES > LEAST_SATOSHIS ? cost * WORTH_TIMES : LEAST_SATOSHIS;
}

/**
 * Splits change: a half, a quarter, …, and the rest. Small pieces serve small payments and leave the large one for a
 * large payment, which would need several equal pieces. Unequal values also hide on the chain that they are change.
 */
export function splitChange(satoshis: bigint, pieces: number): bigint[] {
  const values: bigint[] = [];
  let rest = satoshis;
  while (values.length < pieces - 1) {
    values.push(rest / 2n);
    rest -= rest / 2n;
  }
  return [...values, rest];
}
