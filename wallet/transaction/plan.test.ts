import bip69 from 'bip69';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeThrownBy } from '../../testing/code-of.ts';
import { toHex, fromHex } from '../../protocol/bitcoin/bytes.ts';
import type { TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import { chooseCoins } from '../coins/choose.ts';
import type { Coin } from '../coins/coin.ts';
import {
  leastPiece,
  planMax,
  planTransaction,
  type Plan,
  type PlanRequest,
  changeOutputCount,
  splitChange,
  compareInputs,
  compareOutputs,
  feeFor,
  spendingFee,
  transactionSize,
  type FeeRate,
} from './plan.ts';
import type { ApplicationInput } from './input.ts';
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

const given = fc.record<ApplicationInput>({
  txid: fc.constant('ab'.repeat(32)),
  vout: fc.nat(5),
  satoshis: values,
  script: fc.constant('51'),
  unlockingBytes: fc.oneof(fc.nat(300), fc.constantFrom(252, 253)),
  sequence: fc.constant(0),
  unlockingScript: fc.constant(null),
});

/** Random requests with the coins selected for them; null if there isn't enough money. */
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
/** Checks a property of every plan that can be funded. */
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
  test('a plan never loses a satoshi, pays every output once and returns the rest to the wallet, each change output to a new address', async () => {
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

  test('a plan has no change that costs more to spend than its value, and splits only larger change', async () => {
    await always(({ rate }, plan) => {
      const change = changeOf(plan);
      for (const { satoshis } of change) {
        expect(satoshis).toBeGreaterThan(0n);
        expect(satoshis).toBeGreaterThanOrEqual(spendingFee(rate));
        expect(satoshis).toBeGreaterThanOrEqual(leastPiece(change.length, rate));
      }
    });
  });

  test('a plan pays exactly the fee of its maximum size, and without change at most the cost of creating and spending change in addition', async () => {
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

  test('a plan splits change into as many outputs as requested if it is large enough', async () => {
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

  test('a plan never costs more than the displayed fee: it has fewer change outputs, and if one is too many, requires a new quote', async () => {
    await always((request, plan) => {
      const least = planTransaction({ ...request, changeScripts: request.changeScripts.slice(0, 1) });
      const change = changeOf(plan).length;
      for (let mostFee = plan.feeSatoshis; mostFee >= least.feeSatoshis && change > 0; mostFee -= 1n) {
        const limited = planTransaction({ ...request, mostFee });
        expect(limited.feeSatoshis).toBeLessThanOrEqual(mostFee);
        // The plan drops no more change outputs than necessary.
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

  test('a plan is rejected if the coins aren’t enough', () => {
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

  test('a plan has one change output of exactly its minimum, and gives less than that to the miners', () => {
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

  test('a plan has one change output if the displayed fee allows no more', () => {
    const wanted = [{ satoshis: 1000n, lockingScript: testScript(1) }];
    const mostFee = feeFor(transactionSize(1, wanted) + P2PKH_OUTPUT_BYTES, RATE);
    const asked = { outputs: wanted, inputs: [testCoin(10_000_000n)], changeScripts: CHANGE, rate: RATE };
    const plan = planTransaction({ ...asked, preserveOrder: true, mostFee });
    expect(plan).toMatchObject({ changeIndexes: [1], feeSatoshis: mostFee });
    expect(codeThrownBy(() => planTransaction({ ...asked, preserveOrder: true, mostFee: mostFee - 1n }))).toBe(
      'fee-changed',
    );
  });

  test('a plan does not change its arguments', async () => {
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

  test('a plan can have a thousand inputs and amounts near the total supply', async () => {
    const coins = Array.from({ length: 1000 }, (_, vout): Coin => testCoin(2_000_000_000_000n, { vout }));
    const wanted = [{ satoshis: 1_999_999_999_000_000n, lockingScript: testScript(1) }];
    const inputs = await chooseCoins(sourceOf(coins), wanted, RATE);
    const plan = planTransaction({ outputs: wanted, inputs, changeScripts: CHANGE, rate: RATE, preserveOrder: true });
    expect(plan.inputs.map((c) => c.vout)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
    expect(plan.changeIndexes).toEqual([1, 2, 3, 4]);
    expect(total(plan.inputs)).toBe(total(plan.outputs) + plan.feeSatoshis);
  });
});

describe('change', () => {
  test('change is split without losing or creating a satoshi, each output about half of the previous one', () => {
    fc.assert(
      fc.property(fc.bigInt(8n, 2_100_000_000_000_000n), fc.integer({ min: 1, max: 4 }), (satoshis, pieces) => {
        const values = splitChange(satoshis, pieces);
        expect(values).toHaveLength(pieces);
        expect(values.reduce((sum, value) => sum + value, 0n)).toBe(satoshis);
        for (const [i, value] of values.slice(0, -1).entries())
          expect(value).toBe((satoshis - values.slice(0, i).reduce((sum, one) => sum + one, 0n)) / 2n);
      }),
    );
  });

  test('change is split if few coins are left, and never so far that a restore could miss it', () => {
    const wanted = (available: number, pending = 0) => changeOutputCount({ available, pending });
    expect([0, 3, 4, 5, 6, 7, 8, 100_000].map((available) => wanted(available))).toEqual([4, 4, 4, 3, 2, 1, 1, 1]);
    expect([0, 6, 7, 8, 9, 10, 50].map((pending) => wanted(0, pending))).toEqual([4, 4, 3, 2, 1, 1, 1]);
  });

  test('a single change output is worth spending, and each of several many times over', () => {
    for (const rate of [
      { satoshis: 100, bytes: 1000 },
      { satoshis: 1, bytes: 1 },
    ]) {
      expect(leastPiece(1, rate)).toBe(spendingFee(rate));
      expect(leastPiece(2, rate)).toBe(100n * spendingFee(rate));
    }
    for (const satoshis of [0, 1]) expect(leastPiece(1, { satoshis, bytes: 1000 })).toBe(2n);
    expect(leastPiece(2, { satoshis: 0, bytes: 1000 })).toBe(1000n);
  });
});

const txidDigits = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex);
// Uses few distinct values so that txids, values and scripts are often equal.
const input = fc.record({
  txid: fc.oneof(txidDigits, fc.constantFrom('00'.repeat(32), 'ff'.repeat(32), `${'00'.repeat(31)}01`)),
  vout: fc.nat(3),
});
const output = fc.record({ satoshis: fc.bigInt(0n, 3n), lockingScript: fc.uint8Array({ maxLength: 3 }) });

describe('[R-30] BIP69 order', () => {
  // The two example transactions from BIP 69.
  test.each([
    [
      [
        ['0e53ec5dfb2cb8a71fec32dc9a634a35b7e24799295ddd5278217822e0b31f57', 0],
        ['26aa6e6d8b9e49bb0630aac301db6757c02e3619feb4ee0eea81eb1672947024', 1],
        ['28e0fdd185542f2c6ea19030b0796051e7772b6026dd5ddccd7a2f93b73e6fc2', 0],
        ['381de9b9ae1a94d9c17f6a08ef9d341a5ce29e2e60c36a52d333ff6203e58d5d', 1],
        ['3b8b2f8efceb60ba78ca8bba206a137f14cb5ea4035e761ee204302d46b98de2', 0],
        ['402b2c02411720bf409eff60d05adad684f135838962823f3614cc657dd7bc0a', 1],
        ['54ffff182965ed0957dba1239c27164ace5a73c9b62a660c74b7b7f15ff61e7a', 1],
        ['643e5f4e66373a57251fb173151e838ccd27d279aca882997e005016bb53d5aa', 0],
        ['6c1d56f31b2de4bfc6aaea28396b333102b1f600da9c6d6149e96ca43f1102b1', 1],
        ['7a1de137cbafb5c70405455c49c5104ca3057a1f1243e6563bb9245c9c88c191', 0],
        ['7d037ceb2ee0dc03e82f17be7935d238b35d1deabf953a892a4507bfbeeb3ba4', 1],
        ['a5e899dddb28776ea9ddac0a502316d53a4a3fca607c72f66c470e0412e34086', 0],
        ['b4112b8f900a7ca0c8b0e7c4dfad35c6be5f6be46b3458974988e1cdb2fa61b8', 0],
        ['bafd65e3c7f3f9fdfdc1ddb026131b278c3be1af90a4a6ffa78c4658f9ec0c85', 0],
        ['de0411a1e97484a2804ff1dbde260ac19de841bebad1880c782941aca883b4e9', 1],
        ['f0a130a84912d03c1d284974f563c5949ac13f8342b8112edff52971599e6a45', 0],
        ['f320832a9d2e2452af63154bc687493484a0e7745ebd3aaf9ca19eb80834ad60', 0],
      ],
      [
        [400_057_456n, '76a9144a5fba237213a062f6f57978f796390bdcf8d01588ac'],
        [40_000_000_000n, '76a9145be32612930b8323add2212a4ec03c1562084f8488ac'],
      ],
    ],
    [
      [
        ['35288d269cee1941eaebb2ea85e32b42cdb2b04284a56d8b14dcc3f5c65d6055', 0],
        ['35288d269cee1941eaebb2ea85e32b42cdb2b04284a56d8b14dcc3f5c65d6055', 1],
      ],
      [
        [
          100_000_000n,
          '41046a0765b5865641ce08dd39690aade26dfbf5511430ca428a3089261361cef170e3929a68aee3d8d4848b0c5111b0a37b82b86ad559fd2a745b44d8e8d9dfdc0cac',
        ],
        [
          2_400_000_000n,
          '41044a656f065871a353f216ca26cef8dde2f03e8c16202d2e8ad769f02032cb86a5eb5e56842e92e19141d60a01928f8dd2c875a390f67c1f6c94cfc617c0ea45afac',
        ],
      ],
    ],
  ] as [[string, number][], [bigint, string][]][])(
    'the BIP’s own vector %# is ordered, from any order',
    (inputs, outputs) => {
      const wanted = inputs.map(([txid, vout]) => ({ txid, vout }));
      const paid = outputs.map(([satoshis, script]) => ({ satoshis, lockingScript: fromHex(script) }));
      expect([...wanted].reverse().sort(compareInputs)).toEqual(wanted);
      expect([...paid].reverse().sort(compareOutputs)).toEqual(paid);
    },
  );

  test('inputs are ordered as by npm bip69', () => {
    fc.assert(
      fc.property(fc.array(input, { maxLength: 12 }), (inputs) => {
        const theirs = bip69.sortInputs(
          inputs.map(({ txid, vout }) => ({ txId: Buffer.from(txid, 'hex').reverse(), vout })),
        );
        const expected = theirs.map(
          (one: { txId: Buffer; vout: number }) => `${Buffer.from(one.txId).reverse().toString('hex')}:${one.vout}`,
        );
        expect([...inputs].sort(compareInputs).map(({ txid, vout }) => `${txid}:${vout}`)).toEqual(expected);
      }),
    );
  });

  test('outputs are ordered as by npm bip69', () => {
    fc.assert(
      fc.property(fc.array(output, { maxLength: 12 }), (outputs) => {
        const theirs = bip69.sortOutputs(
          outputs.map((o) => ({ script: Buffer.from(o.lockingScript), value: Number(o.satoshis) })),
        );
        const expected = theirs.map(
          (one: { script: Buffer; value: number }) => `${one.value} ${one.script.toString('hex')}`,
        );
        expect([...outputs].sort(compareOutputs).map((o) => `${o.satoshis} ${toHex(o.lockingScript)}`)).toEqual(
          expected,
        );
      }),
    );
  });

  test('values beyond the precision of a float are compared exactly', () => {
    const script = new Uint8Array(1);
    const [less, more] = [
      { satoshis: 2_100_000_000_000_000n - 1n, lockingScript: script },
      { satoshis: 2_100_000_000_000_000n, lockingScript: script },
    ];
    expect(compareOutputs(less, more)).toBeLessThan(0);
    expect(compareOutputs(more, less)).toBeGreaterThan(0);
    expect(compareOutputs(more, more)).toBe(0);
  });
});
