import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../protocol/errors.ts';
import { isDeclined } from './declined.ts';

test.each<ErrorCode>([
  'invalid-transaction',
  'payment-mismatch',
  'unrelated-payment',
  'too-large',
  'unknown-reference',
])('%s ends the attempts', (code) => expect(isDeclined(code)).toBe(true));

// A service is down, the wallet is locked, a token has expired, a rate is missing: another day it may be taken.
test.each<ErrorCode>([
  'service-unavailable',
  'paymail-unavailable',
  'rate-unavailable',
  'network-unavailable',
  'not-accepted',
  'wallet-locked',
  'invalid-challenge',
  'invalid-signature',
  'unauthenticated',
  'unknown-account',
  'too-many-requests',
  'internal',
])('%s does not', (code) => expect(isDeclined(code)).toBe(false));

test('nothing that leaves the outcome open ends them', () => {
  const open = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => !ERRORS[code].final);
  expect(open.filter(isDeclined)).toEqual([]);
});
