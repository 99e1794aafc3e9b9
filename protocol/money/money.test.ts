import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeThrownBy } from '../../testing/code-of.ts';
import {
  addDecimals,
  decimalText,
  fromSatoshis,
  isCurrencyCode,
  MAX_SATOSHIS,
  parseDecimal,
  satoshisToBsv,
  toSatoshis,
} from './money.ts';

const decimal = (mostUnits: bigint, mostScale: number) =>
  fc
    .record({ units: fc.bigInt(0n, mostUnits), scale: fc.nat(mostScale) })
    .map(({ units, scale }) => ({ units, scale, text: decimalText(units, scale) }));

describe('an amount in satoshis', () => {
  test('an amount in satoshis is exactly the nearest whole number, with halves rounded up', () => {
    fc.assert(
      fc.property(decimal(10n ** 15n, 12), decimal(10n ** 10n, 10), (amount, price) => {
        fc.pre(amount.units > 0n && price.units > 0n);
        // amount/price in satoshis, as the exact fraction n/d
        const n = amount.units * 100_000_000n * 10n ** BigInt(price.scale);
        const d = price.units * 10n ** BigInt(amount.scale);
        const code = codeThrownBy(() => toSatoshis(amount.text, price.text));
        if (n < d) expect(code).toBe('amount-too-small');
        else if (code === 'none') {
          const s = toSatoshis(amount.text, price.text);
          // s - 1/2 <= n/d < s + 1/2
          expect((2n * s - 1n) * d <= 2n * n && 2n * n < (2n * s + 1n) * d).toBe(true);
          expect(s >= 1n && s <= MAX_SATOSHIS).toBe(true);
        } else {
          expect(code).toBe('invalid-amount');
          expect(2n * n >= (2n * MAX_SATOSHIS + 1n) * d).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['1', '1', 100_000_000n],
    ['0.00000001', '1', 1n],
    ['0.000000015', '1', 2n],
    ['0.000000014999999999', '1', 1n],
    ['1', '50', 2_000_000n],
    ['0.1', '0.3', 33_333_333n],
    ['0.2', '0.3', 66_666_667n],
    ['21000000', '1', MAX_SATOSHIS],
    ['999999999999999999', '99999999999.999999', 1_000_000_000_000_000n],
  ])('%s at a price of %s is %d satoshis', (amount, price, satoshis) => {
    expect(toSatoshis(amount, price)).toBe(satoshis);
  });

  test.each(['0.000000009', '0.0000000099999999', '0.000000005'])(
    'amounts below one satoshi, such as %s BSV, are rejected and never rounded up',
    (amount) => {
      expect(codeThrownBy(() => toSatoshis(amount, '1'))).toBe('amount-too-small');
    },
  );

  test.each(['0', '0.0', '0.000000000000000000', '21000000.00000001', '100000000000000000'])(
    'an amount of %s BSV doesn’t exist',
    (amount) => {
      expect(codeThrownBy(() => toSatoshis(amount, '1'))).toBe('invalid-amount');
    },
  );

  test('an impossible amount is rejected with a reason', () => {
    expect(() => toSatoshis('21000000.00000001', '1')).toThrow('more than the total supply');
  });

  test.each(['', '0', '0.0', '-5', '1e2', 'NaN', ' 1', '00', '1.'])(
    'conversion needs a price: %j is rejected',
    (price) => {
      expect(codeThrownBy(() => toSatoshis('1', price))).toBe('rate-unavailable');
    },
  );
});

describe('[R-06] an amount', () => {
  test.each([
    '',
    ' ',
    '-1',
    '+1',
    '-0',
    '.5',
    '5.',
    '01',
    '00',
    '00.1',
    '1e3',
    '1E3',
    '0x10',
    '1,5',
    '1 000',
    '1_000',
    ' 1',
    '1 ',
    '1\n',
    'NaN',
    'Infinity',
    '١',
    '１',
    '1.2.3',
    '1234567890123456789',
    '0.1234567890123456789',
    'null',
    '1n',
  ])('the amount %j is rejected', (text) => {
    expect(codeThrownBy(() => parseDecimal(text))).toBe('invalid-amount');
  });

  test('an amount is exactly the number of its digits', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 18n - 1n), fc.stringMatching(/^\d{0,18}$/), (whole, fraction) => {
        const text = fraction === '' ? `${whole}` : `${whole}.${fraction}`;
        expect(parseDecimal(text)).toEqual({ units: BigInt(`${whole}${fraction}`), scale: fraction.length });
        expect(decimalText(parseDecimal(text).units, fraction.length)).toBe(text);
      }),
    );
  });

  test('any other text is rejected as an amount', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^\d/.test(text));
        expect(codeThrownBy(() => parseDecimal(text))).toBe('invalid-amount');
      }),
    );
  });
});

describe('satoshis as money', () => {
  test('money is rounded to the nearest unit of the last digit, with halves rounded up', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, MAX_SATOSHIS), decimal(10n ** 10n, 8), fc.nat(8), (satoshis, price, digits) => {
        fc.pre(price.units > 0n);
        const text = fromSatoshis(satoshis, price.text, digits);
        const { units, scale } = { units: BigInt(text.replace('.', '')), scale: digits };
        const n = satoshis * price.units * 10n ** BigInt(scale);
        const d = 100_000_000n * 10n ** BigInt(price.scale);
        expect((2n * units - 1n) * d <= 2n * n && 2n * n < (2n * units + 1n) * d).toBe(true);
        expect(text).toMatch(digits === 0 ? /^\d+$/ : new RegExp(`^\\d+\\.\\d{${digits}}$`));
      }),
    );
  });

  test('BSV amounts are parsed to the same satoshis, without superfluous zeros', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, MAX_SATOSHIS), (satoshis) => {
        const text = satoshisToBsv(satoshis);
        expect(toSatoshis(text, '1')).toBe(satoshis);
        expect(text).not.toMatch(/\.$|\.\d*0$/);
      }),
    );
    expect([0n, 1n, 100_000_000n, 1_000_000_000n, 150_000_000n].map(satoshisToBsv)).toEqual([
      '0',
      '0.00000001',
      '1',
      '10',
      '1.5',
    ]);
  });
});

describe('a sum of amounts', () => {
  test('a sum of amounts is exact', () => {
    fc.assert(
      fc.property(fc.array(decimal(10n ** 17n, 17), { maxLength: 8 }), (amounts) => {
        const scale = Math.max(0, ...amounts.map((a) => a.scale));
        const units = amounts.reduce((sum, a) => sum + a.units * 10n ** BigInt(scale - a.scale), 0n);
        expect(addDecimals(amounts.map((a) => a.text))).toBe(decimalText(units, scale));
      }),
    );
    expect(addDecimals(['0.1', '0.2'])).toBe('0.3');
    expect(addDecimals(['1', '0.50'])).toBe('1.50');
    expect(codeThrownBy(() => addDecimals(['1', 'x']))).toBe('invalid-amount');
  });
});

test('[R-07] a currency code is three capital letters', () => {
  expect(['USD', 'BSV', 'ZZZ', 'SATS', 'USDTT'].every(isCurrencyCode)).toBe(true);
  expect(['', 'usd', 'US', 'USDTTT', 'U$D', 'ÄÖÜ', 'USD\n', ' USD'].some(isCurrencyCode)).toBe(false);
});
