import { Point } from '@noble/secp256k1';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { baseMultiples, inverses } from './base-multiples.ts';

const { n, p } = Point.CURVE();
const theirs = (scalar: bigint) => Point.BASE.multiply(scalar).toAffine();

// First, because it takes less than the others.
test('the smallest and the largest multiples are the library’s', () => {
  const scalars = [1n, 2n, 3n, 128n, 129n, 255n, 256n, 0xff80n, n / 2n, n - 129n, n - 2n, n - 1n];
  expect(baseMultiples(scalars)).toEqual(scalars.map(theirs));
  expect(baseMultiples([])).toEqual([]);
});

test('each multiple is the library’s, including digits that are zero, carry, or are the largest', () => {
  const powers = Array.from({ length: 256 }, (_, bit) => 1n << BigInt(bit));
  const bytes = [0x00n, 0x01n, 0x7fn, 0x80n, 0x81n, 0xffn];
  const edges = [
    ...powers.flatMap((power) => [power - 1n, power, power + 1n, n - power]),
    ...bytes.flatMap((byte) => bytes.map((other) => BigInt(`0x${'00'.repeat(4)}${hex(byte)}${hex(other).repeat(27)}`))),
    ...bytes.map((byte) => BigInt(`0x${hex(byte).repeat(32)}`)),
    n / 2n,
    n / 2n + 1n,
  ].filter((scalar) => scalar > 0n && scalar < n);
  expect(baseMultiples(edges)).toEqual(edges.map(theirs));
});

test('random multiples are the library’s, for batches of any size', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt(1n, n - 1n), { maxLength: 40 }), (scalars) => {
      expect(baseMultiples(scalars)).toEqual(scalars.map(theirs));
    }),
    { numRuns: 50 },
  );
});

test.each([0n, n, n + 1n, -1n])('%s is not a scalar of the curve', (scalar) => {
  expect(() => baseMultiples([1n, scalar])).toThrow(RangeError);
});

test.each([
  ['the field', p],
  ['the scalars', n],
])('inverses in %s: each times its number is one, and zero is rejected', (_, modulus) => {
  fc.assert(
    fc.property(fc.array(fc.bigInt(1n, modulus - 1n), { maxLength: 20 }), (numbers) => {
      for (const [i, inverse] of inverses(numbers, modulus).entries())
        expect((inverse * (numbers[i] as bigint)) % modulus).toBe(1n);
    }),
  );
  expect(() => inverses([1n, 0n, 2n], modulus)).toThrow();
});

test('a product slightly above the order of the field is reduced', () => {
  // 2 (p + 1) / 2 = p + 1 is below 2^256, so nothing is folded. One in 2^223 random products is like this.
  expect(inverses([(p + 1n) / 2n, 1n], p)).toEqual([2n, 1n]);
  expect(inverses([1n, (p + 1n) / 2n, p - 1n, 1n], p)).toEqual([1n, 2n, p - 1n, 1n]);
  expect(inverses([], p)).toEqual([]);
});

test('scalars leave no digits in memory', () => {
  const set = vi.spyOn(Object.getPrototypeOf(Int16Array.prototype) as Int16Array, 'set');
  baseMultiples([0x1234567890abcdefn, n - 2n]);
  const digits = [...set.mock.contexts, ...set.mock.calls.map(([bytes]) => bytes as Uint8Array)] as Int16Array[];
  set.mockRestore();
  expect(digits).toHaveLength(4);
  for (const secret of digits) expect(secret.every((digit) => digit === 0)).toBe(true);
});

const hex = (byte: bigint) => byte.toString(16).padStart(2, '0');
