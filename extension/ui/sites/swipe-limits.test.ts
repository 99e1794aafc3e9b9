import { expect, test } from 'vitest';
import { suggestedLimits } from './swipe-limits.ts';

const rate = (currency: string, price: string, dollar?: string) => ({
  currency,
  price,
  time: 0,
  sources: 2 as const,
  ...(dollar !== undefined && { dollar }),
});

test.each([
  ['USD', '50', '1', '10'],
  ['EUR', '46', '1', '10'],
  ['GBP', '36', '1', '10'],
  ['JPY', '7500', '200', '2000'],
  ['KRW', '70000', '1000', '10000'],
  ['KWD', '15.3', '0.2', '2'],
])(
  'suggests round limits in %s, which costs %s while BSV costs $50: %s a swipe, %s a day',
  (currency, price, perSwipe, perDay) => {
    expect(suggestedLimits(rate(currency, price, '50'))).toEqual({ currency, perSwipe, perDay });
  },
);

test('limits aren’t suggested if the dollar’s price is unknown', () => {
  expect(suggestedLimits(rate('BSV', '1'))).toEqual({ currency: 'BSV', perSwipe: '', perDay: '' });
});
