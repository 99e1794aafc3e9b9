import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../protocol/errors/service-error.ts';
import { isDeclined } from './declined.ts';

const codes = Object.keys(ERRORS) as ErrorCode[];

// Written out, so that each code that ends the attempts is reviewed individually.
const OF_REPORTS = [
  'asset-conflict',
  'asset-mismatch',
  'invalid-transaction',
  'payment-conflict',
  'payment-mismatch',
  'too-large',
  'unrelated-payment',
];
const OF_DELIVERIES = ['invalid-transaction', 'payment-conflict', 'payment-mismatch', 'too-large', 'unknown-reference'];

test.each(codes)('%s ends only its own attempts', (code) => {
  expect([isDeclined(code, 'report'), isDeclined(code, 'delivery')]).toEqual([
    OF_REPORTS.includes(code),
    OF_DELIVERIES.includes(code),
  ]);
});

test('temporary errors and faults of the responder never end the attempts', () => {
  const declining = codes.filter((code) => isDeclined(code, 'report') || isDeclined(code, 'delivery'));
  expect(declining.filter((code) => !ERRORS[code].final || (ERRORS[code].http ?? 500) >= 500)).toEqual([]);
});
