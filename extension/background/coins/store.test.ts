import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { someCoins, sourceOf, testCoin } from '../testing/coins.ts';
import { endAllWorkerRuns, Profile } from '../testing/worker-run.ts';
import type { CoinSource } from './choose.ts';
import type { Coin, Tier } from './coin.ts';

afterEach(endAllWorkerRuns);

async function open() {
  const {
    modules: { database, store },
  } = await new Profile('http://localhost:1').start();
  const { putCoin } = await import('./put-coin.ts');
  const db = await database.database();
  const fill = async (coins: readonly Coin[]) => {
    await Promise.all([db.clear('coins'), db.clear('totals')]);
    await database.inTransaction(async (tx) => {
      for (const coin of coins) await putCoin(tx, coin);
    });
  };
  return { store, fill };
}

async function values(source: CoinSource, tiers: readonly Tier[], atLeast: bigint): Promise<bigint[]> {
  const all: bigint[] = [];
  for await (const { satoshis } of source.largest(tiers, atLeast)) all.push(satoshis);
  return all;
}

test('the database shows a choice the same coins as a plain list of the available ones', async () => {
  const { store, fill } = await open();
  const value = fc.oneof(fc.bigInt(1n, 30n), fc.bigInt(2_099_999_999_999_990n, 2_100_000_000_000_000n));
  const status = fc.constantFrom<Coin['status'][]>('available', 'available', 'pending', 'reserved', 'spent');
  await fc.assert(
    fc.asyncProperty(
      someCoins(value, 10),
      fc.array(status, { minLength: 10, maxLength: 10 }),
      value,
      async (coins, statuses, atLeast) => {
        const stored = coins.map((coin, i): Coin => ({ ...coin, status: statuses[i] as Coin['status'] }));
        await fill(stored);
        const plain = sourceOf(stored.filter((coin) => coin.status === 'available' && coin.satoshis > 1n));
        expect(await store.availableCoins.atMost()).toBeGreaterThanOrEqual(await plain.atMost());
        for (const tier of [0, 1, 2] as const) {
          expect((await store.availableCoins.smallest(tier, atLeast))?.satoshis).toBe(
            (await plain.smallest(tier, atLeast))?.satoshis,
          );
          const tiers = ([0, 1, 2] as const).slice(0, tier + 1);
          expect(await values(store.availableCoins, tiers, atLeast)).toEqual(await values(plain, tiers, atLeast));
        }
        expect(await store.countPending()).toBe(stored.filter((coin) => coin.status === 'pending').length);
      },
    ),
    { numRuns: 60 },
  );
});

test('a look that ends early leaves the database free', async () => {
  const { store, fill } = await open();
  await fill([testCoin(5n), testCoin(6n, { vout: 1 }), testCoin(7n, { vout: 2 })]);
  for await (const coin of store.availableCoins.largest([0], 0n)) {
    expect(coin.satoshis).toBe(7n);
    break;
  }
  await fill([testCoin(9n)]);
  expect(await values(store.availableCoins, [0], 0n)).toEqual([9n]);
});
