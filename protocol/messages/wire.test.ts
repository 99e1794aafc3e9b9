import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { brc100Arguments } from '../brc100/methods.ts';
import { pageMethods } from './page-messages.ts';
import * as wire from './wire.ts';

test('a button that a page has published finds the wallet that is installed, whichever is older', () => {
  expect(wire.CHANNEL).toBe('service-button/1');
  expect(wire.PRESENT_EVENT).toBe('wallet-present');
  for (const method of [
    'wallet/hello',
    'rates/read',
    'payment/request',
    'allowance/left',
    'allowance/ask',
    'identity/sign-in',
  ])
    expect(wire.PAGE_METHODS).toContain(method);
});

test('every method that the wallet has for pages is let through, and no other', () => {
  expect([...wire.PAGE_METHODS].sort()).toEqual(Object.keys(pageMethods).sort());
});

test('applications for BRC-100 find its interface', () => {
  expect(wire.XDM_TYPE).toBe('CWI');
  expect(wire.BRC100_METHODS).toHaveLength(28);
  for (const method of Object.keys(brc100Arguments)) expect(wire.BRC100_METHODS).toContain(method);
});

test('names of one kind are told apart', () => {
  for (const names of [
    wire.PAGE_METHODS,
    wire.BRC100_METHODS,
    wire.USER_ACTIVATIONS,
    [wire.PAGE_PORT, wire.SWIPE_PORT],
    [wire.REQUESTS_SCRIPT, wire.OVERLAY_SCRIPT, wire.SWIPE_PAGE],
    // The popup's hash without a payment.
    [wire.PAYMENT_HASH],
    [wire.OFFER_EVENT, wire.SWIPED_EVENT, wire.PRESENT_EVENT],
  ])
    expect(new Set(['', ...names]).size).toBe(names.length + 1);
});

test('the page of a swipe is there', () => {
  expect(existsSync(wire.SWIPE_PAGE)).toBe(true);
});
