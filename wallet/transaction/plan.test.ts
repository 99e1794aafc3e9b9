import bip69 from 'bip69';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeThrownBy } from '../../testing/code-of.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import { chooseCoins } from '../coins/choose.ts';
import type { Coin } from '../coins/coin.ts';
import { leastPiece } from './change.ts';
import { feeFor, spendingFee, transactionSize, type FeeRate } from './fee.ts';
import type { GivenInput } from './input.ts';
import { planMax, planTransaction, type Plan, type PlanRequest } from './plan.ts';
import { someCoins, sourceOf, testCoin, testScript } from '../../testkit/wallet/coins.ts';

/** Value, script length, script. */
const P2PKH_OUTPUT_BYTES = 8 + 1 + 25;

const CHANGE = [96, 97, 98, 99].map(testScript);
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
  { minLength: 1, maxLength: 5 },
);
const values = fc.oneof(fc.bigInt(1n, 600n), fc.bigInt(1n, 100_000n), fc.bigInt(1n, 10_000_000n));

/** An input that an application adds. */
const given = fc.record<GivenInput>({
  txid: fc.constant('ab'.repeat(32)),
  vout: fc.nat(5),
  satoshis: values,
  script: fc.constant('51'),
  unlockingBytes: fc.oneof(fc.nat(300), fc.constantFrom(252, 253)),
  sequence: fc.constant(0),
  unlockingScript: fc.constant(null),
});

/** Possible requests with some coins, and the coins chosen for them; null if there isn't enough money. */
const requests: fc.Arbitrary<Promise<PlanRequest | null>> = fc
  .record({
    outputs,
    coins: someCoins(values, 8),
    given: fc.array(given, { maxLength: 2 }),
    pieces: fc.integer({ min: 1, max: 4 }),
    rate: rates,
    preserveOrder: fc.boolean(),
  })
  .map(async ({ coins, pieces, ...request }) => {
    const inputs = await chooseCoins(sourceOf(coins), request.outputs, request.rate, [], request.given).catch(
      () => null,
    );
    return inputs && { ...request, inputs, changeScripts: CHANGE.slice(0, pieces) };
  });

const total = (parts: readonly { satoshis: bigint }[]) => parts.reduce((sum, { satoshis }) => sum + satoshis, 0n);
const key = (o: TransactionOutput) => `${o.satoshis} ${toHex(o.lockingScript)}`;
const changeOf = (plan: Plan<Coin>) => plan.changeIndexes.map((i) => plan.outputs[i] as TransactionOutput);
/** Tests a property of every plan that can be paid. */
function always(hold: (request: PlanRequest<Coin>, plan: Plan<Coin>) => void, numRuns = 200): Promise<void> {
  return fc.assert(
    fc.asyncProperty(requests, async (asked) => {
      const request = await asked;
      fc.pre(request !== null);
      hold(request as PlanRequest<Coin>, planTransaction(request as PlanRequest<Coin>));
    }),
    { numRuns },
  );
}

describe('a plan', () => {
  test('never loses a satoshi, pays every output once and returns the rest to us, each piece to a new address', async () => {
    await always((request, plan) => {
      expect(total(plan.inputs) + total(plan.given ?? [])).toBe(total(plan.outputs) + plan.feeSatoshis);
      expect(plan.given ?? []).toEqual(request.given);
      expect(plan.inputs.map((c) => c.outpoint).sort()).toEqual(request.inputs.map((c) => c.outpoint).sort());
      const paid = plan.outputs.filter((_, i) => !plan.changeIndexes.includes(i));
      expect(paid.map(key).sort()).toEqual(request.outputs.map(key).sort());
      const scripts = changeOf(plan)
        .map((o) => toHex(o.lockingScript))
        .sort();
      expect(scripts).toEqual(request.changeScripts.slice(0, scripts.length).map(toHex).sort());
    });
  });

  test('makes no change that costs more to spend than it is worth, and splits only larger change', async () => {
    await always(({ rate }, plan) => {
      const change = changeOf(plan);
      for (const { satoshis } of change) {
        expect(satoshis).toBeGreaterThan(0n);
        expect(satoshis).toBeGreaterThanOrEqual(spendingFee(rate));
        expect(satoshis).toBeGreaterThanOrEqual(leastPiece(change.length, rate));
      }
    });
  });

  test('pays exactly the fee of its maximum size, and without change at most the cost of making and spending that on top', async () => {
    await always(({ rate, inputs, given }, plan) => {
      const own = feeFor(transactionSize(inputs.length, plan.outputs, given), rate);
      if (plan.changeIndexes.length > 0) {
        expect(plan.feeSatoshis).toBe(own);
        return;
      }
      expect(plan.feeSatoshis).toBeGreaterThanOrEqual(own);
      const withChange = feeFor(transactionSize(inputs.length, plan.outputs, given) + P2PKH_OUTPUT_BYTES, rate);
      expect(plan.feeSatoshis).toBeLessThan(withChange + leastPiece(1, rate));
    });
  });

  test('splits change into as many pieces as requested if it is large enough', async () => {
    await always(({ rate, inputs, given = [], changeScripts, outputs: wanted }, plan) => {
      const size = transactionSize(inputs.length, wanted, given) + changeScripts.length * P2PKH_OUTPUT_BYTES;
      const fee = feeFor(size, rate);
      const pieces = BigInt(changeScripts.length);
      if (total(inputs) + total(given) - total(wanted) - fee >= leastPiece(4, rate) * 2n ** pieces)
        expect(plan.changeIndexes).toHaveLength(changeScripts.length);
    });
  });

  test('[R-30] a plan is in the order of npm bip69, or [R-31] [R-32] in the requested order with all change last; inputs are always ordered', async () => {
    await always((request, plan) => {
      const theirs = bip69.sortInputs(plan.inputs.map((c) => ({ txId: c.txid, vout: c.vout })));
      expect(plan.inputs.map((c) => ({ txId: c.txid, vout: c.vout }))).toEqual(theirs);
      if (request.preserveOrder) {
        expect(plan.outputs.slice(0, request.outputs.length)).toEqual(request.outputs);
        expect(plan.changeIndexes).toEqual(
          Array.from({ length: plan.outputs.length - request.outputs.length }, (_, i) => request.outputs.length + i),
        );
      } else {
        const sorted = bip69.sortOutputs(
          plan.outputs.map((o) => ({ value: Number(o.satoshis), script: Buffer.from(o.lockingScript) })),
        );
        expect(plan.changeIndexes).toEqual(plan.changeIndexes.toSorted((a, b) => a - b));
        expect(plan.outputs.map((o) => ({ value: Number(o.satoshis), script: Buffer.from(o.lockingScript) }))).toEqual(
          sorted,
        );
      }
    });
  });

  test('never costs more than the user was shown: it makes fewer pieces, and if one is too many, requires a new quote', async () => {
    await always((request, plan) => {
      const least = planTransaction({ ...request, changeScripts: request.changeScripts.slice(0, 1) });
      const change = changeOf(plan).length;
      for (let mostFee = plan.feeSatoshis; mostFee >= least.feeSatoshis && change > 0; mostFee -= 1n) {
        const limited = planTransaction({ ...request, mostFee });
        expect(limited.feeSatoshis).toBeLessThanOrEqual(mostFee);
        // No fewer pieces than necessary.
        const oneMore = limited.feeSatoshis + feeFor(P2PKH_OUTPUT_BYTES, request.rate);
        if (limited.changeIndexes.length < change && request.rate.satoshis > 0)
          expect(oneMore).toBeGreaterThan(mostFee);
      }
      expect(planTransaction({ ...request, mostFee: plan.feeSatoshis })).toEqual(plan);
      if (least.feeSatoshis > 0n)
        expect(codeThrownBy(() => planTransaction({ ...request, mostFee: least.feeSatoshis - 1n }))).toBe(
          'fee-changed',
        );
    }, 100);
  });

  test('a plan is rejected if the coins don’t pay it', () => {
    const wanted = [{ satoshis: 1000n, lockingScript: testScript(1) }];
    const fee = feeFor(transactionSize(1, wanted), RATE);
    const plan = (satoshis: bigint) =>
      planTransaction({
        outputs: wanted,
        inputs: [testCoin(satoshis)],
        changeScripts: CHANGE,
        rate: RATE,
        preserveOrder: false,
      });
    expect(plan(1000n + fee)).toMatchObject({ changeIndexes: [], feeSatoshis: fee });
    expect(codeThrownBy(() => plan(999n + fee))).toBe('insufficient-funds');
  });

  test('a plan that sends everything costs its exact fee', () => {
    const wanted = [{ satoshis: 1000n, lockingScript: testScript(1) }];
    const inputs = [testCoin(700n), testCoin(900n)];
    const feeSatoshis = feeFor(transactionSize(2, wanted), RATE);
    expect(planMax({ inputs, outputs: wanted, rate: RATE })).toEqual({ left: 600n - feeSatoshis, feeSatoshis });
    const just = [testCoin(1000n + feeFor(transactionSize(1, wanted), RATE))];
    expect(planMax({ inputs: just, outputs: wanted, rate: RATE }).left).toBe(0n);
    const short = [testCoin(just[0]!.satoshis - 1n)];
    expect(codeThrownBy(() => planMax({ inputs: short, outputs: wanted, rate: RATE }))).toBe('insufficient-funds');
  });

  test('makes one piece of change of exactly its minimum, and gives less than that to the miners', () => {
    const wanted = [{ satoshis: 1000n, lockingScript: testScript(1) }];
    const fee = feeFor(transactionSize(1, wanted) + P2PKH_OUTPUT_BYTES, RATE);
    const plan = (left: bigint) =>
      planTransaction({
        ...{ outputs: wanted, changeScripts: CHANGE, rate: RATE, preserveOrder: true },
        inputs: [testCoin(1000n + fee + left)],
      });
    expect(plan(leastPiece(1, RATE))).toMatchObject({ changeIndexes: [1], feeSatoshis: fee });
    expect(plan(leastPiece(1, RATE) - 1n)).toMatchObject({ changeIndexes: [] });
  });

  test('makes one piece of change if the user was shown no fee that allows more', () => {
    const wanted = [{ satoshis: 1000n, lockingScript: testScript(1) }];
    const mostFee = feeFor(transactionSize(1, wanted) + P2PKH_OUTPUT_BYTES, RATE);
    const asked = { outputs: wanted, inputs: [testCoin(10_000_000n)], changeScripts: CHANGE, rate: RATE };
    const plan = planTransaction({ ...asked, preserveOrder: true, mostFee });
    expect(plan).toMatchObject({ changeIndexes: [1], feeSatoshis: mostFee });
    expect(codeThrownBy(() => planTransaction({ ...asked, preserveOrder: true, mostFee: mostFee - 1n }))).toBe(
      'fee-changed',
    );
  });

  test('does not change its arguments', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (asked) => {
        const request = await asked;
        fc.pre(request !== null);
        const before = structuredClone(request);
        planTransaction(request as PlanRequest<Coin>);
        expect(request).toEqual(before);
      }),
    );
  });

  test('works for a thousand inputs and amounts near all the money there is', async () => {
    const coins = Array.from({ length: 1000 }, (_, vout): Coin => testCoin(2_000_000_000_000n, { vout }));
    const wanted = [{ satoshis: 1_999_999_999_000_000n, lockingScript: testScript(1) }];
    const inputs = await chooseCoins(sourceOf(coins), wanted, RATE);
    const plan = planTransaction({ outputs: wanted, inputs, changeScripts: CHANGE, rate: RATE, preserveOrder: true });
    expect(plan.inputs.map((c) => c.vout)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
    expect(plan.changeIndexes).toEqual([1, 2, 3, 4]);
    expect(total(plan.inputs)).toBe(total(plan.outputs) + plan.feeSatoshis);
  });
});
