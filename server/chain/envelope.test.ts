import { MerklePath } from '@bsv/sdk';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { concatBytes, toHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, type Transaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { ByteWriter } from '../../protocol/bitcoin/wire-format.ts';
import { merkleRoot } from '../devnet/ledger/blocks.ts';
import { bumpOf } from '../devnet/indexes/proofs.ts';
import { EnvelopeError } from './envelope-error.ts';
import { readEnvelope, subjectOfBeef, transactionsOf } from './envelope.ts';

const script = fc.uint8Array({ maxLength: 300 });
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const txid = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const source = fc.record({ satoshis: fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n }), lockingScript: script });
const input = fc.record({ txid, vout: uint32, unlockingScript: script, sequence: uint32 });
const transaction: fc.Arbitrary<Transaction> = fc.record({
  version: fc.integer({ min: 1, max: 2 }),
  inputs: fc.array(input, { minLength: 1, maxLength: 5 }),
  outputs: fc.array(fc.record({ satoshis: fc.bigInt({ min: 0n, max: 1_000_000n }), lockingScript: script }), {
    minLength: 1,
    maxLength: 5,
  }),
  lockTime: uint32,
});

/** Encodes Extended Format (BRC-30), implemented from the standard. */
function extend(whole: Transaction, sources: readonly { satoshis: bigint; lockingScript: Uint8Array }[]): Uint8Array {
  const writer = new ByteWriter()
    .uint32(whole.version)
    .bytes(new Uint8Array([0, 0, 0, 0, 0, 0xef]))
    .compactSize(whole.inputs.length);
  whole.inputs.forEach((one, i) => {
    const spent = sources[i] ?? { satoshis: 0n, lockingScript: new Uint8Array(0) };
    writer
      .txid(one.txid)
      .uint32(one.vout)
      .compactSize(one.unlockingScript.length)
      .bytes(one.unlockingScript)
      .uint32(one.sequence)
      .uint64(spent.satoshis)
      .compactSize(spent.lockingScript.length)
      .bytes(spent.lockingScript);
  });
  return concatBytes(writer.done(), serializeTransaction({ ...whole, inputs: [] }).subarray(5));
}

test('the extended format is read as the raw transaction with its source outputs (property)', () => {
  fc.assert(
    fc.property(transaction, fc.array(source, { minLength: 5, maxLength: 5 }), (whole, sources) => {
      const { candidates, proofs } = readEnvelope(extend(whole, sources));
      expect(proofs).toEqual([]);
      expect(candidates).toEqual([
        { bytes: serializeTransaction(whole), sources: sources.slice(0, whole.inputs.length) },
      ]);
    }),
  );
});

test('raw bytes are returned unchanged', () => {
  fc.assert(
    fc.property(transaction, (whole) => {
      const bytes = serializeTransaction(whole);
      expect(readEnvelope(bytes)).toEqual({ proofs: [], candidates: [{ bytes, sources: null }] });
    }),
  );
});

test('a BEEF of unproven transactions is split into exactly these, in both versions (property)', () => {
  fc.assert(
    fc.property(fc.array(transaction, { minLength: 1, maxLength: 4 }), fc.boolean(), (list, second) => {
      const writer = new ByteWriter()
        .bytes(new Uint8Array([second ? 2 : 1, 0, 0xbe, 0xef]))
        .compactSize(0)
        .compactSize(list.length);
      for (const whole of list) {
        if (second) writer.uint8(0);
        writer.bytes(serializeTransaction(whole));
        if (!second) writer.uint8(0);
      }
      const bytes = writer.done();
      expect(readEnvelope(bytes).candidates.map((one) => one.bytes)).toEqual(list.map(serializeTransaction));
      expect(transactionsOf(bytes)).toEqual(list.map((one) => ({ bytes: serializeTransaction(one), isProven: false })));
      const last = serializeTransaction(list.at(-1) as Transaction);
      const atomic = (meant: string) =>
        new ByteWriter()
          .bytes(new Uint8Array([1, 1, 1, 1]))
          .txid(meant)
          .bytes(bytes)
          .done();
      expect([subjectOfBeef(bytes), subjectOfBeef(atomic(txidOf(last)))]).toEqual([last, last]);
      for (const read of [readEnvelope, subjectOfBeef, transactionsOf]) {
        for (const wrong of [bytes.subarray(0, -1), concatBytes(bytes, new Uint8Array(1)), atomic('00'.repeat(32))])
          expect(() => read(wrong)).toThrow(EnvelopeError);
      }
    }),
  );
});

test('any bytes are either split or rejected with an EnvelopeError (property)', () => {
  const markers = [[], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0xef], [1, 0, 0xbe, 0xef], [2, 0, 0xbe, 0xef], [1, 1, 1, 1]];
  fc.assert(
    fc.property(
      fc.constantFrom(...markers),
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom(readEnvelope, subjectOfBeef, transactionsOf),
      (marker, rest, read) => {
        try {
          read(Uint8Array.from([...marker, ...rest]));
        } catch (error) {
          expect(error).toBeInstanceOf(EnvelopeError);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

function beefWith(path: Uint8Array, whole: Transaction): Uint8Array {
  return new ByteWriter()
    .bytes(new Uint8Array([1, 0, 0xbe, 0xef]))
    .compactSize(1)
    .bytes(path)
    .compactSize(1)
    .bytes(serializeTransaction(whole))
    .uint8(1)
    .compactSize(0)
    .done();
}

const [whole] = fc.sample(transaction, { numRuns: 1, seed: 1 });
if (!whole) throw new RangeError('no sample');

test('paths in blocks of one to nine transactions lead to the same root as in @bsv/sdk, and paths with a changed hash don’t', () => {
  for (let size = 1; size <= 9; size += 1) {
    const txids = Array.from({ length: size }, (_, i) => txidOf(new Uint8Array([i])));
    const root = merkleRoot(txids);
    for (const [index, id] of txids.entries()) {
      const path = bumpOf(txids, index, 77);
      expect(MerklePath.fromHex(toHex(path)).computeRoot(id)).toBe(root);
      expect(readEnvelope(beefWith(path, whole)).proofs).toEqual([{ height: 77, root }]);
      const changed = path.slice();
      changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
      const outcome = (): unknown => readEnvelope(beefWith(changed, whole)).proofs[0]?.root;
      let found: unknown = 'refused';
      try {
        found = outcome();
      } catch (error) {
        expect(error).toBeInstanceOf(EnvelopeError);
      }
      expect(found).not.toBe(root);
    }
  }
});

test('a merkle path that contradicts itself or is truncated is rejected immediately', () => {
  const txids = Array.from({ length: 4 }, (_, i) => txidOf(new Uint8Array([i])));
  const leaf = (offset: number, id: string): Uint8Array =>
    new ByteWriter().compactSize(offset).uint8(0).txid(id).done();
  const path = (...levels: Uint8Array[][]): Uint8Array => {
    const writer = new ByteWriter().compactSize(7).uint8(levels.length);
    for (const level of levels) writer.compactSize(level.length).bytes(concatBytes(...level));
    return writer.done();
  };
  const [a = '', b = '', c = ''] = txids;
  const refused = (bytes: Uint8Array): void => {
    expect(() => readEnvelope(beefWith(bytes, whole))).toThrow(EnvelopeError);
  };
  refused(path());
  refused(path([]));
  refused(path([leaf(0, a)], [leaf(1, c)]));
  refused(path([leaf(0, a), leaf(1, b)], [leaf(0, c), leaf(1, c)]));
  refused(path([leaf(0, a), leaf(0, a)]));
  refused(path([leaf(1, a), new Uint8Array([0, 1])]));
  refused(new Uint8Array([7, 1, 0xfe, 0xff, 0xff, 0xff, 0xff]));
});

test('a large BEEF is split without computing its paths, which would block the process', () => {
  const leaf = new ByteWriter().compactSize(0).uint8(0).txid('11'.repeat(32)).done();
  const beef = beefWith(new ByteWriter().compactSize(7).uint8(1).compactSize(2).bytes(leaf).bytes(leaf).done(), whole);
  expect(() => readEnvelope(beef)).toThrow(EnvelopeError);
  expect(subjectOfBeef(beef)).toEqual(serializeTransaction(whole));
  expect(transactionsOf(beef)).toEqual([{ bytes: serializeTransaction(whole), isProven: true }]);
  expect(() => subjectOfBeef(beefWith(new Uint8Array([7, 1, 0xfe, 0xff, 0xff, 0xff, 0xff]), whole))).toThrow(
    EnvelopeError,
  );
});
