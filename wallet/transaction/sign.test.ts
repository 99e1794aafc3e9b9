import { P2PKH, PrivateKey, Transaction as SdkTransaction, LockingScript } from '@bsv/sdk';
import bsv from 'bsv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { parseTransaction, serializeTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import type { Coin } from '../coins/coin.ts';
import { feeFor, transactionSize, type Plan } from './plan.ts';
import { derSignature, signTransaction } from './sign.ts';
import { testPair } from '../../testkit/wallet/coins.ts';
import { RATE, sign, plans, unlocksInLibauth } from './testing-sign.ts';

async function signedBySdk(plan: Plan<Coin>): Promise<string> {
  const transaction = new SdkTransaction();
  for (const coin of plan.inputs) {
    // Each input has its own template, because a shared template signs other inputs with the wrong value.
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

describe('a signed transaction', () => {
  test('a signed transaction matches @bsv/sdk’s byte for byte, for several inputs of different keys and values', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        expect(toHex(sign(plan).bytes)).toBe(await signedBySdk(plan));
      }),
      { numRuns: 40 },
    );
  });

  test('a signed transaction unlocks every input in the virtual machine of @bitauth/libauth', () => {
    fc.assert(fc.property(plans, unlocksInLibauth), { numRuns: 30 });
  });

  test('a signed transaction is never larger than planned, and its fee covers its actual size', () => {
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

  test('a signed transaction has version 1, final sequences and no lock time, and its parts are its bytes', () => {
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

  test('signing twice gives the same bytes', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        expect(sign(plan).bytes).toEqual(sign(plan).bytes);
      }),
      { numRuns: 5 },
    );
  });

  test('the key of each input’s coin is requested', () => {
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

  test('a signature is minimal and has the same numbers when bsv 1.5.6 parses it strictly (BIP 66)', () => {
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
