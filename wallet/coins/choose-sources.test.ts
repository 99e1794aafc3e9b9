import { describe, expect, test } from 'vitest';
import { chooseCoins, TIERS, type CoinSource, gentle, plus } from './choose.ts';
import type { Coin } from './coin.ts';
import { ranked } from './coin.ts';

const coin = (satoshis: number, height: number | null = 1): Coin => ({
  outpoint: `${satoshis} ${height}`,
  txid: 'ab'.repeat(32),
  vout: 0,
  satoshis: BigInt(satoshis),
  script: '',
  chain: 'change',
  index: 0,
  status: 'available',
  paymentId: null,
  height,
  depth: height === null ? 1 : 0,
  seen: true,
});

const none: CoinSource = {
  atMost: () => Promise.resolve(0n),
  smallest: () => Promise.resolve(undefined),
  // oxlint-disable-next-line no-empty-function
  async *largest() {},
};
const RATE = { satoshis: 100, bytes: 1000 };
const paying = (satoshis: number) => [{ satoshis: BigInt(satoshis), lockingScript: new Uint8Array(25) }];
const chosen = async (source: CoinSource, satoshis: number) =>
  (await chooseCoins(source, paying(satoshis), RATE)).map((one) => Number(one.satoshis));

describe('a source with additional coins', () => {
  const source = plus(plus(none, [coin(5000), coin(3000, null)]), [coin(4000), coin(7000)]);

  test('coins are offered by tier, the smallest sufficient one first', async () => {
    expect(await chosen(source, 3500)).toEqual([4000]);
    expect(await chosen(source, 6000)).toEqual([7000]);
  });

  test('coins are offered together, the largest first', async () => {
    expect(await chosen(source, 11_000)).toEqual([7000, 5000]);
    expect(await chosen(source, 18_000)).toEqual([7000, 5000, 4000, 3000]);
    const all: bigint[] = [];
    for await (const one of source.largest(TIERS, 0n)) all.push(one.satoshis);
    expect(all).toEqual([7000n, 5000n, 4000n, 3000n]);
    expect(await source.atMost()).toBe(19_000n);
  });
});

describe('coins for a payment that is spent later', () => {
  const coins = [coin(100_000), coin(3000, null), coin(2000)];
  const source = plus(none, coins);

  test('the smallest sufficient coins are offered, confirmed or not', async () => {
    expect(coins.map((one) => ranked(one).tier)).toEqual([0, 1, 0]);
    expect(await chosen(gentle(source, TIERS, null), 2500)).toEqual([3000]);
    expect(await chosen(source, 2500)).toEqual([100_000]);
  });

  test('no coins above the limit are offered', async () => {
    const limited = gentle(source, TIERS, 50_000n);
    expect(await chosen(limited, 4000)).toEqual([3000, 2000]);
    await expect(chosen(limited, 10_000)).rejects.toMatchObject({ code: 'insufficient-funds' });
  });
});
