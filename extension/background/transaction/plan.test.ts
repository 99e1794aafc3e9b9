import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../protocol/errors.ts';
import type { TransactionOutput } from '../../../protocol/transaction.ts';
import { compareInputs, compareOutputs } from './bip69.ts';
import { feeFor, transactionSize, type FeeRate } from './fee.ts';
import { planTransaction, type Plan, type PlanRequest } from './plan.ts';
import { someCoins, testCoin, testScript } from './test-coins.ts';

const CHANGE = testScript(99);
const RATE: FeeRate = { satoshis: 100, bytes: 1000 };

const rates = fc.constantFrom<FeeRate>({ satoshis: 0, bytes: 1000 }, { satoshis: 1, bytes: 1000 }, RATE, { satoshis: 333, bytes: 1000 }, { satoshis: 1, bytes: 1 });
const outputs = fc.array(fc.record<TransactionOutput>({ satoshis: fc.bigInt(1n, 400n), lockingScript: fc.uint8Array({ maxLength: 300 }) }), { minLength: 1, maxLength: 5 });
const values = fc.oneof(fc.bigInt(1n, 3n), fc.bigInt(1n, 600n), fc.bigInt(1n, 100_000n));
const requests: fc.Arbitrary<PlanRequest> = fc.record({
  outputs, coins: someCoins(values, 8), changeScript: fc.constant(CHANGE), rate: rates, preserveOrder: fc.boolean(),
});

const total = (parts: readonly { satoshis: bigint }[]) => parts.reduce((sum, { satoshis }) => sum + satoshis, 0n);
const without = <T>(all: readonly T[], i: number | null) => all.filter((_, j) => j !== i);
const key = (o: TransactionOutput) => `${o.satoshis} ${Buffer.from(o.lockingScript).toString('hex')}`;

function planOrNull(request: PlanRequest): Plan | null {
  try {
    return planTransaction(request);
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).code).toBe('insufficient-funds');
    return null;
  }
}

/** By trying every set of coins: can the outputs and the fee of the transaction without change be paid at all? */
function isPayable({ outputs: wanted, coins, rate }: PlanRequest): boolean {
  for (let set = 1; set < 2 ** coins.length; set += 1) {
    const chosen = coins.filter((_, i) => (set >> i) & 1);
    if (total(chosen) >= total(wanted) + feeFor(transactionSize(chosen.length, wanted), rate)) return true;
  }
  return false;
}

describe('a plan', () => {
  test('never loses a satoshi, pays every output once and gives the rest back to us', () => {
    fc.assert(fc.property(requests, (request) => {
      const plan = planOrNull(request);
      fc.pre(plan !== null);
      const { inputs, outputs: planned, changeIndex, feeSatoshis } = plan as Plan;
      expect(total(inputs)).toBe(total(planned) + feeSatoshis);
      expect(new Set(inputs.map((c) => c.outpoint)).size).toBe(inputs.length);
      for (const coin of inputs) expect(request.coins).toContain(coin);
      expect(without(planned, changeIndex).map(key).sort()).toEqual(request.outputs.map(key).sort());
      if (changeIndex !== null) {
        expect(planned[changeIndex]?.lockingScript).toEqual(CHANGE);
        expect(planned[changeIndex]?.satoshis).toBeGreaterThan(0n);
      }
    }));
  });

  test('pays the fee of its greatest size, and more only where change would cost more than it gives back', () => {
    fc.assert(fc.property(requests, (request) => {
      const plan = planOrNull(request);
      fc.pre(plan !== null);
      const { inputs, outputs: planned, changeIndex, feeSatoshis } = plan as Plan;
      const own = feeFor(transactionSize(inputs.length, planned), request.rate);
      if (changeIndex !== null) expect(feeSatoshis).toBe(own);
      else {
        expect(feeSatoshis).toBeGreaterThanOrEqual(own);
        const change = { satoshis: 1n, lockingScript: CHANGE };
        expect(feeSatoshis).toBeLessThanOrEqual(feeFor(transactionSize(inputs.length, [...planned, change]), request.rate));
      }
    }));
  });

  test('[R-30] is in BIP69 order, or [R-31] [R-32] as asked for with the change last; inputs are always ordered', () => {
    fc.assert(fc.property(requests, (request) => {
      const plan = planOrNull(request);
      fc.pre(plan !== null);
      const { inputs, outputs: planned, changeIndex } = plan as Plan;
      expect(inputs).toEqual([...inputs].sort(compareInputs));
      if (request.preserveOrder) {
        expect(planned.slice(0, request.outputs.length)).toEqual(request.outputs);
        expect([null, request.outputs.length]).toContain(changeIndex);
      } else {
        expect(planned.map(key)).toEqual([...planned].sort(compareOutputs).map(key));
      }
    }));
  });

  test('is refused for lack of money exactly when no set of coins could pay it', () => {
    const close = fc.record({
      outputs, coins: someCoins(fc.bigInt(1n, 500n), 6), changeScript: fc.constant(CHANGE), rate: rates, preserveOrder: fc.constant(false),
    });
    fc.assert(fc.property(close, (request) => {
      expect(planOrNull(request) !== null).toBe(isPayable(request));
    }), { numRuns: 400 });
  });

  test('uses even the smallest coin where that makes the payment possible', () => {
    const wanted = { satoshis: 1000n, lockingScript: testScript(1) };
    const coins = [testCoin(1000n), testCoin(1n, { vout: 1 })];
    const plan = planTransaction({ outputs: [wanted], coins, changeScript: CHANGE, rate: { satoshis: 1, bytes: 1000 }, preserveOrder: false });
    expect(plan.inputs).toHaveLength(2);
    expect(plan.feeSatoshis).toBe(1n);
  });

  test('does not change what it was given', () => {
    fc.assert(fc.property(requests, (request) => {
      const before = structuredClone(request);
      planOrNull(request);
      expect(request).toEqual(before);
    }));
  });

  test('takes the smallest single coin that is enough, a confirmed one before an unconfirmed one', () => {
    const wanted = [{ satoshis: 1000n, lockingScript: testScript(1) }];
    const plan = (coins: Parameters<typeof planTransaction>[0]['coins']) =>
      planTransaction({ outputs: wanted, coins, changeScript: CHANGE, rate: RATE, preserveOrder: false }).inputs.map((c) => c.vout);
    expect(plan([testCoin(9000n, { vout: 1 }), testCoin(5000n, { vout: 2 }), testCoin(900n, { vout: 3 })])).toEqual([2]);
    expect(plan([testCoin(9000n, { vout: 1 }), testCoin(5000n, { vout: 2, height: null })])).toEqual([1]);
    expect(plan([testCoin(900n, { vout: 1 }), testCoin(5000n, { vout: 2, height: null })])).toEqual([2]);
    expect(plan([testCoin(900n, { vout: 1 }), testCoin(800n, { vout: 2 }), testCoin(700n, { vout: 3 })])).toEqual([1, 2]);
  });

  test('holds for a thousand inputs and amounts near all the money there is', () => {
    const coins = Array.from({ length: 1000 }, (_, vout) => testCoin(2_000_000_000_000n, { vout }));
    const wanted = { satoshis: 1_999_999_999_000_000n, lockingScript: testScript(1) };
    const plan = planTransaction({ outputs: [wanted], coins, changeScript: CHANGE, rate: RATE, preserveOrder: true });
    expect(plan.inputs).toHaveLength(1000);
    expect(plan.inputs.map((c) => c.vout)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
    expect(total(plan.inputs)).toBe(total(plan.outputs) + plan.feeSatoshis);
  });
});
