import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalText, parseDecimal } from './money.ts';
import { roundedPrice, writtenAmount } from './written-amount.ts';

describe('[R-06] a written amount', () => {
  test.each<[string | number, string]>([
    ['.10', '0.10'],
    ['1.', '1'],
    ['01', '1'],
    ['000', '0'],
    ['0.10', '0.10'],
    ['1.50', '1.50'],
    ['0', '0'],
    ['.0', '0.0'],
    ['007.5', '7.5'],
    [1e-7, '0.0000001'],
    [1e-8, '0.00000001'],
    [1.5e-7, '0.00000015'],
    [1e-18, '0.000000000000000001'],
    [0.1, '0.1'],
    [3, '3'],
    [0, '0'],
    [1e17, '100000000000000000'],
    [`${'0'.repeat(30)}1`, '1'],
    ['123456789012345678.123456789012345678', '123456789012345678.123456789012345678'],
  ])('%j is %s', (given, text) => expect(writtenAmount(given)).toBe(text));

  test.each<string | number>([
    '',
    '.',
    '-1',
    '+1',
    ' 1',
    '1 ',
    '1,5',
    '1.2.3',
    '1e-7',
    '0x10',
    '１',
    '1\n',
    'ten',
    '1234567890123456789',
    '0.1234567890123456789',
    -1,
    -1e-7,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e21,
  ])('%j is not an amount', (given) => expect(writtenAmount(given)).toBeNull());

  test('a written amount is valid in the protocol, and unchanged when it is parsed again', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 18n - 1n), fc.nat(18), fc.nat(5), (units, scale, zeros) => {
        const text = decimalText(units, scale);
        const written = writtenAmount('0'.repeat(zeros) + text.replace(/^0\./, '.'))!;
        expect(parseDecimal(written)).toEqual(parseDecimal(text));
        expect(writtenAmount(written)).toBe(written);
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e17, noNaN: true }), (number) => {
        const text = writtenAmount(number);
        // Digits after the 18th decimal are dropped.
        if (text !== null) expect(Math.abs(Number(text) - number)).toBeLessThanOrEqual(1e-18);
      }),
    );
  });
});

describe('a price computed with floats', () => {
  test.each<[number, string, string]>([
    [0.1 + 0.2, 'USD', '0.30'],
    [19.99 * 3, 'USD', '59.97'],
    [0.57 * 100 - 1e-14, 'USD', '57.00'],
    [4.35 * 100, 'EUR', '435.00'],
    [100 / 3, 'USD', '33.33'],
    [1.1 * 1.1, 'KWD', '1.210'],
    [1.1 * 1100, 'JPY', '1210'],
    [0.1 + 0.2, 'BSV', '0.30000000'],
    [0.0001 * 3, 'USD', '0.0003'],
    [123456789.1 * 1.1, 'USD', '135802468.01'],
  ])('%d %s is %s', (number, currency, text) => {
    expect(roundedPrice(writtenAmount(number) ?? '', currency)).toBe(text);
    // An attribute with the same number yields the same result.
    if (`${number}`.length <= 20) expect(roundedPrice(writtenAmount(`${number}`) ?? '', currency)).toBe(text);
  });

  test.each<[string | number, string]>([
    [0.001, 'USD'],
    ['0.00123', 'USD'],
    ['0.10', 'USD'],
    [1.5, 'JPY'],
    ['12345678.12345678', 'BSV'],
    ['0.000000000000000001', 'USD'],
    ['0.123456789012345678', 'gold@pay.example'],
  ])('%s %s is not a computed price, and stays unchanged', (amount, currency) =>
    expect(roundedPrice(writtenAmount(amount) ?? '', currency)).toBe(writtenAmount(amount)),
  );
});
