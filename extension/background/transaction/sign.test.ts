import { P2PKH, PrivateKey, Transaction as SdkTransaction, LockingScript } from '@bsv/sdk';
import { createVirtualMachineBCH2023, decodeTransactionBCH } from '@bitauth/libauth';
import bsv from 'bsv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../../protocol/bytes.ts';
import { parseTransaction, serializeTransaction, txidOf } from '../../../protocol/transaction.ts';
import type { Coin } from '../coins/coin.ts';
import { feeFor, transactionSize } from './fee.ts';
import { planTransaction, type Plan } from './plan.ts';
import { derSignature, signTransaction } from './sign.ts';
import { someCoins, testPair, testScript } from './test-coins.ts';

const RATE = { satoshis: 100, bytes: 1000 };
const sign = (plan: Plan) => signTransaction(plan, (coin) => testPair(coin.index));

/** Plans of 1 to 5 inputs of different keys and values, with data of up to 300 bytes, in both orders. */
const plans: fc.Arbitrary<Plan> = fc.record({
  coins: someCoins(fc.bigInt(300n, 5_000_000_000n), 5, 1), data: fc.uint8Array({ maxLength: 300 }), preserveOrder: fc.boolean(), part: fc.nat(99),
}).map(({ coins, data, preserveOrder, part }) => {
  const all = coins.reduce((sum, coin) => sum + coin.satoshis, 0n);
  const most = all - feeFor(transactionSize(coins.length, [{ satoshis: 0n, lockingScript: data }, { satoshis: 0n, lockingScript: testScript(50) }]), RATE);
  const satoshis = (most * BigInt(part + 1)) / 100n || 1n;
  return planTransaction({
    outputs: [{ satoshis, lockingScript: testScript(50) }, { satoshis: 0n, lockingScript: data }], coins, changeScript: testScript(60), rate: RATE, preserveOrder,
  });
});

async function signedBySdk(plan: Plan): Promise<string> {
  const transaction = new SdkTransaction();
  for (const coin of plan.inputs) {
    // One template for each input: a shared one signs inputs of other values wrongly.
    const key = new PrivateKey(toHex(testPair(coin.index).privateKey), 'hex');
    const template = new P2PKH().unlock(key, 'all', false, Number(coin.satoshis), LockingScript.fromHex(coin.script));
    transaction.addInput({ sourceTXID: coin.txid, sourceOutputIndex: coin.vout, sequence: 0xffff_ffff, unlockingScriptTemplate: template });
  }
  for (const output of plan.outputs) {
    transaction.addOutput({ satoshis: Number(output.satoshis), lockingScript: LockingScript.fromHex(toHex(output.lockingScript)) });
  }
  await transaction.sign();
  return transaction.toHex();
}

describe('a signed transaction', () => {
  test('is byte for byte what @bsv/sdk makes, for several inputs of different keys and values', async () => {
    await fc.assert(fc.asyncProperty(plans, async (plan) => {
      expect(toHex(sign(plan).bytes)).toBe(await signedBySdk(plan));
    }), { numRuns: 40 });
  });

  test('unlocks every input in the virtual machine of @bitauth/libauth', () => {
    const vm = createVirtualMachineBCH2023(false);
    fc.assert(fc.property(plans, (plan) => {
      const transaction = decodeTransactionBCH(sign(plan).bytes);
      if (typeof transaction === 'string') throw new Error(transaction);
      const sourceOutputs = plan.inputs.map((coin) => ({ lockingBytecode: fromHex(coin.script), valueSatoshis: coin.satoshis }));
      for (const inputIndex of plan.inputs.keys()) {
        const state = vm.evaluate({ inputIndex, sourceOutputs, transaction });
        expect(vm.stateSuccess(state)).toBe(true);
        const altered = sourceOutputs.map((o, i) => (i === inputIndex ? { ...o, valueSatoshis: o.valueSatoshis + 1n } : o));
        expect(vm.stateSuccess(vm.evaluate({ inputIndex, sourceOutputs: altered, transaction }))).not.toBe(true);
      }
    }), { numRuns: 30 });
  });

  test('unlocks every input in the interpreter of bsv 1.5.6, strictly and with forkid', () => {
    const { Interpreter } = bsv.Script;
    const flags = Interpreter.SCRIPT_VERIFY_STRICTENC | Interpreter.SCRIPT_VERIFY_DERSIG | Interpreter.SCRIPT_VERIFY_LOW_S
      | Interpreter.SCRIPT_VERIFY_NULLFAIL | Interpreter.SCRIPT_VERIFY_MINIMALDATA | Interpreter.SCRIPT_VERIFY_SIGPUSHONLY
      | Interpreter.SCRIPT_ENABLE_SIGHASH_FORKID;
    fc.assert(fc.property(plans, (plan) => {
      const theirs = new bsv.Transaction(toHex(sign(plan).bytes));
      plan.inputs.forEach((coin, i) => {
        const verified = (satoshis: bigint) => new Interpreter().verify(theirs.inputs[i].script, bsv.Script.fromHex(coin.script), theirs, i, flags, new bsv.crypto.BN(satoshis.toString()));
        expect(verified(coin.satoshis)).toBe(true);
        expect(verified(coin.satoshis + 1n)).toBe(false);
      });
    }), { numRuns: 20 });
  });

  test('is never larger than planned, and its fee covers its real size', () => {
    fc.assert(fc.property(plans, (plan) => {
      const { bytes } = sign(plan);
      const greatest = transactionSize(plan.inputs.length, plan.outputs);
      expect(bytes.length).toBeLessThanOrEqual(greatest);
      expect(bytes.length).toBeGreaterThanOrEqual(greatest - 10 * plan.inputs.length);
      expect(plan.feeSatoshis).toBeGreaterThanOrEqual(feeFor(bytes.length, RATE));
    }), { numRuns: 60 });
  });

  test('is version 1 with final sequences and no lock time, and its parts are its bytes', () => {
    fc.assert(fc.property(plans, (plan) => {
      const { transaction, bytes, txid } = sign(plan);
      expect(parseTransaction(bytes)).toEqual(transaction);
      expect(serializeTransaction(transaction)).toEqual(bytes);
      expect(txid).toBe(txidOf(bytes));
      expect(txid).toBe(SdkTransaction.fromHex(toHex(bytes)).id('hex'));
      expect([transaction.version, transaction.lockTime]).toEqual([1, 0]);
      expect(transaction.inputs.every((i) => i.sequence === 0xffff_ffff)).toBe(true);
    }), { numRuns: 30 });
  });

  test('is the same every time', () => {
    fc.assert(fc.property(plans, (plan) => {
      expect(sign(plan).bytes).toEqual(sign(plan).bytes);
    }), { numRuns: 5 });
  });

  test('asks for each input the key of its own coin', () => {
    fc.assert(fc.property(plans, (plan) => {
      const asked: Coin[] = [];
      signTransaction(plan, (coin) => {
        asked.push(coin);
        return testPair(coin.index);
      });
      expect(asked).toEqual(plan.inputs);
    }), { numRuns: 5 });
  });
});

describe('DER', () => {
  const integer = fc.oneof(
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
    fc.integer({ min: 1, max: 31 }).map((zeros) => Uint8Array.from({ length: 32 }, (_, i) => (i < zeros ? 0 : 0x90))),
  ).filter((bytes) => bytes.some((byte) => byte !== 0));

  test('is minimal and says the same numbers, as bsv 1.5.6 reads it strictly (BIP 66)', () => {
    fc.assert(fc.property(integer, integer, (r, s) => {
      const der = derSignature(new Uint8Array([...r, ...s]));
      const read = bsv.crypto.Signature.fromDER(Buffer.from(der), true);
      expect(read.r.toString(16)).toBe(BigInt(`0x${toHex(r)}`).toString(16));
      expect(read.s.toString(16)).toBe(BigInt(`0x${toHex(s)}`).toString(16));
      expect(bsv.crypto.Signature.isTxDER(Buffer.concat([der, Buffer.from([0x41])]))).toBe(true);
    }));
  });
});
