import { P2PKH, PrivateKey, Transaction as SdkTransaction, LockingScript } from '@bsv/sdk';
import { createVirtualMachineBCH2023, decodeTransactionBCH } from '@bitauth/libauth';
import bsv from 'bsv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../../protocol/bytes.ts';
import { MAX_OP_RETURN_BYTES } from '../../../protocol/limits.ts';
import {
  dataScript,
  parseTransaction,
  serializeTransaction,
  txidOf,
  type TransactionOutput,
} from '../../../protocol/transaction.ts';
import type { Coin } from '../coins/coin.ts';
import { feeFor, transactionSize } from './fee.ts';
import { planTransaction, type Plan } from './plan.ts';
import { derSignature, signTransaction } from './sign.ts';
import { someCoins, testCoin, testPair, testScript } from '../testing/coins.ts';

const RATE = { satoshis: 100, bytes: 1000 };
const total = (parts: readonly { satoshis: bigint }[]) => parts.reduce((sum, { satoshis }) => sum + satoshis, 0n);
const sign = (plan: Plan<Coin>) => signTransaction(plan, (coin) => testPair(coin.index));

/** Scripts that a page may ask to pay, readable or not. One that begins with 0xef is a token of BCH's to libauth. */
const scripts = fc.oneof(
  fc.nat(9).map(testScript),
  fc.uint8Array({ maxLength: 300 }).filter(([first]) => first !== 0xef),
  fc.constantFrom(new Uint8Array([0x51]), new Uint8Array([0x61, 0x51])),
);

/**
 * Plans of 1 to 5 inputs of different keys and values, several outputs, data, and 0 to 4 pieces of change, in both
 * orders.
 */
const plans: fc.Arbitrary<Plan<Coin>> = fc
  .record({
    coins: someCoins(fc.bigInt(300n, 5_000_000_000n), 5, 1),
    more: fc.array(scripts, { maxLength: 3 }),
    data: fc.uint8Array({ maxLength: 300 }),
    pieces: fc.integer({ min: 1, max: 4 }),
    preserveOrder: fc.boolean(),
    part: fc.nat(99),
  })
  .map(({ coins, more, data, pieces, preserveOrder, part }) => {
    const outputs = [testScript(50), ...more, dataScript(data)].map((lockingScript) => ({
      satoshis: 0n,
      lockingScript,
    }));
    const most = total(coins) - feeFor(transactionSize(coins.length, outputs), RATE);
    // Below zero for a tiny coin and long scripts: then one output of what is there has to do.
    if (most <= 0n) outputs.splice(1);
    const payable = most > 0n ? most : total(coins) - feeFor(transactionSize(coins.length, outputs), RATE);
    (outputs[0] as TransactionOutput).satoshis = (payable * BigInt(part + 1)) / 100n;
    return planTransaction({
      outputs,
      inputs: coins,
      changeScripts: [60, 61, 62, 63].slice(0, pieces).map(testScript),
      rate: RATE,
      preserveOrder,
    });
  });

/** The two shapes at the edge: many inputs, and data of the greatest length that a page may write. */
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

async function signedBySdk(plan: Plan<Coin>): Promise<string> {
  const transaction = new SdkTransaction();
  for (const coin of plan.inputs) {
    // One template for each input: a shared one signs inputs of other values wrongly.
    const key = new PrivateKey(toHex(testPair(coin.index).privateKey), 'hex');
    const template = new P2PKH().unlock(key, 'all', false, Number(coin.satoshis), LockingScript.fromHex(coin.script));
    transaction.addInput({
      sourceTXID: coin.txid,
      sourceOutputIndex: coin.vout,
      sequence: 0xffff_ffff,
      unlockingScriptTemplate: template,
    });
  }
  for (const output of plan.outputs) {
    transaction.addOutput({
      satoshis: Number(output.satoshis),
      lockingScript: LockingScript.fromHex(toHex(output.lockingScript)),
    });
  }
  await transaction.sign();
  return transaction.toHex();
}

const vm = createVirtualMachineBCH2023(false);

function unlocksInLibauth(plan: Plan<Coin>): void {
  const transaction = decodeTransactionBCH(sign(plan).bytes);
  if (typeof transaction === 'string') throw new Error(transaction);
  const sourceOutputs = plan.inputs.map((coin) => ({
    lockingBytecode: fromHex(coin.script),
    valueSatoshis: coin.satoshis,
  }));
  for (const inputIndex of plan.inputs.keys()) {
    const state = vm.evaluate({ inputIndex, sourceOutputs, transaction });
    expect(vm.stateSuccess(state)).toBe(true);
    const altered = sourceOutputs.map((o, i) => (i === inputIndex ? { ...o, valueSatoshis: o.valueSatoshis + 1n } : o));
    expect(vm.stateSuccess(vm.evaluate({ inputIndex, sourceOutputs: altered, transaction }))).not.toBe(true);
  }
}

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
  test('is byte for byte what @bsv/sdk makes, for several inputs of different keys and values', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        expect(toHex(sign(plan).bytes)).toBe(await signedBySdk(plan));
      }),
      { numRuns: 40 },
    );
  });

  test('unlocks every input in the virtual machine of @bitauth/libauth', () => {
    fc.assert(fc.property(plans, unlocksInLibauth), { numRuns: 30 });
  });

  test('unlocks every input in the interpreter of bsv 1.5.6, strictly and with forkid', () => {
    fc.assert(fc.property(plans, unlocksInBsv), { numRuns: 20 });
  });

  test.each(LARGE)('with %s unlocks in both as well', (_, plan) => {
    unlocksInLibauth(plan);
    unlocksInBsv(plan);
  });

  test('is never larger than planned, and its fee covers its real size', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { bytes } = sign(plan);
        const greatest = transactionSize(plan.inputs.length, plan.outputs);
        expect(bytes.length).toBeLessThanOrEqual(greatest);
        expect(bytes.length).toBeGreaterThanOrEqual(greatest - 10 * plan.inputs.length);
        expect(plan.feeSatoshis).toBeGreaterThanOrEqual(feeFor(bytes.length, RATE));
      }),
      { numRuns: 60 },
    );
  });

  test('is version 1 with final sequences and no lock time, and its parts are its bytes', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { transaction, bytes, txid } = sign(plan);
        expect(parseTransaction(bytes)).toEqual(transaction);
        expect(serializeTransaction(transaction)).toEqual(bytes);
        expect(txid).toBe(txidOf(bytes));
        expect(txid).toBe(SdkTransaction.fromHex(toHex(bytes)).id('hex'));
        expect([transaction.version, transaction.lockTime]).toEqual([1, 0]);
        expect(transaction.inputs.every((i) => i.sequence === 0xffff_ffff)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  test('is the same every time', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        expect(sign(plan).bytes).toEqual(sign(plan).bytes);
      }),
      { numRuns: 5 },
    );
  });

  test('asks for each input the key of its own coin', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const asked: Coin[] = [];
        signTransaction(plan, (coin) => {
          asked.push(coin);
          return testPair(coin.index);
        });
        expect(asked).toEqual(plan.inputs);
      }),
      { numRuns: 5 },
    );
  });
});

describe('DER', () => {
  const integer = fc
    .oneof(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.constantFrom(0x7f, 0x80).map((first) => Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? first : 1))),
      fc.integer({ min: 1, max: 31 }).map((zeros) => Uint8Array.from({ length: 32 }, (_, i) => (i < zeros ? 0 : 0x90))),
    )
    .filter((bytes) => bytes.some((byte) => byte !== 0));

  test('is minimal and says the same numbers, as bsv 1.5.6 reads it strictly (BIP 66)', () => {
    fc.assert(
      fc.property(integer, integer, (r, s) => {
        const der = derSignature(new Uint8Array([...r, ...s]));
        const read = bsv.crypto.Signature.fromDER(Buffer.from(der), true);
        expect(read.r.toString(16)).toBe(BigInt(`0x${toHex(r)}`).toString(16));
        expect(read.s.toString(16)).toBe(BigInt(`0x${toHex(s)}`).toString(16));
        expect(bsv.crypto.Signature.isTxDER(Buffer.concat([der, Buffer.from([0x41])]))).toBe(true);
      }),
    );
  });
});
