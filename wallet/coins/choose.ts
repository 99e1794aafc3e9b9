/** Selects coins for payments without loading all coins. */
import { ServiceError, type WireError } from '../../protocol/errors/service-error.ts';
import type { TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import type { ApplicationInput } from '../transaction/input.ts';
import { feeFor, spendingFee, transactionSize, type FeeRate } from '../transaction/plan.ts';
import { NOTHING, ranked, type ONE_SAT_TIER, type BalanceTotals, type Coin, type Tier, type UNFOUND } from './coin.ts';
import { database, readTransaction, type Reading } from '../store/database.ts';
import { getTotal } from '../store/totals.ts';
import type { Wallet } from '../platform.ts';

/**
 * Maximum number of inputs per transaction. Together, they take up 740 kB, far below the nodes' limit of 10 MB, and are
 * signed within about a second.
 */
export const MAX_INPUTS = 5000;

/** All tiers, in spending order. */
export const TIERS: readonly Tier[] = [0, 1, 2];

/** A source of spendable coins. */
export interface CoinSource {
  /** Returns an upper bound on the total value of the coins, in satoshis. */
  atMost(): Promise<bigint>;
  /** Returns the smallest coin in a tier that is worth at least `atLeast` satoshis. */
  smallest(tier: Tier, atLeast: bigint): Promise<Coin | undefined>;
  /** Yields the coins in several tiers that are worth at least `atLeast` satoshis, largest first. */
  largest(tiers: readonly Tier[], atLeast: bigint): AsyncIterable<Coin>;
}

/** Returns the source without the coins at these outpoints. */
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
 * Selects coins that cover the outputs and the fee: the smallest sufficient coin or, if no single coin suffices, as
 * many of the largest as needed. The number of inputs is minimal, so the function fails only if no set of coins
 * suffices. Unconfirmed coins are used only if confirmed ones aren't enough, which keeps unconfirmed chains short.
 * @param required coins outside of the source that are always spent
 * @param given inputs that an application adds
 * @throws ServiceError `insufficient-funds`, `amount-too-many-coins`
 */
export async function chooseCoins<R extends Pick<Coin, 'satoshis'> = Coin>(
  source: CoinSource,
  outputs: readonly TransactionOutput[],
  rate: FeeRate,
  required: readonly R[] = [],
  given: readonly ApplicationInput[] = [],
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
    // A coin worth less than the fee for its input would lower the spendable sum.
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

/** Returns every coin that is worth the fee for its input, or the largest ones up to {@link MAX_INPUTS}. */
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
 * Returns a coin source for a transaction that won't be broadcast immediately. It offers the smallest sufficient coin,
 * confirmed or not, and no coin above a limit.
 * @param most maximum satoshis per coin; null for no limit
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
 * Returns a source of the coins that can be spent now, for one selection. All reads share one transaction, so the
 * caller must not await anything else in between.
 */
export function availableCoins(wallet: Wallet): CoinSource {
  let begun: Promise<Reading> | undefined;
  const reading = () => (begun ??= database(wallet).then(readTransaction));
  const ranking = async () => (await reading()).objectStore('coins').index('rank');
  return {
    // Includes pending coins, so it can exceed the spendable sum.
    atMost: async () => (await totalsIn(await reading())).satoshis,
    smallest: async (tier, atLeast) => (await ranking()).get(ranks(wallet, tier, atLeast)),
    async *largest(tiers, atLeast) {
      const index = await ranking();
      const cursors = await Promise.all(tiers.map((tier) => index.openCursor(ranks(wallet, tier, atLeast), 'prev')));
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

export function ranks(wallet: Wallet, tier: Tier | typeof ONE_SAT_TIER | typeof UNFOUND, atLeast: bigint): IDBKeyRange {
  return wallet.keyRange.bound(['available', tier, Number(atLeast)], ['available', tier, Number.POSITIVE_INFINITY]);
}

/**
 * Counts the coins that can be spent now, and the wallet's outputs in its own payments that the network hasn't accepted
 * yet.
 */
export async function countCoins(wallet: Wallet): Promise<{ available: number; pending: number }> {
  const tx = readTransaction(await database(wallet));
  const pending = tx.objectStore('coins').index('status').count('pending');
  return { available: (await totalsIn(tx)).available, pending: await pending };
}

/**
 * Returns true if a payment lacks coins only because part of the balance is change from payments that the network
 * hasn't accepted yet.
 * @param satoshis the payment's cost, without the fee
 */
export async function awaitsChange(wallet: Wallet, problem: WireError | null, satoshis: bigint): Promise<boolean> {
  if (problem?.code !== 'insufficient-funds') return false;
  const [{ pending }, { satoshis: total }] = [
    await countCoins(wallet),
    await totalsIn(readTransaction(await database(wallet))),
  ];
  return pending > 0 && total >= satoshis;
}
