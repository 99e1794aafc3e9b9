import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from './bytes.ts';
import { parseTransaction, serializeTransaction, type Transaction } from './transaction.ts';
import { transactions, FIRST_PAYMENT, malformed } from './testing-transaction.ts';

/** Converts scripts to hex, because comparing bytes is much slower. */
const inHex = ({ inputs, outputs, ...rest }: Transaction) => ({
  ...rest,
  inputs: inputs.map((i) => ({ ...i, unlockingScript: toHex(i.unlockingScript) })),
  outputs: outputs.map((o) => ({ ...o, lockingScript: toHex(o.lockingScript) })),
});

describe('a transaction', () => {
  test('a parsed transaction is written unchanged, and a written one is parsed unchanged', () => {
    fc.assert(
      fc.property(transactions, (transaction) => {
        const bytes = serializeTransaction(transaction);
        expect(inHex(parseTransaction(bytes))).toEqual(inHex(transaction));
        expect(toHex(serializeTransaction(parseTransaction(bytes)))).toBe(toHex(bytes));
      }),
    );
  });

  test('a transaction with one bit flipped is rejected, or keeps exactly those bytes', () => {
    const bytes = fromHex(FIRST_PAYMENT);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Uint8Array.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      try {
        expect(serializeTransaction(parseTransaction(changed))).toEqual(changed);
      } catch (error) {
        expect(error).toEqual(malformed);
      }
    }
  });
});
