import { describe, expect, it } from 'vitest';
import { amountDeviates, atRate, deviates, rounded, shownWorthOf, worthOf } from './worth.ts';

const USD = { currency: 'USD', currencyRate: '50' };

describe('the worth of a payment', () => {
  it('uses its own currency at this service’s rate', () => {
    expect([
      worthOf(200_000n, USD),
      worthOf(1n, USD),
      worthOf(200_000n, { currency: 'BSV', currencyRate: null }),
      worthOf(5n, { currency: 'XTS', currencyRate: null }),
    ]).toEqual(['0.10', '0.0000005', '0.002', null]);
  });

  it('tolerates a stated amount that differs by a tenth, as rates can, or by one satoshi', () => {
    const said = (amount: string, satoshis = 200_000n) => deviates({ amount, satoshis }, USD);
    expect(['0.10', '0.095', '0.109', '0.11'].map((amount) => said(amount))).toEqual([false, false, false, false]);
    expect(
      ['0.111', '0.089', '1', '0', '0.000000001', '1000000.00', '9'.repeat(40)].map((amount) => said(amount)),
    ).toEqual([true, true, true, true, true, true, true]);
    expect([said('0.0000010', 1n), said('0.0000015', 1n), said('0', 0n)]).toEqual([false, true, false]);
    // Any positive amount below a satoshi counts as one satoshi. An amount above the total supply deviates.
    expect([said('0.00', 1n), said('0.000000001', 1n), said('9'.repeat(40), 1n)]).toEqual([false, false, true]);
  });

  it('remains unknown without a rate, except in BSV', () => {
    expect(deviates({ amount: '5', satoshis: 1n }, { currency: 'XTS', currencyRate: null })).toBeNull();
    expect(deviates({ amount: '0.002', satoshis: 200_000n }, { currency: 'BSV', currencyRate: null })).toBe(false);
    expect(deviates({ amount: '0.003', satoshis: 200_000n }, { currency: 'BSV', currencyRate: '50' })).toBe(true);
    const outputs = [{ amount: '5', currency: 'XTS', satoshis: 1n }];
    const payment = { amount: '5', satoshis: 1n, currency: 'XTS', currencyRate: null };
    expect(amountDeviates({ payment, outputs })).toBeNull();
  });

  it('deviates if one output does, even if the sum is right', () => {
    const outputs = [
      { amount: '0.19', currency: 'USD', satoshis: 200_000n },
      { amount: '0.01', currency: 'USD', satoshis: 200_000n },
    ];
    const payment = { ...USD, amount: '0.20', satoshis: 400_000n };
    expect(deviates(payment, payment)).toBe(false);
    expect(amountDeviates({ payment, outputs })).toBe(true);
    expect(amountDeviates({ payment, outputs: outputs.map((output) => ({ ...output, amount: '0.10' })) })).toBe(false);
  });

  it('ignores assets paid in addition to money', () => {
    const outputs = [
      { amount: '0.20', currency: 'USD', satoshis: 400_000n },
      { amount: '5', currency: 'gold@pay.example', satoshis: 1n },
    ];
    expect(amountDeviates({ payment: { ...USD, amount: '0.20', satoshis: 400_001n }, outputs })).toBe(false);
  });

  it('appears in its own currency, else in dollars, else in BSV', () => {
    const shown = (currency: string, currencyRate: string | null, usdRate: string | null) =>
      shownWorthOf(200_000n, { currency, currencyRate, usdRate });
    expect(shown('EUR', '40', '50')).toEqual({ amount: '0.08', currency: 'EUR' });
    expect(shown('XTS', null, '50')).toEqual({ amount: '0.10', currency: 'USD' });
    expect(shown('XTS', null, null)).toEqual({ amount: '0.002', currency: 'BSV' });
  });

  it('shows as many significant digits as needed, from two to eight', () => {
    expect([atRate(100_000_000n, '10'), atRate(1n, '50'), atRate(1n, '0.4'), atRate(100_000_000n, '1.23456')]).toEqual([
      '10.00',
      '0.0000005',
      '0.00',
      '1.23456',
    ]);
    const texts = ['12.345', '12.344999', '0.995', '12', '12.3', '0.005', '0.0049', '0', '10.00'];
    expect(texts.map(rounded)).toEqual(['12.35', '12.34', '1.00', '12.00', '12.30', '0.01', '0.0049', '0', '10.00']);
  });
});
