import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import type { TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import { feeFor, spendingFee, transactionSize, type FeeRate } from '../transaction/plan.ts';
import { someCoins, sourceOf, testCoin, testScript } from '../../testkit/wallet/coins.ts';
import type { ApplicationInput } from '../transaction/input.ts';
import { chooseCoins, everyCoin, MAX_INPUTS, without } from './choose.ts';
import type { Coin } from './coin.ts';

const RATE: FeeRate = { satoshis: 100, bytes: 1000 };
const rates = fc.constantFrom<FeeRate>(
  { satoshis: 0, bytes: 1000 },
  { satoshis: 1, bytes: 1000 },
  RATE,
  { satoshis: 333, bytes: 1000 },
  { satoshis: 1, bytes: 1 },
);
const outputs = fc.array(
  fc.record<TransactionOutput>({ satoshis: fc.bigInt(1n, 400n), lockingScript: fc.uint8Array({ maxLength: 300 }) }),
  { minLength: 1, maxLength: 3 },
);
const wanting = (satoshis: bigint): TransactionOutput[] => [{ satoshis, lockingScript: testScript(1) }];
const total = (parts: readonly { satoshis: bigint }[]) => parts.reduce((sum, { satoshis }) => sum + satoshis, 0n);
const chosen = async (coins: Coin[], satoshis: bigint) =>
  (await chooseCoins(sourceOf(coins), wanting(satoshis), RATE)).map((coin) => coin.vout);
const tierOf = (coin: Coin) => (coin.height !== null ? 0 : coin.depth < 20 ? 1 : 2);

/** Finds, by brute force, the minimum number of coins that pay for the outputs and the fee without change. */
function fewest(coins: readonly Coin[], wanted: readonly TransactionOutput[], rate: FeeRate): number | null {
  let best: number | null = null;
  for (let set = 1; set < 2 ** coins.length; set += 1) {
    const some = coins.filter((_, i) => (set >> i) & 1);
    if (some.some(({ satoshis }) => satoshis === 1n)) continue; // such coins may carry tokens
    if (total(some) >= total(wanted) + feeFor(transactionSize(some.length, wanted), rate))
      best = Math.min(best ?? some.length, some.length);
  }
  return best;
}

describe('a choice of coins', () => {
  const close = fc.tuple(someCoins(fc.oneof(fc.bigInt(1n, 40n), fc.bigInt(1n, 600n)), 7), outputs, rates);

  test('a selection exists if and only if some set of coins can pay, and uses the fewest coins of the best tiers', async () => {
    await fc.assert(
      fc.asyncProperty(close, async ([coins, wanted, rate]) => {
        const found = await chooseCoins(sourceOf(coins), wanted, rate).catch((error: { code?: string }) => error.code);
        const tier = [0, 1, 2].find(
          (tier) =>
            fewest(
              coins.filter((coin) => tierOf(coin) <= tier),
              wanted,
              rate,
            ) !== null,
        );
        if (tier === undefined) {
          expect(found).toBe('insufficient-funds');
          return;
        }
        const allowed = coins.filter((coin) => tierOf(coin) <= tier);
        expect(found).toHaveLength(fewest(allowed, wanted, rate) as number);
        for (const { outpoint } of found as Coin[]) expect(allowed.map((coin) => coin.outpoint)).toContain(outpoint);
        expect(new Set((found as Coin[]).map((coin) => coin.outpoint)).size).toBe(found?.length);
        expect(total(found as Coin[])).toBeGreaterThanOrEqual(
          total(wanted) + feeFor(transactionSize((found as Coin[]).length, wanted), rate),
        );
      }),
      { numRuns: 400 },
    );
  });

  test('the smallest sufficient coin is selected, or else the largest coins', async () => {
    expect(
      await chosen([testCoin(9000n, { vout: 1 }), testCoin(5000n, { vout: 2 }), testCoin(900n, { vout: 3 })], 1000n),
    ).toEqual([2]);
    expect(
      await chosen([testCoin(900n, { vout: 1 }), testCoin(800n, { vout: 2 }), testCoin(700n, { vout: 3 })], 1000n),
    ).toEqual([1, 2]);
  });

  test('unconfirmed coins are selected only if confirmed ones aren’t enough, and ends of long chains last', async () => {
    const [confirmed, unconfirmed, late] = [
      testCoin(9000n, { vout: 1 }),
      testCoin(5000n, { vout: 2, height: null }),
      testCoin(1100n, { vout: 3, height: null, depth: 20 }),
    ];
    const pair = [testCoin(600n, { vout: 4 }), testCoin(600n, { vout: 5 })];
    expect(await chosen([confirmed, unconfirmed, late], 1000n)).toEqual([1]);
    expect(await chosen([...pair, unconfirmed, late], 1000n)).toHaveLength(2);
    expect(await chosen([pair[0] as Coin, unconfirmed, late], 1000n)).toEqual([2]);
    expect(await chosen([pair[0] as Coin, late], 1000n)).toEqual([3]);
    expect(await chosen([confirmed, unconfirmed, late], 14_800n)).toEqual([1, 2, 3]);
  });

  test('even the smallest coin is selected if it makes the payment possible', async () => {
    const coins = [testCoin(1000n), testCoin(2n, { vout: 1 })];
    expect(await chooseCoins(sourceOf(coins), wanting(1000n), { satoshis: 1, bytes: 1000 })).toHaveLength(2);
  });

  test('coins worth less than their input costs are not read', async () => {
    const dust = Array.from({ length: 1000 }, (_, vout) => testCoin(spendingFee(RATE) - 1n, { vout }));
    const source = sourceOf([...dust, testCoin(600n, { vout: 2000 }), testCoin(600n, { vout: 2001 })]);
    expect(await chooseCoins(source, wanting(1000n), RATE)).toHaveLength(2);
    expect(source.looks).toBeLessThan(10);
    expect(await codeOf(chooseCoins(source, wanting(5000n), RATE))).toBe('insufficient-funds');
    expect(source.looks).toBeLessThan(30);
  });

  test('a selection with too many inputs for one transaction is rejected for that reason, not as insufficient funds', async () => {
    const coins = (count: number) => sourceOf(Array.from({ length: count }, (_, vout) => testCoin(100n, { vout })));
    const most = 100n * BigInt(MAX_INPUTS) - feeFor(transactionSize(MAX_INPUTS, wanting(0n)), RATE);
    expect(await chooseCoins(coins(MAX_INPUTS + 10), wanting(most), RATE)).toHaveLength(MAX_INPUTS);
    expect(await codeOf(chooseCoins(coins(MAX_INPUTS + 10), wanting(most + 1n), RATE))).toBe('amount-too-many-coins');
    expect(await codeOf(chooseCoins(coins(MAX_INPUTS), wanting(most + 1n), RATE))).toBe('insufficient-funds');
  });

  test('no search starts if all coins together aren’t enough', async () => {
    const source = sourceOf([testCoin(900n), testCoin(90n, { vout: 1 })]);
    expect(await codeOf(chooseCoins(source, wanting(1000n), RATE))).toBe('insufficient-funds');
    expect(source.looks).toBe(0);
  });
});

describe('required coins', () => {
  const required = (satoshis: bigint) => testCoin(satoshis, { txid: 'bb'.repeat(32) });
  const given = (satoshis: bigint): ApplicationInput => ({
    ...required(satoshis),
    unlockingBytes: 107,
    sequence: 0xffff_ffff,
    unlockingScript: null,
  });
  const outpoints = (coins: readonly Coin[]) => coins.map((coin) => coin.outpoint);

  test.each<[string, Coin[], ApplicationInput[]]>([
    ['coins', [required(2000n)], []],
    ['an application’s inputs', [], [given(2000n)]],
    ['both', [required(1000n)], [given(1000n)]],
  ])('required coins are enough if they pay for everything: %s', async (_, coins, inputs) => {
    const source = sourceOf([testCoin(9000n)]);
    expect(await chooseCoins(source, wanting(1000n), RATE, coins, inputs)).toEqual(coins);
    expect(source.looks).toBe(0);
  });

  test('required coins may be spent to the last satoshi, without another coin', async () => {
    const exact = required(1000n + feeFor(transactionSize(1, wanting(1000n)), RATE));
    expect(await chooseCoins(sourceOf([]), wanting(1000n), RATE, [exact])).toEqual([exact]);
  });

  test('required coins count toward the sum, and their inputs toward the fee', async () => {
    const [small, large] = [testCoin(500n, { vout: 1 }), testCoin(9000n, { vout: 2 })];
    const choice = (coins: Coin[], inputs: ApplicationInput[]) =>
      chooseCoins(sourceOf([small, large]), wanting(1000n), RATE, coins, inputs);
    const fee = (coins: number, inputs: ApplicationInput[]) =>
      feeFor(transactionSize(coins, wanting(1000n), inputs), RATE);
    const exact = required(500n + fee(2, []));
    expect(outpoints(await choice([exact], []))).toEqual(outpoints([exact, small]));
    expect(outpoints(await choice([required(exact.satoshis - 1n)], []))).toEqual(outpoints([exact, large]));
    const enough = given(500n + fee(1, [given(0n)]));
    expect(outpoints(await choice([], [enough]))).toEqual(outpoints([small]));
    expect(outpoints(await choice([], [given(enough.satoshis - 1n)]))).toEqual(outpoints([large]));
  });

  test('a coin is spent even if nothing is to be paid and no coins are required', async () => {
    expect(await chooseCoins(sourceOf([testCoin(2n)]), wanting(0n), { satoshis: 0, bytes: 1000 })).toHaveLength(1);
  });
});

test('all coins may be spent, to the last satoshi', async () => {
  const fee = feeFor(transactionSize(1, wanting(1000n)), RATE);
  expect(await chooseCoins(sourceOf([testCoin(1000n + fee)]), wanting(1000n), RATE)).toHaveLength(1);
  expect(await codeOf(chooseCoins(sourceOf([testCoin(999n + fee)]), wanting(1000n), RATE))).toBe('insufficient-funds');
});

test('coins can be excluded, regardless of their value', async () => {
  const [one, two, three] = [600n, 700n, 2000n].map((satoshis, vout) => testCoin(satoshis, { vout })) as [
    Coin,
    Coin,
    Coin,
  ];
  const source = sourceOf([one, two, three]);
  expect(without(source, new Set())).toBe(source);
  const rest = without(source, new Set([three.outpoint]));
  expect((await chooseCoins(rest, wanting(1000n), RATE)).map((coin) => coin.vout)).toEqual([1, 0]);
  expect(await rest.smallest(0, 650n)).toMatchObject({ vout: 1 });
  expect(await rest.atMost()).toBeGreaterThanOrEqual(1300n);
  expect(await codeOf(chooseCoins(rest, wanting(1400n), RATE))).toBe('insufficient-funds');
});

describe('every coin', () => {
  test('the list contains every coin that is worth its input, from all tiers', async () => {
    await fc.assert(
      fc.asyncProperty(someCoins(fc.bigInt(1n, 40n), 8), rates, async (coins, rate) => {
        const worth = coins
          .filter((coin) => coin.satoshis > 1n && coin.satoshis >= spendingFee(rate))
          .map((coin) => coin.outpoint);
        expect((await everyCoin(sourceOf(coins), rate)).map((coin) => coin.outpoint).sort()).toEqual(worth.sort());
      }),
    );
  });

  test('the list contains as many coins as one transaction allows, the largest', async () => {
    const coins = Array.from({ length: MAX_INPUTS + 5 }, (_, vout) => testCoin(100n + BigInt(vout), { vout }));
    expect((await everyCoin(sourceOf(coins), RATE)).at(-1)?.vout).toBe(5);
  });
});
