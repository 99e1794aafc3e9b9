import { describe, expect, test } from 'vitest';
import {
  MAX_CALL_LENGTH,
  MAX_CRYPTO_OPERATIONS,
  MAX_OUTPUTS,
  MAX_REQUEST_DATA,
} from '../../protocol/payments/limits.ts';
import type { CryptoOperation, PaymentOptions, RequestedOutput } from '../../protocol/payments/payment.ts';
import { responseCost, costOf } from './request-cost.ts';

const output = (more: Partial<RequestedOutput> = { to: '1' }): RequestedOutput => ({
  amount: '1',
  currency: 'USD',
  ...more,
});
const sign = (data: string, more: Partial<CryptoOperation> = {}): CryptoOperation => ({
  name: 'a',
  method: 'sign',
  data,
  ...more,
});
const work = (options: Partial<PaymentOptions>) =>
  costOf('payment/request', { id: 'request-1', options: { outputs: [output()], ...options } });
const tooLarge = expect.objectContaining({ code: 'data-too-large' }) as Error;

describe('the data of one request', () => {
  const half = 'x'.repeat(MAX_REQUEST_DATA / 2);
  test.each<[string, Partial<PaymentOptions>]>([
    ['outputs', { outputs: [output({ script: half }), output({ to: `${half}x` })] }],
    ['an output and additional data', { outputs: [output({ script: half })], opReturn: `${half}x` }],
    ['operations, each of which may be as large', { cryptoOperations: [sign(half), sign(`${half}x`)] }],
    ['an operation and its button', { cryptoOperations: [sign(half, { value: half })], buttonData: 'xx' }],
    [
      'many operations',
      { cryptoOperations: Array.from({ length: MAX_CRYPTO_OPERATIONS }, () => sign('\ufdfa'.repeat(33_000))) },
    ],
  ])('the total data is bounded: %s', (_, options) => {
    expect(() => work(options)).toThrow(tooLarge);
  });

  test('one request may contain the maximum of one script and one operation', () => {
    expect(work({ outputs: [output({ script: half })], cryptoOperations: [sign(half)] })).toBeLessThan(200);
  });
});

describe('the computing time of a request', () => {
  test('the computing time grows with the content', () => {
    const small = work({});
    expect(costOf('wallet/hello', {})).toBeLessThan(small);
    expect(work({ opReturn: 'x'.repeat(90_000) })).toBeGreaterThan(small + 20);
    expect(work({ cryptoOperations: [sign('x'), sign('y')] })).toBeGreaterThan(small + 5);
    expect(work({ outputs: Array.from({ length: MAX_OUTPUTS }, () => output()) })).toBeGreaterThan(small + 50);
  });

  test('the largest request uses a part of a tab’s time', () => {
    const largest = work({
      outputs: Array.from({ length: MAX_OUTPUTS }, () => output({ to: '' })),
      opReturn: 'x'.repeat(MAX_REQUEST_DATA),
      cryptoOperations: Array.from({ length: MAX_CRYPTO_OPERATIONS }, () => sign('')),
    });
    expect(largest).toBeLessThan(1000);
  });
});

describe('the computing time of a call of the BSV wallet interface', () => {
  const call = (name: string, args = '{}') => costOf('brc100/call', { call: name, args });
  test('a call costs what it does: a payment, an operation, and reading its data', () => {
    for (const name of ['createAction', 'signAction', 'internalizeAction', 'listOutputs', 'listActions'])
      expect(call(name)).toBeGreaterThanOrEqual(work({}) - 1);
    for (const name of ['getPublicKey', 'encrypt', 'verifySignature', 'abortAction', 'no method'])
      expect(call(name)).toBeGreaterThan(costOf('wallet/hello', {}));
    expect(call('encrypt')).toBeLessThan(call('createAction'));
    expect(call('encrypt', 'x'.repeat(90_000))).toBeGreaterThan(call('encrypt') + 20);
  });

  test('the largest call uses a part of a tab’s time', () => {
    expect(call('createAction', 'x'.repeat(MAX_CALL_LENGTH))).toBeLessThanOrEqual(3000);
  });
});

test('a response costs its content: bytes, texts and lists', () => {
  expect(responseCost({ result: { accepted: true } })).toBeLessThan(1);
  expect(responseCost({ result: { txid: 'a', tx: Array.from({ length: 1_000_000 }, () => 1) } })).toBeGreaterThan(500);
  expect(
    responseCost({ result: { outputs: Array.from({ length: 1000 }, () => ({ text: 'x'.repeat(1000) })) } }),
  ).toBeGreaterThan(500);
});
