import { expect, test } from 'vitest';
import { amountText } from './amount-text.ts';

test.each([
  ['0.10', 'USD', 'en', '$0.10'],
  ['1', 'USD', 'en', '$1.00'],
  ['1234567.5', 'USD', 'en', '$1,234,567.50'],
  ['0.001', 'USD', 'en', '$0.001'],
  ['0.10', 'EUR', 'de', '0,10\u00a0€'],
  ['500', 'JPY', 'en', '¥500'],
  ['0.001', 'BSV', 'en', '0.001\u00a0BSV'],
  ['0.00000001', 'BSV', 'de', '0,00000001\u00a0BSV'],
  ['123456789012345678.12', 'USD', 'en', '$123,456,789,012,345,678.12'],
  ['0.10', 'USD', 'no such language', '$0.10'],
])('formats %s %s in %s', (amount, currency, locale, text) => expect(amountText(amount, currency, locale)).toBe(text));
