/** Chooses which coins a payment spends, without loading all of them. Pure: the caller provides the source of coins. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import type { GivenInput } from '../transaction/input.ts';
import { feeFor, spendingFee, transactionSize, type FeeRate } from '../transaction/fee.ts';
import type { Coin, Tier } from './coin.ts';

/** This many inputs take 740 kB: far below the limit of nodes (10 MB), signed within about a second. */
export const MAX_INPUTS = 5000;

/** All tiers, in the order in which they are spent. */
export const TIERS: readonly Tier[] = [0, 1, 2];

/** The coins that may be spent, as a choice reads them. */
export interface CoinSource {
  /** An upper bound of their sum in satoshis. */
  atMost(): Promise<bigint>;
  /** The smallest coin of a tier that is worth at least this many satoshis. */
  smallest(tier: Tier, atLeast: bigint): Promise<Coin | undefined>;
  /** The coins of some tiers together that are worth at least this many satoshis, largest first. */
  largest(tiers: readonly Tier[], atLeast: bigint): AsyncIterable<Coin>;
}

/** The same coins except some, by their outpoints. */
export function without(source: CoinSource, outpoints: ReadonlySet<string>): CoinSource {
  if (outpoints.size === 0) return source;
  return {
    atMost: () => source.atMost(),
    async smallest(tier, atLeast) {
      const coin = await source.smallest(tier, atLeast);
      return coin && outpoints.has(coin.outpoint) ? undefined : coin;
    },
    async *largest(tiers, atLeast) {
      for await (const coin of source.largest(tiers, atLeast)) if (!outpoints.has(coin.outpoint)) yield coin;
    },
  };
}

/**
 * Chooses coins that pay for some outputs and the fee of their own inputs: the smallest single one that is enough, else
 * as many of the largest as needed. That takes the minimum number of inputs, so it fails only if no choice would do.
 * Unconfirmed coins are used only if confirmed ones aren't enough, so that chains of unconfirmed transactions stay
 * short.
 * @param required coins outside of the source that are always spent
 * @param given inputs that an application adds
 * @throws ServiceError `insufficient-funds`, `amount-too-many-coins`
 */
export async function chooseCoins<R extends Pick<Coin, 'satoshis'> = Coin>(
  source: CoinSource,
  outputs: readonly TransactionOutput[],
  rate: FeeRate,
  required: readonly R[] = [],
  given: readonly GivenInput[] = [],
): Promise<(R | Coin)[]> {
  const wanted =
    outputs.reduce((sum, { satoshis }) => sum + satoshis, 0n) -
    [...required, ...given].reduce((sum, { satoshis }) => sum + satoshis, 0n);
  const needs = (inputs: number) => wanted + feeFor(transactionSize(required.length + inputs, outputs, given), rate);
  if (required.length + given.length > 0 && needs(0) <= 0n) return [...required];
  if ((await source.atMost()) < needs(1)) throw new ServiceError('insufficient-funds');
  let tooMany = false;
  for (const tier of TIERS) {
    const single = await source.smallest(tier, needs(1));
    if (single) return [...required, single];
    const chosen: Coin[] = [];
    let sum = 0n;
    // A coin that is worth less than its input costs would lower the sum.
    for await (const coin of source.largest(TIERS.slice(0, tier + 1), spendingFee(rate))) {
      if (required.length + chosen.length >= MAX_INPUTS) {
        tooMany = true;
        break;
      }
      chosen.push(coin);
      sum += coin.satoshis;
      if (sum >= needs(chosen.length)) return [...required, ...chosen];
    }
  }
  throw new ServiceError(tooMany ? 'amount-too-many-coins' : 'insufficient-funds');
}

/** Every coin that is worth its input, or the largest if one transaction can't spend all of them. */
export async function everyCoin(source: CoinSource, rate: FeeRate): Promise<Coin[]> {
  const coins: Coin[] = [];
  for await (const coin of source.largest(TIERS, spendingFee(rate))) {
    if (coins.push(coin) === MAX_INPUTS) break;
  }
  return coins;
}
