import { Hash, LockingScript, TransactionSignature, type TransactionInput } from '@bsv/sdk';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toHex } from './bytes.ts';
import { isForkSighash, isOriginalSighash, originalSighash, sighashes, type SignedOver } from './sighash.ts';

const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const satoshis = fc.bigInt(0n, 2_100_000_000_000_000n);
const script = fc.integer({ min: 0, max: 300 }).map((length) => new Uint8Array(length).fill(0x51));
const input = fc.record({
  txid: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex),
  vout: uint32,
  sequence: uint32,
});
const transactions: fc.Arbitrary<SignedOver> = fc.record({
  version: uint32,
  inputs: fc.array(input, { minLength: 1, maxLength: 4 }),
  outputs: fc.array(fc.record({ satoshis, lockingScript: script }), { minLength: 1, maxLength: 4 }),
  lockTime: uint32,
});
const [ALL, NONE, SINGLE] = [0x41, 0x42, 0x43];

/** Returns @bsv/sdk's preimage for an input's signature. */
function preimage(
  { version, inputs, outputs, lockTime }: SignedOver,
  scope: number,
  inputIndex: number,
  lockingScript: Uint8Array,
  sourceSatoshis: bigint,
): Uint8Array {
  const { txid, vout, sequence } = inputs[inputIndex] as SignedOver['inputs'][number];
  const all = inputs.map((one) => ({ sourceTXID: one.txid, sourceOutputIndex: one.vout, sequence: one.sequence }));
  return TransactionSignature.formatBytes({
    sourceTXID: txid,
    sourceOutputIndex: vout,
    sourceSatoshis: Number(sourceSatoshis),
    // @bsv/sdk writes the version as a signed integer.
    transactionVersion: version | 0,
    otherInputs: all.toSpliced(inputIndex, 1) as TransactionInput[],
    outputs: outputs.map((one) => ({
      satoshis: Number(one.satoshis),
      lockingScript: LockingScript.fromHex(toHex(one.lockingScript)),
    })),
    inputIndex,
    subscript: LockingScript.fromHex(toHex(lockingScript)),
    inputSequence: sequence,
    lockTime,
    scope,
  });
}
const hash256 = (bytes: Uint8Array) => toHex(Uint8Array.from(Hash.hash256(bytes)));

test('each input’s digest matches @bsv/sdk, whether it covers all outputs, none or one, with or without the other inputs', () => {
  for (const type of [ALL, NONE, SINGLE].flatMap((kind) => [kind, kind | 0x80])) {
    fc.assert(
      fc.property(transactions, script, satoshis, (transaction, lock, held) => {
        const digest = sighashes(transaction, type);
        for (const index of transaction.inputs.keys()) {
          if ((type & 0x1f) === 3 && index >= transaction.outputs.length) continue;
          expect(toHex(digest(index, lock, held))).toBe(hash256(preimage(transaction, type, index, lock, held)));
        }
      }),
      { numRuns: 40 },
    );
  }
});

test('the digest covers all outputs and inputs if no type is given', () => {
  fc.assert(
    fc.property(transactions, script, satoshis, (transaction, lock, held) => {
      expect(toHex(sighashes(transaction)(0, lock, held))).toBe(hash256(preimage(transaction, ALL, 0, lock, held)));
    }),
    { numRuns: 20 },
  );
});

test('SIGHASH_SINGLE without an output at the input’s index covers no output (BIP 143)', () => {
  const lock = new Uint8Array([0x51]);
  const one = { txid: 'ab'.repeat(32), vout: 1, sequence: 5 };
  const transaction: SignedOver = {
    version: 1,
    inputs: [one, { ...one, vout: 2 }],
    outputs: [{ satoshis: 7n, lockingScript: lock }],
    lockTime: 9,
  };
  const signsNone = preimage(transaction, NONE, 1, lock, 8n);
  signsNone[signsNone.length - 4] = SINGLE;
  expect(toHex(sighashes(transaction, SINGLE)(1, lock, 8n))).toBe(hash256(signsNone));
});

test('only types with FORKID that cover all outputs, none or one are accepted', () => {
  expect(Array.from({ length: 256 }, (_, type) => type).filter(isForkSighash)).toEqual([
    0x41, 0x42, 0x43, 0xc1, 0xc2, 0xc3,
  ]);
});

test('each input’s original digest matches @bsv/sdk, for every type', () => {
  for (const type of [0x61, 0x62, 0x63].flatMap((kind) => [kind, kind | 0x80])) {
    fc.assert(
      fc.property(transactions, script, satoshis, (transaction, lock, held) => {
        for (const index of transaction.inputs.keys()) {
          if ((type & 0x1f) === 3 && index >= transaction.outputs.length) continue;
          expect(toHex(originalSighash(transaction, type, index, lock))).toBe(
            hash256(preimage(transaction, type, index, lock, held)),
          );
        }
      }),
      { numRuns: 30 },
    );
  }
});

test('the original digest with SIGHASH_SINGLE is the number 1 for an input without an output at its index', () => {
  const lock = new Uint8Array([0x51]);
  const one = { txid: 'ab'.repeat(32), vout: 1, sequence: 5 };
  const transaction: SignedOver = { version: 1, inputs: [one, { ...one, vout: 2 }], outputs: [], lockTime: 9 };
  // The uint256 1 in little-endian byte order.
  expect(toHex(originalSighash(transaction, 0x63, 1, lock))).toBe(`01${'00'.repeat(31)}`);
});

test('only types with the FORKID and Chronicle bits use the original digest', () => {
  expect(Array.from({ length: 256 }, (_, type) => type).filter(isOriginalSighash)).toEqual([
    0x61, 0x62, 0x63, 0xe1, 0xe2, 0xe3,
  ]);
});
