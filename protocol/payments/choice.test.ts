// @vitest-environment node
import { expect, test } from 'vitest';
import { compareDecimals, isWithin } from './choice.ts';
import { paymentOptions } from './payment.ts';

test.each([
  ['1', '1.00', 0],
  ['0.1', '0.10', 0],
  ['2', '10', -1],
  ['0.000000000000000001', '0', 1],
  ['123456789012345678', '123456789012345678.1', -1],
])('%s compared with %s is %d', (a, b, sign) => expect(Math.sign(compareDecimals(a, b))).toBe(sign));

test.each([
  ['0.5', { min: '0.50', max: '20' }, true],
  ['20.00', { min: '0.50', max: '20' }, true],
  ['0.49', { min: '0.50' }, false],
  ['20.01', { max: '20' }, false],
  ['1000000', { min: '0.50' }, true],
])('%s is within %j: %s', (amount, bounds, is) => expect(isWithin(amount, bounds)).toBe(is));

const request = (amount: string, choice: object, more: object[] = []) => ({
  outputs: [{ to: '75101', amount, currency: 'USD' }, ...more],
  choice,
});

test.each([
  ['an amount within its bounds', request('5', { min: '1', max: '20' }), true],
  ['one with a note', { ...request('5', { min: '1' }), payerNote: 'Thanks' }, true],
  ['one below', request('0.99', { min: '1', max: '20' }), false],
  ['one above', request('20.000001', { min: '1', max: '20' }), false],
  ['an invalid amount', request('x', { min: '1' }), false],
  ['invalid bounds', request('5', { min: '-1' }), false],
  ['a second recipient', request('5', { min: '1' }, [{ to: '2', amount: '5', currency: 'USD' }]), false],
])('a request with a chosen amount is validated: %s', (_, options, is) =>
  expect(paymentOptions.safeParse(options).success).toBe(is),
);
