import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountOf, satoshisForUnits, unitsForSatoshis, unitsOf } from './decide.ts';

const prices = fc.tuple(fc.bigInt(1n, 10n ** 12n), fc.integer({ min: 0, max: 18 })).map(([units, scale]) => {
  const digits = units.toString().padStart(scale + 1, '0');
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
});
const satoshis = fc.bigInt(1n, 21_000_000n * 100_000_000n);

function fraction(price: string): [bigint, bigint] {
  const [whole = '', rest = ''] = price.split('.');
  return [BigInt(whole + rest), 10n ** BigInt(rest.length)];
}

describe('units', () => {
  test.each([
    ['5', 500_000_000n],
    ['0.10', 10_000_000n],
    ['0.00000001', 1n],
    ['21000000', 2_100_000_000_000_000n],
  ])('%s is %i', (amount, units) => {
    expect(unitsOf(amount)).toBe(units);
    expect(unitsOf(amountOf(units))).toBe(units);
  });

  test.each(['0', '0.00', '-1', '', '1e3', '1,5', ' 1', '0.000000001', '01', '1.'])(
    '%j is not a valid amount',
    (amount) => {
      expect(() => unitsOf(amount)).toThrow(expect.objectContaining({ code: 'invalid-amount' }));
    },
  );

  test.each([
    [0n, '0'],
    [500_000_000n, '5'],
    [1n, '0.00000001'],
    [123_450_000n, '1.2345'],
    [10_000_000_000n, '100'],
  ])('%i is formatted as %s', (units, text) => {
    expect(amountOf(units)).toBe(text);
  });

  test('units of BSV are satoshis', () => {
    fc.assert(
      fc.property(satoshis, (n) => {
        expect(unitsForSatoshis(n, '1')).toBe(n);
        expect(satoshisForUnits(n, '1')).toBe(n);
      }),
    );
  });

  test('units never undercount, and overcount by less than one unit', () => {
    fc.assert(
      fc.property(satoshis, prices, (n, price) => {
        const [p, q] = fraction(price);
        const units = unitsForSatoshis(n, price);
        expect(units * q >= n * p).toBe(true);
        expect((units - 1n) * q < n * p).toBe(true);
        expect(units).toBeGreaterThan(0n);
      }),
    );
  });

  test('units convert back to at most the paid satoshis', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), prices, (units, price) => {
        expect(unitsForSatoshis(satoshisForUnits(units, price), price) <= units).toBe(true);
      }),
    );
  });

  test('1,000 payments of 0.005 cents debit 5 cents', () => {
    // 100 satoshis at 50 USD per BSV are 0.005 cents, so 1,000 payments cost 5 cents, not 10 dollars.
    expect(amountOf(unitsForSatoshis(100n, '50') * 1000n)).toBe('0.05');
  });

  test('units convert to satoshis at a price of any precision, rounded down', () => {
    expect([satoshisForUnits(100n, '0.50'), satoshisForUnits(100n, '3'), satoshisForUnits(100n, '1.5')]).toEqual([
      200n,
      33n,
      66n,
    ]);
  });

  test('units need a valid price', () => {
    expect(() => unitsForSatoshis(1n, '0')).toThrow(expect.objectContaining({ code: 'rate-unavailable' }));
    expect(() => satoshisForUnits(1n, '0.000')).toThrow(expect.objectContaining({ code: 'rate-unavailable' }));
  });
});
