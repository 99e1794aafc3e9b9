import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serializeTransaction, type TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import { feeFor, MAX_UNLOCKING_BYTES, transactionSize } from './plan.ts';
import { testScript } from '../../testkit/wallet/coins.ts';

const script = fc.integer({ min: 0, max: 70_000 }).map((n) => new Uint8Array(n));
const outputs = fc.array(fc.record<TransactionOutput>({ satoshis: fc.bigInt(0n, 1000n), lockingScript: script }), {
  minLength: 1,
  maxLength: 4,
});

describe('the size of a transaction', () => {
  test('the size equals that of the bytes when every signature has its maximum size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.array(fc.nat(300), { maxLength: 3 }),
        outputs,
        (count, given, paid) => {
          const input = (bytes: number) => ({
            txid: '00'.repeat(32),
            vout: 0,
            unlockingScript: new Uint8Array(bytes),
            sequence: 0,
          });
          const bytes = serializeTransaction({
            version: 1,
            inputs: [...given, ...Array.from({ length: count }, () => MAX_UNLOCKING_BYTES)].map(input),
            outputs: paid,
            lockTime: 0,
          });
          const others = given.map((unlockingBytes) => ({ unlockingBytes }));
          expect(transactionSize(count, paid, others)).toBe(bytes.length);
        },
      ),
      { numRuns: 50 },
    );
  });

  test.each([252, 253, 65_535, 65_536])('the size includes the exact length of a script and of lists of %i', (n) => {
    const long = [{ satoshis: 0n, lockingScript: new Uint8Array(n) }];
    expect(transactionSize(1, long)).toBe(
      serializeTransaction({
        version: 1,
        inputs: [{ txid: '00'.repeat(32), vout: 0, unlockingScript: new Uint8Array(MAX_UNLOCKING_BYTES), sequence: 0 }],
        outputs: long,
        lockTime: 0,
      }).length,
    );
    expect(transactionSize(n, long) - transactionSize(n - 1, long)).toBe(148 + (n === 253 || n === 65_536 ? 2 : 0));
  });

  test('the size includes 34 bytes for a P2PKH output and 148 for its input', () => {
    const one = [{ satoshis: 0n, lockingScript: testScript(0) }];
    expect(transactionSize(1, [...one, ...one]) - transactionSize(1, one)).toBe(34);
    expect(transactionSize(2, one) - transactionSize(1, one)).toBe(148);
  });
});

describe('the fee', () => {
  test('the fee is the smallest whole number that the rate allows', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.nat(5000), fc.integer({ min: 1, max: 5000 }), (bytes, satoshis, per) => {
        const fee = feeFor(bytes, { satoshis, bytes: per });
        expect(fee * BigInt(per)).toBeGreaterThanOrEqual(BigInt(bytes) * BigInt(satoshis));
        if (fee > 0n) expect((fee - 1n) * BigInt(per)).toBeLessThan(BigInt(bytes) * BigInt(satoshis));
      }),
    );
  });
});
