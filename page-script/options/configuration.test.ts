import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeAddress } from '../../protocol/address.ts';
import { paymentOptions } from '../../protocol/payment.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { configure } from './configuration.ts';

const to = writeAddress(new Uint8Array(20).fill(7), 'devnet');

function reasonOf(given: Record<string, unknown>): string | null {
  try {
    configure(given);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as ConfigurationError).reason;
  }
}

describe('rules between options', () => {
  const outputs = [{ to, amount: '1', currency: 'USD' }];
  test.each<[string, Record<string, unknown>, string | null]>([
    ['[R-08] all three', { to, amount: '1', currency: 'EUR' }, null],
    ['[R-08] the currency may be the default', { to, amount: '1' }, null],
    ['[R-08] to alone', { to }, 'missing-amount'],
    ['[R-08] to and currency', { to, currency: 'USD' }, 'missing-amount'],
    ['[R-08] amount alone', { amount: '1' }, 'missing-recipient'],
    ['[R-08] currency alone', { currency: 'USD' }, 'missing-recipient'],
    ['nothing to pay', {}, 'missing-recipient'],
    ['[R-09] outputs beside to', { to, amount: '1', outputs }, 'conflicting-options'],
    ['[R-10] outputs beside amount', { amount: '1', outputs }, 'conflicting-options'],
    ['[R-10] outputs beside currency', { currency: 'USD', outputs }, 'conflicting-options'],
    ['empty outputs are the default', { to, amount: '1', outputs: '[]', cryptoOperations: '[]' }, null],
    ['outputs do not work yet', { outputs }, 'unsupported-option'],
    ['crypto operations do not work yet', { to, amount: '1', cryptoOperations: '[{}]' }, 'unsupported-option'],
    ['editable does not work yet', { editable: 'true', amount: '1' }, 'unsupported-option'],
    ['[R-05] no recipient at all', { to: 'nobody', amount: '1' }, 'invalid-recipient'],
    ['a paymail cannot be paid yet', { to: 'ada@example.com', amount: '1' }, 'unsupported-recipient'],
    ['a user ID cannot be paid yet', { to: '75101', amount: '1' }, 'unsupported-recipient'],
    ['a script cannot be paid yet', { to: 'OP_RETURN beef', amount: '1' }, 'unsupported-recipient'],
    ['under one satoshi', { to, amount: '0.000000009', currency: 'BSV' }, 'amount-too-small'],
    ['one satoshi', { to, amount: '0.00000001', currency: 'BSV' }, null],
    ['[R-28] a demo may pay nobody', { devMode: 'true' }, null],
    ['a demo with a recipient that cannot be paid yet', { devMode: 'true', to: 'ada@example.com', amount: '1' }, null],
    ['a demo with half a payment', { devMode: 'true', amount: '1' }, 'missing-recipient'],
    ['a demo with no recipient', { devMode: 'true', to: 'x!', amount: '1' }, 'invalid-recipient'],
  ])('%s', (_, given, reason) => expect(reasonOf(given)).toBe(reason));
});

test('what goes to the wallet is what was given, and nothing that was not', () => {
  expect(configure({ to, amount: '1' }).payment).toEqual({ outputs: [{ to, amount: '1', currency: 'USD' }] });
  expect(configure({
    to, amount: '1', currency: 'bsv', label: 'x', opReturn: 'hello', clientIdentifier: 'c', buttonId: 12, buttonData: '{}', preserveOrder: true,
  }).payment).toEqual({
    outputs: [{ to, amount: '1', currency: 'BSV' }], opReturn: 'hello', clientIdentifier: 'c', buttonId: '12', buttonData: '{}', preserveOrder: true,
  });
});

test('whatever is accepted fits the wallet’s contract', () => {
  const text = fc.option(fc.string({ maxLength: 30 }), { nil: undefined });
  const given = fc.record({ amount: fc.constantFrom('0.1', '1', '123456789012345678.123456789012345678', 2, 'x'), currency: text, opReturn: text, clientIdentifier: text, buttonId: text, buttonData: text, preserveOrder: fc.constantFrom('true', 'false', true, undefined) });
  fc.assert(fc.property(given, (options) => {
    if (reasonOf({ to, ...options }) === null) expect(paymentOptions.safeParse(configure({ to, ...options }).payment).success).toBe(true);
  }));
});
