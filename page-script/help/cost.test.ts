import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalText, fromSatoshis, toSatoshis } from '../../protocol/money/money.ts';
import type { PageRates } from '../../protocol/messages/page-messages.ts';
import { specialOf } from '../options/special.ts';
import { costOf, valueFaultOf } from './cost.ts';

const RATES: PageRates = {
  currency: 'EUR',
  prices: { USD: '50', EUR: '46', BSV: '1' },
  feeRate: { satoshis: 1, bytes: 10 },
  time: 0,
};
const decimal = fc
  .tuple(fc.bigInt(1n, 10n ** 15n), fc.integer({ min: 0, max: 8 }))
  .map(([units, scale]) => decimalText(units, scale));

test.each([
  ['1050000000', null],
  ['1050000050', 'invalid-amount'],
  ['0.0000001', 'amount-too-small'],
])(
  'an amount that exceeds the supply or is below one satoshi is rejected, at 50 USD per coin: %s',
  (amount, reason) => {
    const payment = { outputs: [{ to: 'x', amount, currency: 'USD' }] };
    expect(valueFaultOf(payment, RATES)?.reason ?? null).toBe(reason);
  },
);

test('the outputs are added up before they are compared with the supply', () => {
  const outputs = ['USD', 'BSV'].map((currency) => ({ to: 'x', amount: '20000000', currency }));
  expect(valueFaultOf({ outputs }, RATES)).toBeNull();
  outputs[0]!.amount = '50000050';
  expect(valueFaultOf({ outputs }, RATES)?.reason).toBe('invalid-amount');
});

describe('the cost in the payer’s currency', () => {
  const outputs = [{ to: 'x', amount: '0.10', currency: 'USD' }];

  test('the cost includes the fee', () => {
    // 200,000 satoshis plus a fee of 23 satoshis (226 bytes at 1 satoshi per 10 bytes), at 46 EUR per 10^8 satoshis.
    expect(costOf({ outputs }, RATES)).toEqual({
      total: '0.09201058',
      fee: '0.00001058',
      currency: 'EUR',
      isOwn: false,
    });
  });

  test('the cost grows with the bytes written to the chain', () => {
    expect(
      Number(costOf({ outputs }, RATES, specialOf({ outputs, opReturn: 'é'.repeat(500) }).bytes)!.fee) -
        Number(costOf({ outputs }, RATES)!.fee),
    ).toBeCloseTo(0.00004692, 10);
  });

  test('satoshis are rounded as the wallet rounds them', () => {
    fc.assert(
      fc.property(decimal, decimal, (amount, price) => {
        const rates = { ...RATES, currency: 'BSV', prices: { USD: price, BSV: '1' } };
        let satoshis: bigint;
        try {
          satoshis = toSatoshis(amount, price);
        } catch {
          return;
        }
        const { total } = costOf({ outputs: [{ to: 'x', amount, currency: 'USD' }] }, rates)!;
        expect(toSatoshis(total, '1')).toBe(satoshis + 23n);
        expect(toSatoshis(fromSatoshis(satoshis + 23n, '1', 8), '1')).toBe(satoshis + 23n);
      }),
    );
  });

  test.each([
    ['no price of the page’s currency', { prices: { EUR: '46' } }],
    ['no price of the user’s own', { prices: { USD: '50' } }],
    ['a price of zero', { prices: { USD: '0', EUR: '46' } }],
    ['an invalid price', { prices: { USD: 'x', EUR: '46' } }],
    ['a fee that is no whole number', { feeRate: { satoshis: 0.5, bytes: 1 } }],
    ['a fee for nothing', { feeRate: { satoshis: 1, bytes: 0 } }],
  ])('the cost is unknown with %s', (_, wrong) => expect(costOf({ outputs }, { ...RATES, ...wrong })).toBeNull());
});
