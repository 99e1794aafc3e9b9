import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeThrownBy } from '../../testing/code-of.ts';
import { decimalText } from '../../protocol/money/money.ts';
import type { KnownRates } from './known-rates.ts';
import { agree, agreedRate, refuseOldRate } from './rates.ts';

const NOW = 1_790_000_000_000;
const MINUTE = 60_000;

function known(
  service: Record<string, string> | null,
  index: string | null,
  { serviceAge = 0, indexAge = 0 } = {},
): KnownRates {
  return {
    service: service && { prices: service, time: NOW - serviceAge },
    index: index === null ? null : { price: index, time: NOW - indexAge },
    askedAt: NOW,
  };
}

describe('two prices agree', () => {
  test.each([
    ['100', '105', true],
    ['105', '100', true],
    ['100', '105.000000000000000001', false],
    ['100', '104.999999999999999999', true],
    ['95.238095238095238095', '100', false],
    ['95.238095238095238096', '100', true],
    ['50', '50.0', true],
    ['0.000000000000000020', '0.000000000000000021', true],
    ['0.000000000000000019', '0.00000000000000002', false],
    ['1', '2', false],
    ['999999999999999999', '1', false],
  ])('%s and %s agree: %s', (a, b, agreed) => {
    expect(agree(a, b)).toBe(agreed);
    expect(agree(b, a)).toBe(agreed);
  });

  test('prices agree up to exactly 5% of the smaller one, with any number of digits', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 15n), fc.integer({ min: 2, max: 18 }), (price, scale) => {
        const least = price * 20n;
        const most = price * 21n;
        expect(agree(decimalText(least, scale), decimalText(most, scale))).toBe(true);
        expect(agree(decimalText(least, scale), decimalText(most + 1n, scale))).toBe(false);
      }),
    );
  });
});

describe('the rate', () => {
  test('the rate is the service’s, confirmed by two sources, if the dollar rates agree, and as old as the older one', () => {
    const rates = known({ USD: '50', EUR: '45' }, '52.5', { serviceAge: 1000, indexAge: 90_000 });
    expect(agreedRate(rates, 'USD', NOW)).toEqual({
      currency: 'USD',
      price: '50',
      dollar: '50',
      time: NOW - 90_000,
      sources: 2,
    });
    expect(agreedRate(rates, 'EUR', NOW)).toEqual({
      currency: 'EUR',
      price: '45',
      dollar: '50',
      time: NOW - 90_000,
      sources: 2,
    });
  });

  test.each(['USD', 'EUR', 'ZZZ'])('the rate of %s is missing if the dollar rates differ', (currency) => {
    expect(
      codeThrownBy(() => agreedRate(known({ USD: '50', EUR: '45' }, '52.500000000000000001'), currency, NOW)),
    ).toBe('rates-differ');
  });

  test('the rate of a single source is marked as such', () => {
    expect(agreedRate(known({ USD: '50', EUR: '45' }, null, { serviceAge: 5 }), 'EUR', NOW)).toEqual({
      currency: 'EUR',
      price: '45',
      dollar: '50',
      time: NOW - 5,
      sources: 1,
    });
    expect(agreedRate(known(null, '50', { indexAge: 5 }), 'USD', NOW)).toEqual({
      currency: 'USD',
      price: '50',
      dollar: '50',
      time: NOW - 5,
      sources: 1,
    });
    expect(agreedRate(known({ EUR: '45' }, '50'), 'EUR', NOW)).toMatchObject({ price: '45', sources: 1 });
    expect(agreedRate(known({ EUR: '45' }, '50'), 'USD', NOW)).toMatchObject({ price: '50', sources: 1 });
  });

  test('a source older than ten minutes is ignored: it neither confirms nor contradicts', () => {
    const young = { serviceAge: 10 * MINUTE, indexAge: 10 * MINUTE };
    expect(agreedRate(known({ USD: '50' }, '51', young), 'USD', NOW).sources).toBe(2);
    expect(agreedRate(known({ USD: '50' }, '99', { indexAge: 10 * MINUTE + 1 }), 'USD', NOW)).toMatchObject({
      price: '50',
      sources: 1,
    });
    expect(agreedRate(known({ USD: '99' }, '50', { serviceAge: 10 * MINUTE + 1 }), 'USD', NOW)).toMatchObject({
      price: '50',
      sources: 1,
    });
    const old = { serviceAge: 10 * MINUTE + 1, indexAge: 10 * MINUTE + 1 };
    expect(codeThrownBy(() => agreedRate(known({ USD: '50' }, '50', old), 'USD', NOW))).toBe('rate-unavailable');
  });

  test('a rate from the future is ignored, because the clock was set back and its age is unknown', () => {
    const ahead = { serviceAge: -11 * MINUTE, indexAge: -11 * MINUTE };
    expect(codeThrownBy(() => agreedRate(known({ USD: '50' }, '50', ahead), 'USD', NOW))).toBe('rate-unavailable');
    expect(
      codeThrownBy(() => refuseOldRate({ currency: 'USD', price: '50', time: NOW + 11 * MINUTE, sources: 2 }, NOW)),
    ).toBe('rate-unavailable');
  });

  test.each([
    ['nobody', null, null, 'USD', 'rate-unavailable'],
    ['only the index, in another currency', null, '50', 'EUR', 'rate-unavailable'],
    ['a table without it', { USD: '50' }, '50', 'EUR', 'invalid-currency'],
    ['a table, of a name that every object has', { USD: '50' }, null, 'constructor', 'invalid-currency'],
  ])('the rate can’t be read from %s', (_, service, index, currency, code) => {
    expect(codeThrownBy(() => agreedRate(known(service, index), currency, NOW))).toBe(code);
  });
});

test('no payment is made at a rate older than ten minutes, and amounts in BSV need no rate', () => {
  const rate = { currency: 'USD', price: '50', time: NOW, sources: 2 } as const;
  expect(codeThrownBy(() => refuseOldRate(rate, NOW + 10 * MINUTE))).toBe('none');
  expect(codeThrownBy(() => refuseOldRate(rate, NOW + 10 * MINUTE + 1))).toBe('rate-unavailable');
  expect(codeThrownBy(() => refuseOldRate({ ...rate, currency: 'BSV' }, NOW + 100 * MINUTE))).toBe('none');
  expect(codeThrownBy(() => refuseOldRate(undefined, NOW))).toBe('none');
});
