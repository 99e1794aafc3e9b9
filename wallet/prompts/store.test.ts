/** Comparison of a repeated payment request with the original one. */
import { describe, expect, test } from 'vitest';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import { promptNameOf, sameOptions } from './store.ts';

const output = { to: 'alice@pay.example', amount: '1', currency: 'USD' };
const other = { ...output, amount: '2' };
const options: PaymentOptions = { outputs: [output, other], label: 'Buy', opReturn: 'note' };
const same = (change: object) => sameOptions(options, { ...options, ...change });

describe('payment options', () => {
  test('options are the same in another order of keys, at any depth, and with another label', () => {
    const turned = { currency: 'USD', amount: '1', to: 'alice@pay.example' };
    expect(sameOptions(options, { opReturn: 'note', label: 'Buy', outputs: [turned, other] })).toBe(true);
    expect(same({ label: 'Buy again' })).toBe(true);
    expect(sameOptions(options, { outputs: [output, other], opReturn: 'note' })).toBe(true);
  });

  test('options differ if a value, the order of values or their number differs', () => {
    for (const change of [
      { outputs: [other, other] },
      { outputs: [{ ...output, paymail: null }, other] },
      { outputs: [other, output] },
      { outputs: [output] },
      { outputs: { 0: output, 1: other } },
      { opReturn: null },
      { opReturn: undefined },
      { successUrl: 'https://shop.example' },
    ])
      expect(same(change), JSON.stringify(change)).toBe(false);
  });
});

test("the name of a request's prompt is never the name of a page's message", () => {
  expect(promptNameOf('7')).toBe('request 7');
});
