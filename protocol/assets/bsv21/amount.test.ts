import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTokenDecimal, writeTokenDecimal } from './amount.ts';
import { MAX_TOKEN_AMOUNT } from './token.ts';

test('a formatted amount is parsed to the same amount, with 0 to 18 decimals', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, MAX_TOKEN_AMOUNT), fc.nat(18), (units, decimals) => {
      expect(readTokenDecimal(writeTokenDecimal(units, decimals), decimals)).toBe(units);
    }),
  );
  expect(writeTokenDecimal(1250n, 2)).toBe('12.5');
  expect(writeTokenDecimal(5n, 2)).toBe('0.05');
  expect(writeTokenDecimal(500n, 2)).toBe('5');
  expect(writeTokenDecimal(500n, 0)).toBe('500');
  expect(readTokenDecimal(MAX_TOKEN_AMOUNT.toString(), 0)).toBe(MAX_TOKEN_AMOUNT);
});

test.each([
  ['0', 2],
  ['0.00', 2],
  ['1.234', 2],
  ['1.', 2],
  ['.5', 2],
  ['-1', 2],
  ['+1', 2],
  ['1e3', 2],
  ['1,5', 2],
  [' 1', 2],
  ['18446744073709551616', 0],
  ['18.446744073709551616', 18],
  ['1.0', 0],
])('%j with %d decimals is not an amount', (text, decimals) => {
  expect(readTokenDecimal(text, decimals)).toBeNull();
});
