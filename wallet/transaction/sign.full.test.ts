import bsv from 'bsv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { MAX_OP_RETURN_BYTES } from '../../protocol/payments/limits.ts';
import { dataScript } from '../../protocol/bitcoin/push-data.ts';
import type { Coin } from '../coins/coin.ts';
import { planTransaction, type Plan } from './plan.ts';
import { testCoin, testScript } from '../../testkit/wallet/coins.ts';
import { RATE, sign, plans, unlocksInLibauth } from './testing-sign.ts';

/** Two extreme plans: many inputs, and data of the maximum length that a page can write. */
const LARGE: readonly (readonly [string, Plan<Coin>])[] = [
  ['150 inputs and four pieces of change', 150, new Uint8Array(3)],
  ['99,000 bytes of data', 2, new Uint8Array(MAX_OP_RETURN_BYTES).fill(0x61)],
].map(
  ([name, inputs, data]) =>
    [
      name as string,
      planTransaction({
        outputs: [
          { satoshis: 7000n, lockingScript: testScript(50) },
          { satoshis: 0n, lockingScript: dataScript(data as Uint8Array) },
        ],
        inputs: Array.from({ length: inputs as number }, (_, vout) =>
          testCoin(10_000n + BigInt(vout), { index: vout % 5, vout }),
        ),
        changeScripts: [60, 61, 62, 63].map(testScript),
        rate: RATE,
        preserveOrder: false,
      }),
    ] as const,
);

const { Interpreter } = bsv.Script;
const FLAGS =
  Interpreter.SCRIPT_VERIFY_STRICTENC |
  Interpreter.SCRIPT_VERIFY_DERSIG |
  Interpreter.SCRIPT_VERIFY_LOW_S |
  Interpreter.SCRIPT_VERIFY_NULLFAIL |
  Interpreter.SCRIPT_VERIFY_MINIMALDATA |
  Interpreter.SCRIPT_VERIFY_SIGPUSHONLY |
  Interpreter.SCRIPT_ENABLE_SIGHASH_FORKID;

function unlocksInBsv(plan: Plan<Coin>): void {
  const theirs = new bsv.Transaction(toHex(sign(plan).bytes));
  plan.inputs.forEach((coin, i) => {
    const verified = (satoshis: bigint) =>
      new Interpreter().verify(
        theirs.inputs[i].script,
        bsv.Script.fromHex(coin.script),
        theirs,
        i,
        FLAGS,
        new bsv.crypto.BN(satoshis.toString()),
      );
    expect(verified(coin.satoshis)).toBe(true);
    expect(verified(coin.satoshis + 1n)).toBe(false);
  });
}

describe('a signed transaction', () => {
  test('a signed transaction unlocks every input in the interpreter of bsv 1.5.6, strictly and with forkid', () => {
    fc.assert(fc.property(plans, unlocksInBsv), { numRuns: 20 });
  });

  test.each(LARGE)('a transaction with %s unlocks its inputs in @bitauth/libauth and in bsv 1.5.6', (_, plan) => {
    unlocksInLibauth(plan);
    unlocksInBsv(plan);
  });
});
