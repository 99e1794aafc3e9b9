// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountReadings, fieldText, typedAmount } from './typed-amount.ts';

describe('a typed amount', () => {
  test.each([
    ['0,00123', '0.00123'],
    ['0,125', '0.125'],
    ['0,001', '0.001'],
    ['0.001', '0.001'],
    ['00,125', '0.125'],
    ['.5', '0.5'],
    [',5', '0.5'],
    ['5.', '5'],
    ['007', '7'],
    ['1.000,50', '1000.50'],
    ['1,000.50', '1000.50'],
    ['1000,50', '1000.50'],
    ['12,5', '12.5'],
    ['2,5000', '2.5000'],
    ['1 000', '1000'],
    ['1 000,50', '1000.50'],
    ['1 000.50', '1000.50'],
    ['1\u202f000,50', '1000.50'],
    ['1\u00a0000.5', '1000.5'],
    ['1’000.50', '1000.50'],
    ["1'000'000", '1000000'],
    ['1,000,000', '1000000'],
    ['1.000.000', '1000000'],
    ['1,00,000', '100000'],
    ['12,34,567.89', '1234567.89'],
    ['1000,125', '1000.125'],
    ['١٬٢٣٤٫٥', '1234.5'],
    ['١٫٢٣٤', '1.234'],
    ['۰٫۵', '0.5'],
    ['１，５', '1.5'],
    ['१२३.४', '123.4'],
    ['一二.五', '12.5'],
  ])('%j is %s', (typed, amount) => expect(amountReadings(typed)).toEqual([amount]));

  test.each([
    ['1,000', '1', '1000'],
    ['1.000', '1', '1000'],
    ['1,234', '1.234', '1234'],
    ['12.340', '12.34', '12340'],
    ['999,999', '999.999', '999999'],
    ['١،٢٣٤', '1.234', '1234'],
  ])('%j is ambiguous between %s and %s', (typed, ...readings) => {
    expect(amountReadings(typed)).toEqual(readings);
    expect(typedAmount(typed)).toBeNull();
  });

  test.each([
    ...['', ' ', '.', ',', '0', '0,00', '-1', '+1', '1e3', 'ten', '1..2', '1,2,3', '1.2.3', 'Infinity', '0x10', '½'],
    ...['1,00,00', '0,000,000', '1,000.000,5', '1.000,000.5', '1  000', '1 00', '1 000 00,5', ',000.5', '5 €', '$5'],
    ...['1٢', '৪0', '一1', '0.000000001', '1'.repeat(19), '1'.repeat(100_000)],
  ])('%j is not an amount', (typed) => expect(amountReadings(typed)).toEqual([]));

  test('text filled in by a program is never ambiguous', () => {
    expect(['1.234', '0.125', '12.5', '1000'].map((amount) => fieldText(amount))).toEqual([
      '1.2340',
      '0.125',
      '12.5',
      '1000',
    ]);
    const token = { whole: 20, fraction: 3 };
    expect(typedAmount(fieldText('1.234', token), token)).toBe('1.234');
  });
});

const LOCALES = [
  ...['en', 'en-GB', 'en-IN', 'en-ZA', 'de', 'de-AT', 'de-CH', 'de-LI', 'es', 'es-MX', 'es-AR', 'es-CR', 'fr'],
  ...['fr-CA', 'fr-CH', 'fr-BE', 'pt', 'pt-PT', 'pt-AO', 'ja', 'ar', 'ar-EG', 'ar-MA', 'ar-SA', 'ar-u-nu-latn'],
];

/** The positional numbering systems of ECMA-402. Each has ten digits. */
const NUMBERING_SYSTEMS = Intl.supportedValuesOf('numberingSystem').filter(
  (name) => [...new Intl.NumberFormat(`en-u-nu-${name}`).format(10)].length === 2,
);

const amounts = fc
  .tuple(fc.bigInt(0n, 999_999_999_999_999_999n), fc.integer({ min: 0, max: 8 }))
  .filter(([units]) => units > 0n)
  .map(([units, scale]) => {
    const digits = `${units}`.padStart(scale + 1, '0');
    return scale ? `${digits.slice(0, -scale)}.${digits.slice(-scale)}` : digits;
  });

const sameNumber = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

/**
 * Expects one or two readings, including the correct one. Two are allowed only if a single separator precedes three
 * digits.
 */
function expectReadBack(formatted: string, amount: string): void {
  const readings = amountReadings(formatted).map(sameNumber);
  expect(readings, formatted).toContain(sameNumber(amount));
  if (readings.length > 1) expect(formatted).toMatch(/^\D*\p{Nd}{1,3}[^\p{Nd}\s'’]\p{Nd}{3}\D*$/u);
}

test.each(LOCALES)('every amount that Intl formats in %s is parsed back', (locale) => {
  fc.assert(
    fc.property(
      amounts,
      fc.integer({ min: 0, max: 8 }),
      fc.constantFrom('auto', 'always', 'min2', false),
      (...given) => {
        const [amount, fewest, useGrouping] = given;
        const format = new Intl.NumberFormat(locale, {
          minimumFractionDigits: fewest,
          maximumFractionDigits: 8,
          useGrouping: useGrouping as 'auto',
        });
        expectReadBack(format.format(amount as `${number}`), amount);
      },
    ),
    { numRuns: 50 },
  );
});

test.each(NUMBERING_SYSTEMS)('every amount in the numbering system %s is parsed back', (system) => {
  fc.assert(
    fc.property(amounts, (amount) => {
      const format = new Intl.NumberFormat(`en-u-nu-${system}`, { maximumFractionDigits: 8 });
      fc.pre(!/^\d{1,3}$/.test(amount));
      expectReadBack(format.format(amount as `${number}`), amount);
    }),
    { numRuns: 5 },
  );
});

test('an amount with more decimals than its token is rejected rather than parsed with a thousands separator', () => {
  expect(amountReadings('5.555', { whole: 20, fraction: 2 })).toEqual([]);
  expect(amountReadings('1,000', { whole: 20, fraction: 0 })).toEqual(['1', '1000']);
});
