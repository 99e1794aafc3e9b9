import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDecimals, decimalText, parseDecimal } from '../../protocol/money/money.ts';
import { sum } from './decimals.ts';

const decimal = fc
  .tuple(fc.bigInt(1n, 10n ** 15n), fc.integer({ min: 0, max: 8 }))
  .map(([units, scale]) => decimalText(units, scale));

describe('the sum of outputs', () => {
  test('the sum of one output is its amount, unchanged', () => expect(sum(['0.10'])).toBe('0.10'));
  test.each([
    [['0.1', '0.2'], '0.3'],
    [['1', '2'], '3'],
    [['0.000000000000000001', '1'], '1.000000000000000001'],
    [['9.99', '0.01'], '10'],
  ])('the sum of %j equals %s', (amounts, total) => expect(sum(amounts)).toBe(total));
  test('the sum equals the one that the wallet computes', () => {
    fc.assert(
      fc.property(fc.array(decimal, { minLength: 2, maxLength: 6 }), (amounts) => {
        const [ours, theirs] = [parseDecimal(sum(amounts)), parseDecimal(addDecimals(amounts))];
        expect(ours.units * 10n ** BigInt(theirs.scale)).toBe(theirs.units * 10n ** BigInt(ours.scale));
      }),
    );
  });
});
