import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalText, parseDecimal, satoshisToBsv, toSatoshis } from '../../protocol/money/money.ts';
import { inBsv, paymentUri } from './payment-uri.ts';

const address = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';

describe('a payment request', () => {
  test('a URI contains address, chain, amount and label', () => {
    expect(paymentUri(address, '0.002', 'Read & pay?')).toBe(
      `bitcoin:${address}?sv&amount=0.002&label=Read%20%26%20pay%3F`,
    );
  });
  test('a URI may have a label with half a character in it', () =>
    expect(paymentUri(address, null, 'a\ud800')).toBe(`bitcoin:${address}?sv&label=a%EF%BF%BD`));
  test('a URI may leave the amount to the payer', () =>
    expect(paymentUri(address, null, '')).toBe(`bitcoin:${address}?sv`));
});

describe('an amount in BSV', () => {
  test.each([
    ['0.10', '50', '0.002'],
    ['1', '1', '1'],
    ['100', '50', '2'],
    ['0.000000004', '1', null],
    ['1', '0', null],
    ['1', 'undefined', null],
    ['1', '-3', null],
    ['x', '1', null],
    ['1', '1e3', null],
  ])('%s at a price of %s becomes %s', (amount, price, bsv) => expect(inBsv(amount, price)).toBe(bsv));

  test('equals the satoshis that the wallet would pay', () => {
    const decimal = fc
      .tuple(fc.bigInt(1n, 10n ** 12n), fc.integer({ min: 0, max: 10 }))
      .map(([units, scale]) => decimalText(units, scale));
    fc.assert(
      fc.property(decimal, decimal, (amount, price) => {
        let satoshis: bigint;
        try {
          satoshis = toSatoshis(amount, price);
        } catch {
          return;
        }
        expect(inBsv(amount, price)).toBe(satoshisToBsv(satoshis));
        expect(parseDecimal(inBsv(amount, price)!).scale).toBeLessThanOrEqual(8);
      }),
    );
  });
});
