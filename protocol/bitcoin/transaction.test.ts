import { Transaction as SdkTransaction } from '@bsv/sdk';
import bsv from 'bsv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from './bytes.ts';
import { MAX_SATOSHIS } from '../money/money.ts';
import {
  MAX_TRANSACTION_BYTES,
  normalizedTxidOf,
  normalizedTxidOfBytes,
  parseOutputs,
  parseTransaction,
  parseTransactionHex,
  serializeTransaction,
  txidOf,
  type Transaction,
  type TransactionOutput,
} from './transaction.ts';
import { dataScript, pushData } from './push-data.ts';
import { ByteReader, ByteWriter, compactSizeLength } from './wire-format.ts';
import { uint32, script, transactions, FIRST_PAYMENT, malformed } from './testing-transaction.ts';

const FIRST_PAYMENT_ID = 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16';

describe('a transaction', () => {
  test('a transaction has the same bytes and ID as in @bsv/sdk and bsv 1.5.6', () => {
    fc.assert(
      fc.property(transactions, (transaction) => {
        const hex = toHex(serializeTransaction(transaction));
        const sdk = SdkTransaction.fromHex(hex);
        expect(sdk.id('hex')).toBe(txidOf(fromHex(hex)));
        expect(sdk.inputs.map((i) => [i.sourceTXID, i.sourceOutputIndex, i.sequence])).toEqual(
          transaction.inputs.map((i) => [i.txid, i.vout, i.sequence]),
        );
        expect(sdk.outputs.map((o) => [BigInt(o.satoshis ?? -1), o.lockingScript.toHex()])).toEqual(
          transaction.outputs.map((o) => [o.satoshis, toHex(o.lockingScript)]),
        );
        expect(new bsv.Transaction(hex).id).toBe(txidOf(fromHex(hex)));
      }),
      { numRuns: 50 },
    );
    expect(txidOf(fromHex(FIRST_PAYMENT))).toBe(FIRST_PAYMENT_ID);
    expect(parseTransactionHex(FIRST_PAYMENT).outputs.map((o) => o.satoshis)).toEqual([1_000_000_000n, 4_000_000_000n]);
    expect(toHex(serializeTransaction(parseTransactionHex(FIRST_PAYMENT)))).toBe(FIRST_PAYMENT);
  });

  test('a transaction that is truncated anywhere, or has trailing bytes, is rejected', () => {
    const bytes = fromHex(FIRST_PAYMENT);
    for (let length = 0; length < bytes.length; length += 1)
      expect(() => parseTransaction(bytes.subarray(0, length)), `${length} bytes`).toThrow(malformed);
    for (let last = 0; last < 256; last += 1)
      expect(() => parseTransaction(new Uint8Array([...bytes, last])), `and ${last}`).toThrow(malformed);
    fc.assert(
      fc.property(transactions, fc.nat(), (transaction, at) => {
        const whole = serializeTransaction(transaction);
        expect(() => parseTransaction(whole.subarray(0, at % whole.length))).toThrow(malformed);
      }),
    );
  });

  test('a transaction is parsed from a part of a longer buffer', () => {
    const bytes = new Uint8Array([9, 9, 9, ...fromHex(FIRST_PAYMENT), 9]);
    expect(txidOf(serializeTransaction(parseTransaction(bytes.subarray(3, -1))))).toBe(FIRST_PAYMENT_ID);
  });

  test.each([
    ['no inputs', (t: Transaction) => ({ ...t, inputs: [] })],
    ['no outputs', (t: Transaction) => ({ ...t, outputs: [] })],
    [
      'a value beyond all money',
      (t: Transaction) => ({ ...t, outputs: [{ satoshis: MAX_SATOSHIS + 1n, lockingScript: new Uint8Array(1) }] }),
    ],
    [
      'a value that is negative as a signed integer',
      (t: Transaction) => ({ ...t, outputs: [{ satoshis: 2n ** 64n - 1n, lockingScript: new Uint8Array(1) }] }),
    ],
    [
      'a sum beyond all money',
      (t: Transaction) => ({
        ...t,
        outputs: [MAX_SATOSHIS, 1n].map((satoshis) => ({ satoshis, lockingScript: new Uint8Array(1) })),
      }),
    ],
  ])('a transaction with %s is rejected', (_, change) => {
    expect(() => parseTransaction(serializeTransaction(change(parseTransactionHex(FIRST_PAYMENT))))).toThrow(malformed);
  });

  test('a transaction with an output of the maximum supply is parsed', () => {
    const transaction = {
      ...parseTransactionHex(FIRST_PAYMENT),
      outputs: [{ satoshis: MAX_SATOSHIS, lockingScript: new Uint8Array(1) }],
    };
    expect(parseTransaction(serializeTransaction(transaction)).outputs[0]?.satoshis).toBe(MAX_SATOSHIS);
  });

  // Each row: a count, its start and end (hex digits), and longer encodings of the same count.
  test.each([
    ['of inputs', 8, 10, ['fd0100', 'fe01000000', 'ff0100000000000000']],
    ['of a script', 82, 84, ['fd4800', 'fe48000000', 'ff4800000000000000']],
    ['of outputs', 236, 238, ['fd0200', 'fe02000000', 'ff0200000000000000']],
  ])('a transaction whose count %s is encoded in a longer form is rejected', (_, from, to, forms) => {
    for (const form of forms)
      expect(() => parseTransactionHex(FIRST_PAYMENT.slice(0, from) + form + FIRST_PAYMENT.slice(to))).toThrow(
        malformed,
      );
  });

  test('a transaction of the maximum size is parsed, and rejected with one more byte', () => {
    const ofSize = (script: number) =>
      serializeTransaction({
        version: 1,
        inputs: [{ txid: '00'.repeat(32), vout: 0, unlockingScript: new Uint8Array(0), sequence: 0 }],
        outputs: [{ satoshis: 1n, lockingScript: new Uint8Array(script) }],
        lockTime: 0,
      });
    const rest = ofSize(0x1_0000).length - 0x1_0000;
    expect(parseTransaction(ofSize(MAX_TRANSACTION_BYTES - rest)).outputs).toHaveLength(1);
    expect(() => parseTransaction(ofSize(MAX_TRANSACTION_BYTES - rest + 1))).toThrow(malformed);
  });

  test('a transaction that announces millions of missing parts is rejected', () => {
    for (const count of ['feffffffff', 'fe00000010', 'fdffff', 'ffffffffffffffffff']) {
      expect(() => parseTransactionHex(`01000000${count}${'00'.repeat(1000)}`)).toThrow(malformed);
      expect(() => parseTransactionHex(FIRST_PAYMENT.slice(0, 236) + count + FIRST_PAYMENT.slice(238))).toThrow(
        malformed,
      );
      expect(() => parseTransactionHex(FIRST_PAYMENT.slice(0, 82) + count + FIRST_PAYMENT.slice(84))).toThrow(
        malformed,
      );
    }
  });

  test('a transaction of random bytes is rejected, or keeps exactly those bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        let parsed: Transaction;
        try {
          parsed = parseTransaction(bytes);
        } catch (error) {
          expect(error).toEqual(malformed);
          return;
        }
        expect(serializeTransaction(parsed)).toEqual(bytes);
      }),
      { numRuns: 500 },
    );
  });

  test('a transaction’s outputs are parsed alone exactly if the whole transaction can be parsed (property)', () => {
    const outputsOf = (read: (bytes: Uint8Array) => TransactionOutput[], bytes: Uint8Array): string => {
      try {
        return read(bytes)
          .map(({ satoshis, lockingScript }) => `${satoshis} ${toHex(lockingScript)}`)
          .join();
      } catch (error) {
        expect(error).toEqual(malformed);
        return 'rejected';
      }
    };
    const wholeOf = (bytes: Uint8Array) => parseTransaction(bytes).outputs;
    fc.assert(
      fc.property(transactions, fc.nat(), fc.nat(255), fc.boolean(), (transaction, at, byte, isCut) => {
        const bytes = serializeTransaction(transaction);
        expect(outputsOf(parseOutputs, bytes)).toBe(outputsOf(wholeOf, bytes));
        bytes[at % bytes.length] = byte;
        const changed = isCut ? bytes.subarray(0, at % bytes.length) : bytes;
        expect(outputsOf(parseOutputs, changed)).toBe(outputsOf(wholeOf, changed));
      }),
      { numRuns: 200 },
    );
    expect(outputsOf(parseOutputs, new Uint8Array(MAX_TRANSACTION_BYTES + 1))).toBe('rejected');
  });

  test.each(['', '0', 'zz', `${FIRST_PAYMENT}0`, ` ${FIRST_PAYMENT}`, `0x${FIRST_PAYMENT}`])(
    'a transaction can’t be parsed from the text %#',
    (hex) => {
      expect(() => parseTransactionHex(hex)).toThrow(malformed);
    },
  );
});

describe('[P-06] the normalized ID', () => {
  test('the normalized ID is independent of the unlocking scripts, and changes with the lock time', () => {
    fc.assert(
      fc.property(transactions, fc.array(script, { minLength: 6, maxLength: 6 }), (transaction, scripts) => {
        const signed = {
          ...transaction,
          inputs: transaction.inputs.map((i, n) => ({ ...i, unlockingScript: scripts[n] ?? new Uint8Array() })),
        };
        expect(normalizedTxidOf(signed)).toBe(normalizedTxidOf(transaction));
        expect(normalizedTxidOfBytes(serializeTransaction(signed))).toBe(normalizedTxidOf(transaction));
        expect(normalizedTxidOf({ ...transaction, lockTime: transaction.lockTime ^ 1 })).not.toBe(
          normalizedTxidOf(transaction),
        );
        expect(transaction.inputs.every((i) => i.unlockingScript !== undefined)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test('the normalized ID is the ID that bsv 1.5.6 computes with all input scripts empty', () => {
    const theirs = new bsv.Transaction(FIRST_PAYMENT);
    for (const one of theirs.inputs) one.setScript(new bsv.Script());
    expect(normalizedTxidOf(parseTransactionHex(FIRST_PAYMENT))).toBe(theirs.id);
    expect(theirs.id).not.toBe(FIRST_PAYMENT_ID);
  });
});

describe('pushes', () => {
  test.each([0, 1, 75, 76, 255, 256, 65_535, 65_536, 99_000])(
    'pushes of %i bytes, and data scripts that contain them, match bsv 1.5.6',
    (n) => {
      const data = new Uint8Array(n).fill(7);
      const theirs = n === 0 ? '00' : new bsv.Script().add(Buffer.from(data)).toHex();
      expect(toHex(pushData(data))).toBe(theirs);
      expect(toHex(dataScript(data))).toBe(`006a${theirs}`);
    },
  );
});

describe('the reader', () => {
  test.each([0, 1, 252, 253, 65_535, 65_536, 0xffff_ffff])('the reader reads the compact size %i', (n) => {
    const reader = new ByteReader(new ByteWriter().compactSize(n).done());
    expect([reader.compactSize(), reader.left]).toEqual([n, 0]);
  });

  test.each([0x1_0000, 0xffff_ffff, 2 ** 32, 2 ** 40])('the reader rejects the compact size %i in eight bytes', (n) => {
    const reader = new ByteReader(new ByteWriter().uint8(0xff).uint64(BigInt(n)).done());
    expect(() => reader.compactSize()).toThrow(malformed);
  });

  test('the reader doesn’t change the bytes of a Buffer, and its result doesn’t share them', () => {
    const bytes = Buffer.from(FIRST_PAYMENT, 'hex');
    const { inputs } = parseTransaction(bytes);
    expect(bytes.toString('hex')).toBe(FIRST_PAYMENT);
    bytes.fill(0);
    expect(inputs[0]?.txid).not.toMatch(/^0+$/);
  });
});

describe('the writer', () => {
  test.each([-1n, -6954n, 2n ** 64n])('the writer rejects %d satoshis', (n) => {
    expect(() => new ByteWriter().uint64(n)).toThrow(RangeError);
  });

  test('the writer keeps its output when its buffer grows at any point', () => {
    const number = fc.oneof(
      fc.nat(255).map((n) => ({ size: 1, write: (w: ByteWriter) => w.uint8(n), hex: n.toString(16).padStart(2, '0') })),
      uint32.map((n) => ({
        size: 4,
        write: (w: ByteWriter) => w.uint32(n),
        hex: Buffer.from(Uint32Array.of(n).buffer).toString('hex'),
      })),
      fc.bigInt(0n, 2n ** 64n - 1n).map((n) => ({
        size: 8,
        write: (w: ByteWriter) => w.uint64(n),
        hex: Buffer.from(BigUint64Array.of(n).buffer).toString('hex'),
      })),
      fc
        .uint8Array({ maxLength: 300 })
        .map((b) => ({ size: b.length, write: (w: ByteWriter) => w.bytes(b), hex: toHex(b) })),
    );
    fc.assert(
      fc.property(fc.array(number, { maxLength: 200 }), (parts) => {
        const writer = new ByteWriter();
        for (const { write } of parts) write(writer);
        expect(toHex(writer.done())).toBe(parts.map(({ hex }) => hex).join(''));
      }),
    );
  });

  test.each([0, 252, 253, 65_535, 65_536, 0xffff_ffff, 2 ** 40])(
    'the writer writes the compact size %i in its minimal length',
    (n) => {
      expect(new ByteWriter().compactSize(n).done()).toHaveLength(compactSizeLength(n));
    },
  );
});
