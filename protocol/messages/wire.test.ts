import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { brc100Arguments } from '../brc100/methods.ts';
import { pageMethods } from './page-messages.ts';
import * as wire from './wire.ts';

test('the names on which published buttons depend stay the same', () => {
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

test('exactly the wallet’s page methods are forwarded', () => {
  expect([...wire.PAGE_METHODS].sort()).toEqual(Object.keys(pageMethods).sort());
});

test('the names on which BRC-100 applications depend stay the same', () => {
  expect(wire.XDM_TYPE).toBe('CWI');
  expect(wire.BRC100_METHODS).toHaveLength(28);
  for (const method of Object.keys(brc100Arguments)) expect(wire.BRC100_METHODS).toContain(method);
});

test('names of one kind are distinct', () => {
  for (const names of [
    wire.PAGE_METHODS,
    wire.BRC100_METHODS,
    wire.USER_ACTIVATIONS,
    [wire.PAGE_PORT, wire.SWIPE_PORT],
    [wire.REQUESTS_SCRIPT, wire.OVERLAY_SCRIPT, wire.SWIPE_PAGE],
    // The hash's prefix without a payment ID.
    [wire.PAYMENT_HASH],
    [wire.OFFER_EVENT, wire.SWIPED_EVENT, wire.PRESENT_EVENT],
  ])
    expect(new Set(['', ...names]).size).toBe(names.length + 1);
});

test('the page of the swipe frame exists', () => {
  expect(existsSync(wire.SWIPE_PAGE)).toBe(true);
});
