import { PrivateKey } from '@bsv/sdk';
import { describe, expect, it } from 'vitest';
import { concatBytes, fromHex } from '../../protocol/bytes.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { parseTransaction, pushData, type Transaction } from '../../protocol/transaction.ts';
import { checkInputs, outputSum } from './check-inputs.ts';
import { createSignedTransaction } from './testing-report.ts';

const checked = async (transaction: Transaction, inputs: string[] | undefined) => {
  try {
    return await checkInputs(transaction, inputs);
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
};
/** Signed by @bsv/sdk, so that its digests are compared with ours. */
const signed = async (values: number[], out = 900) =>
  parseTransaction(fromHex(await createSignedTransaction(values, out)));
const withUnlock = (transaction: Transaction, change: (script: Uint8Array) => Uint8Array): Transaction => ({
  ...transaction,
  inputs: transaction.inputs.map((input, i) =>
    i === 0 ? { ...input, unlockingScript: change(input.unlockingScript) } : input,
  ),
});

describe('checkInputs', () => {
  it('adds up what the signatures prove', async () => {
    expect(await checked(await signed([1_000]), ['1000'])).toBe(1_000n);
    const three = await signed([1_000, 500, 123_456_789]);
    expect(await checked(three, ['1000', '500', '123456789'])).toBe(123_458_289n);
    expect(outputSum(three)).toBe(900n);
  });

  it('refuses every other value, in any order', async () => {
    const two = await signed([1_000, 500]);
    for (const inputs of [
      ['1001', '500'],
      ['999', '500'],
      ['500', '1000'],
      ['1000', '0'],
      ['1500', '0'],
      ['1000'],
      ['1000', '500', '0'],
      ['2100000000000001', '500'],
    ]) {
      expect(await checked(two, inputs), inputs.join()).toBe('payment-mismatch');
    }
  });

  it('refuses inputs that hold less than the outputs', async () => {
    expect(await checked(await signed([800]), ['800'])).toBe('payment-mismatch');
  });

  it('knows no sum if none was reported, or if an input proves nothing', async () => {
    const one = await signed([1_000]);
    expect(await checked(one, undefined)).toBeNull();
    const signature = (script: Uint8Array) => script.slice(0, 1 + (script[0] as number));
    const uncompressed = pushData(Uint8Array.from(PrivateKey.fromRandom().toPublicKey().encode(false) as number[]));
    const others: [string, (script: Uint8Array) => Uint8Array][] = [
      ['empty', () => new Uint8Array()],
      ['a signature alone', signature],
      ['another kind of signature', (script) => script.map((byte, i) => (i === script[0] ? 0xc1 : byte))],
      ['a long key', (script) => concatBytes(signature(script), uncompressed)],
      ['something more', (script) => concatBytes(script, Uint8Array.of(0x51))],
    ];
    for (const [name, change] of others) expect(await checked(withUnlock(one, change), ['1000']), name).toBeNull();
  });

  it('refuses signatures that are none, with every bit turned', async () => {
    const one = await signed([1_000]);
    const length = (one.inputs[0]?.unlockingScript[0] ?? 0) - 1;
    for (let bit = 8; bit < (1 + length) * 8; bit += 5) {
      const turned = withUnlock(one, (script) =>
        script.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)),
      );
      expect(await checked(turned, ['1000']), `bit ${bit}`).toBe('payment-mismatch');
    }
    expect(
      await checked(
        withUnlock(one, (script) => script.map((byte, i) => (i > script.length - 33 ? 0xff : byte))),
        ['1000'],
      ),
    ).toBe('payment-mismatch');
  });
});
