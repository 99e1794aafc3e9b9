/** Chooses which coins a payment spends, without loading all of them. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import type { GivenInput } from '../transaction/input.ts';
import { feeFor, spendingFee, transactionSize, type FeeRate } from '../transaction/plan.ts';
import { NOTHING, ranked, type APART, type BalanceTotals, type Coin, type Tier, type UNFOUND } from './coin.ts';
import { database, readTransaction, type Reading } from '../store/database.ts';
import { getTotal } from '../store/totals.ts';
import type { Wallet } from '../platform.ts';

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

const larger = (a: Coin, b: Coin) => Number(b.satoshis - a.satoshis);

export function plus(source: CoinSource, more: readonly Coin[]): CoinSource {
  const ofTiers = (tiers: readonly Tier[], atLeast: bigint) =>
    more
      .filter((coin) => (tiers as readonly number[]).includes(ranked(coin).tier) && coin.satoshis >= atLeast)
      .toSorted(larger);
  return {
    atMost: async () => (await source.atMost()) + more.reduce((sum, { satoshis }) => sum + satoshis, 0n),
    async smallest(tier, atLeast) {
      const [theirs, mine] = [await source.smallest(tier, atLeast), ofTiers([tier], atLeast).at(-1)];
      return mine && (!theirs || mine.satoshis < theirs.satoshis) ? mine : theirs;
    },
    async *largest(tiers, atLeast) {
      const left = ofTiers(tiers, atLeast);
      for await (const coin of source.largest(tiers, atLeast)) {
        while (left[0] && left[0].satoshis > coin.satoshis) yield left.shift() as Coin;
        yield coin;
      }
      yield* left;
    },
  };
}

/**
 * The same coins for a payment that can wait: the smallest sufficient one first, confirmed or not, and none above a
 * limit.
 * @param most satoshis of one coin
 */
export function gentle(source: CoinSource, tiers: readonly Tier[], most: bigint | null): CoinSource {
  const isTooLarge = ({ satoshis }: Coin) => most !== null && satoshis > most;
  return {
    atMost: () => source.atMost(),
    async smallest(_, atLeast) {
      const each = await Promise.all(tiers.map((tier) => source.smallest(tier, atLeast)));
      const [best] = each.filter((coin) => coin !== undefined).toSorted((a, b) => larger(b, a));
      return best && !isTooLarge(best) ? best : undefined;
    },
    async *largest(wanted, atLeast) {
      for await (const coin of source.largest(wanted, atLeast)) if (!isTooLarge(coin)) yield coin;
    },
  };
}

/**
 * The coins that may be spent now, by the index that ranks them, for one choice: it reads them in one transaction, so
 * it must await nothing else.
 */
export function availableCoins(wallet: Wallet): CoinSource {
  let begun: Promise<Reading> | undefined;
  const reading = () => (begun ??= database(wallet).then(readTransaction));
  const ranking = async () => (await reading()).objectStore('coins').index('rank');
  return {
    // Includes the pending ones, so it may be more.
    atMost: async () => (await totalsIn(await reading())).satoshis,
    smallest: async (tier, atLeast) => (await ranking()).get(ranks(tier, atLeast)),
    async *largest(tiers, atLeast) {
      const index = await ranking();
      const cursors = await Promise.all(tiers.map((tier) => index.openCursor(ranks(tier, atLeast), 'prev')));
      for (;;) {
        let best = 0;
        for (const [i, cursor] of cursors.entries())
          if ((cursor?.value.value ?? -1) > (cursors[best]?.value.value ?? -1)) best = i;
        const cursor = cursors[best];
        if (!cursor) return;
        yield cursor.value;
        cursors[best] = await cursor.continue();
      }
    },
  };
}

export const totalsIn = async (tx: Reading): Promise<BalanceTotals> => (await getTotal(tx, 'coins')) ?? NOTHING;

export function ranks(tier: Tier | typeof APART | typeof UNFOUND, atLeast: bigint): IDBKeyRange {
  return IDBKeyRange.bound(['available', tier, Number(atLeast)], ['available', tier, Number.POSITIVE_INFINITY]);
}

/**
 * Number of coins that can be spent now, and of outputs of the wallet's own payments that the network hasn't accepted
 * yet.
 */
export async function countCoins(wallet: Wallet): Promise<{ available: number; pending: number }> {
  const tx = readTransaction(await database(wallet));
  const pending = tx.objectStore('coins').index('status').count('pending');
  return { available: (await totalsIn(tx)).available, pending: await pending };
}
