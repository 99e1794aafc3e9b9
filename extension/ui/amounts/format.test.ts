import { expect, test } from 'vitest';
import {
  currencyName,
  formatAge,
  formatAmount,
  formatFiat,
  formatLeft,
  formatMoney,
  formatSatoshis,
  formatSmall,
  visible,
} from './format.ts';

const usd = { currency: 'USD', price: '50', time: 0, sources: 2 as const };

test('a requested amount is never rounded', () => {
  expect(formatAmount('0.1', 'USD')).toBe('$0.10');
  expect(formatAmount('0.00123', 'USD')).toBe('$0.00123');
  expect(formatAmount('123456789012345678.99', 'USD')).toBe('$123,456,789,012,345,678.99');
  expect(formatAmount('5', 'JPY')).toBe('¥5');
  expect(formatAmount('0.5', 'BSV')).toBe('0.5 BSV');
});

test.each([
  [200_012n, '$0.10'],
  [20n, '$0.00001'],
  [1n, '$0.0000005'],
  [0n, '$0.00'],
  [24_680n, '$0.012'],
  [100_000_000n, '$50.00'],
  [2_469_135_780_000n, '$1,234,567.89'],
])('%s satoshis are %s', (satoshis, text) => {
  expect(formatFiat(satoshis, usd)).toBe(text);
});

test('a remainder is rounded down, and never shown as zero', () => {
  expect(formatLeft('0.049994', 'USD')).toBe('$0.04');
  expect(formatLeft('12', 'USD')).toBe('$12.00');
  expect(formatLeft('0.009', 'USD')).toBe('under $0.01');
  expect(formatLeft('0', 'USD')).toBe('$0.00');
  expect(formatLeft('0.9', 'JPY')).toBe('under ¥1');
  expect(formatLeft('0.00001234', 'BSV')).toBe('0.00001234 BSV');
});

test('a fee below the smallest unit of the currency is shown as less than that unit', () => {
  expect(formatSmall(20n, usd)).toBe('under $0.01');
  expect(formatSmall(20_000n, usd)).toBe('$0.01');
  expect(formatSmall(0n, usd)).toBe('$0.00');
  expect(formatSmall(20n, null)).toBe('0.0000002 BSV');
  expect(formatSmall(20n, { ...usd, price: 'NaN' })).toBe('0.0000002 BSV');
});

test('a currency code of more than three letters, which Intl rejects, follows the amount', () => {
  expect(formatAmount('0.5', 'LINK')).toBe('0.50\u00a0LINK');
  expect(formatFiat(100_000_000n, { currency: 'DOGE', price: '4' })).toBe('4.00\u00a0DOGE');
  expect([currencyName('LINK'), currencyName('CHF')]).toEqual(['LINK', 'Swiss Franc']);
});

test('money is shown in coins if the rate is missing or invalid', () => {
  expect(formatMoney(150_000_000n, null)).toBe('1.5 BSV');
  expect(formatMoney(150_000_000n, { ...usd, price: 'NaN' })).toBe('1.5 BSV');
});

test('one satoshi is written in the singular', () => {
  expect([formatSatoshis(1n), formatSatoshis(1_234_567n)]).toEqual(['1 satoshi', '1,234,567 satoshis']);
});

test('ages are in words', () => {
  const day = 86_400_000;
  expect([0, 59_000, 120_000, 3 * 3_600_000, day, 400 * day].map((age) => formatAge(1e12 - age, 1e12))).toEqual([
    'now',
    'now',
    '2 minutes ago',
    '3 hours ago',
    'yesterday',
    'last year',
  ]);
  expect(formatAge(1e12 + 5000, 1e12)).toBe('now');
});

test('bidirectional controls and invisible characters are spelled out', () => {
  expect(visible('pay \u202Eevil\u200B\u0000')).toBe('pay ⟨U+202E⟩evil⟨U+200B⟩⟨U+0000⟩');
  expect(visible('two\nlines 👩‍👧 ❤️')).toBe('two\nlines 👩‍👧 ❤️');
  expect(visible('a\u3164\u2800\u115F\u034Fb')).toBe('a⟨U+3164⟩⟨U+2800⟩⟨U+115F⟩⟨U+034F⟩b');
});
