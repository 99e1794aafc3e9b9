/** Other views of the spendable coins, for a choice (choose.ts). */
import type { CoinSource } from './choose.ts';
import type { Coin, Tier } from './coin.ts';
import { ranked } from './coin.ts';

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
