import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leastPiece, piecesWanted, splitChange } from './change.ts';
import { spendingFee } from './fee.ts';

describe('change', () => {
  test('change is split without losing or making a satoshi, each piece about half of the one before', () => {
    fc.assert(
      fc.property(fc.bigInt(8n, 2_100_000_000_000_000n), fc.integer({ min: 1, max: 4 }), (satoshis, pieces) => {
        const values = splitChange(satoshis, pieces);
        expect(values).toHaveLength(pieces);
        expect(values.reduce((sum, value) => sum + value, 0n)).toBe(satoshis);
        for (const [i, value] of values.slice(0, -1).entries())
          expect(value).toBe((satoshis - values.slice(0, i).reduce((sum, one) => sum + one, 0n)) / 2n);
      }),
    );
  });

  test('change is split if few coins are left, and never so far that a restore could lose track of it', () => {
    const wanted = (available: number, pending = 0) => piecesWanted({ available, pending });
    expect([0, 3, 4, 5, 6, 7, 8, 100_000].map((available) => wanted(available))).toEqual([4, 4, 4, 3, 2, 1, 1, 1]);
    expect([0, 6, 7, 8, 9, 10, 50].map((pending) => wanted(0, pending))).toEqual([4, 4, 3, 2, 1, 1, 1]);
  });

  test('a single piece is worth spending, and each of several many times over', () => {
    for (const rate of [
      { satoshis: 100, bytes: 1000 },
      { satoshis: 1, bytes: 1 },
    ]) {
      expect(leastPiece(1, rate)).toBe(spendingFee(rate));
      expect(leastPiece(2, rate)).toBe(100n * spendingFee(rate));
    }
    for (const satoshis of [0, 1]) expect(leastPiece(1, { satoshis, bytes: 1000 })).toBe(2n);
    expect(leastPiece(2, { satoshis: 0, bytes: 1000 })).toBe(1000n);
  });
});
