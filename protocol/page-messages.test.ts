import { describe, expect, test } from 'vitest';
import {
  MAX_AMOUNT,
  MAX_CLIENT_IDENTIFIER,
  MAX_OP_RETURN_BYTES,
  MAX_OUTPUTS,
  MAX_PAYMAIL,
  MAX_SCRIPT_TEXT,
} from './limits.ts';
import { METADATA } from './metadata.ts';
import { pageMethods } from './page-messages.ts';
import { paymentOptions, requestedOutput } from './payment.ts';
import { walletMethods } from './wallet-messages.ts';

const output = { to: 'alice@example.com', amount: '1', currency: 'USD' };
const options = { outputs: [output] };
const request = pageMethods['payment/request'];
const accepts = (value: unknown) => request.safeParse(value).success;

describe('a payment request', () => {
  test('has an id and options', () => {
    expect(accepts({ id: 'request-1', options })).toBe(true);
    expect(
      accepts({
        id: 'request-1',
        options: {
          ...options,
          opReturn: 'x',
          buttonId: 'b',
          buttonData: '{}',
          clientIdentifier: 'c',
          preserveOrder: true,
        },
      }),
    ).toBe(true);
  });

  test('without outputs asks for crypto operations, and is none without these', () => {
    const cryptoOperations = [{ name: 'hello', method: 'public-key' }];
    expect(accepts({ id: 'request-1', options: { outputs: [], cryptoOperations } })).toBe(true);
    for (const none of [undefined, []])
      expect(accepts({ id: 'request-1', options: { outputs: [], cryptoOperations: none } })).toBe(false);
  });

  test.each([undefined, null, 0, '', 'text', [], [options], true, {}, { id: 'request-1' }, { options }])(
    'is not %j',
    (value) => {
      expect(accepts(value)).toBe(false);
    },
  );

  test.each([
    '',
    'short',
    'a'.repeat(65),
    'with space',
    'with/slash',
    'ümlaut-ümlaut',
    'request-1\n',
    12_345_678,
    null,
    ['request-1'],
  ])('has no id like %j', (id) => {
    expect(accepts({ id, options })).toBe(false);
  });

  test.each(['origin', 'state', 'txid', 'constructor', 'allowance', 'approvalId'])(
    'has nothing else, like %s, at any level',
    (key) => {
      expect(accepts({ id: 'request-1', options, [key]: 'x' })).toBe(false);
      expect(accepts({ id: 'request-1', options: { ...options, [key]: 'x' } })).toBe(false);
      expect(accepts({ id: 'request-1', options: { outputs: [{ ...output, [key]: 'x' }] } })).toBe(false);
    },
  );

  test('with keys that would change a prototype is refused, or stripped of them', () => {
    for (const text of [
      '{"id":"request-1","options":{"outputs":[{"to":"1","amount":"1","currency":"USD"}]},"__proto__":{"polluted":1}}',
      '{"id":"request-1","options":{"outputs":[{"to":"1","amount":"1","currency":"USD","__proto__":{"polluted":1}}]}}',
      '{"id":"request-1","options":{"__proto__":{"opReturn":"x"},"outputs":[{"to":"1","amount":"1","currency":"USD"}]}}',
      '{"id":"request-1","options":{"__proto__":{"outputs":[{"to":"1","amount":"1","currency":"USD"}]}}}',
    ]) {
      const parsed = request.safeParse(JSON.parse(text));
      if (parsed.success) {
        expect(Object.getPrototypeOf(parsed.data.options)).toBe(Object.prototype);
        expect(parsed.data.options.opReturn).toBeUndefined();
        expect((parsed.data.options.outputs[0] as { polluted?: unknown }).polluted).toBeUndefined();
        expect((parsed.data as { polluted?: unknown }).polluted).toBeUndefined();
      }
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    }
  });

  test.each([
    ['outputs', { outputs: [] }],
    ['outputs', { outputs: Array.from({ length: MAX_OUTPUTS + 1 }, () => output) }],
    ['outputs', { outputs: output }],
    ['opReturn', { ...options, opReturn: 'x'.repeat(MAX_OP_RETURN_BYTES + 1) }],
    ['opReturn', { ...options, opReturn: 5 }],
    ['buttonId', { ...options, buttonId: 'x'.repeat(1001) }],
    ['buttonData', { ...options, buttonData: 'x'.repeat(20_001) }],
    ['clientIdentifier', { ...options, clientIdentifier: 'x'.repeat(101) }],
    ['preserveOrder', { ...options, preserveOrder: 'true' }],
  ])('with %s of the wrong form or size is refused', (_, value) => {
    expect(paymentOptions.safeParse(value).success).toBe(false);
  });

  test('takes each text up to its limit and no further', () => {
    const limits = {
      buttonId: METADATA.buttonId,
      buttonData: METADATA.buttonData,
      clientIdentifier: MAX_CLIENT_IDENTIFIER,
      opReturn: MAX_OP_RETURN_BYTES,
    };
    const fields = { to: MAX_SCRIPT_TEXT, script: MAX_SCRIPT_TEXT, paymail: MAX_PAYMAIL, address: MAX_PAYMAIL };
    for (const more of [0, 1]) {
      for (const [name, most] of Object.entries(limits))
        expect(paymentOptions.safeParse({ ...options, [name]: 'x'.repeat(most + more) }).success, name).toBe(
          more === 0,
        );
      for (const [name, most] of Object.entries(fields))
        expect(
          requestedOutput.safeParse({ [name]: 'x'.repeat(most + more), amount: '1', currency: 'USD' }).success,
          name,
        ).toBe(more === 0);
      expect(requestedOutput.safeParse({ ...output, amount: '1'.repeat(MAX_AMOUNT + more) }).success).toBe(more === 0);
    }
  });

  test.each([
    { suggestedAmount: { amount: '1', currency: 'USD' } },
    { minimumAmount: { amount: '0', currency: 'SATS' } },
    { permission: 'token' },
  ])('may say what allowance the page would like: %j', (more) => {
    expect(accepts({ id: 'request-1', options, automatic: true, ...more })).toBe(true);
    expect(
      accepts({
        id: 'request-1',
        options,
        automatic: true,
        ...Object.fromEntries(Object.keys(more).map((key) => [key, ''])),
      }),
    ).toBe(false);
  });

  test('takes the most of everything', () => {
    expect(
      paymentOptions.safeParse({
        outputs: Array.from({ length: MAX_OUTPUTS }, () => output),
        opReturn: 'x'.repeat(MAX_OP_RETURN_BYTES),
        buttonId: 'x'.repeat(1000),
        buttonData: 'x'.repeat(20_000),
        clientIdentifier: 'x'.repeat(100),
      }).success,
    ).toBe(true);
  });
});

describe('[R-15] an output', () => {
  test.each(['to', 'paymail', 'userId', 'address', 'script'])('names its recipient by %s', (key) => {
    expect(requestedOutput.safeParse({ [key]: '1', amount: '1', currency: 'BSV' }).success).toBe(true);
  });

  test.each([[[]], [['to', 'paymail']], [['userId', 'address']], [['to', 'script', 'address']]])(
    'names it exactly once, not by %j',
    (keys) => {
      expect(
        requestedOutput.safeParse({
          ...Object.fromEntries(keys.map((key) => [key, '1'])),
          amount: '1',
          currency: 'BSV',
        }).success,
      ).toBe(false);
    },
  );

  test.each([
    { amount: undefined },
    { currency: undefined },
    { amount: 1 },
    { amount: '' },
    { amount: '1'.repeat(41) },
    { currency: 'Usd' },
    { currency: 'USDTTT' },
    { currency: '' },
    { to: '' },
    { to: 1 },
    { to: 'x'.repeat(200_001) },
  ])('[R-16] needs amount and currency of the right form: not %j', (change) => {
    expect(requestedOutput.safeParse({ ...output, ...change }).success).toBe(false);
  });
});

test('a greeting carries nothing', () => {
  expect(pageMethods['wallet/hello'].safeParse({}).success).toBe(true);
  for (const value of [undefined, null, [], { a: 1 }, 'x'])
    expect(pageMethods['wallet/hello'].safeParse(value).success).toBe(false);
});

test('no page method has the name of a method of the windows', () => {
  expect(Object.keys(pageMethods).filter((name) => Object.hasOwn(walletMethods, name))).toEqual([]);
});

test("secrets are taken from the windows that ask for them alone, and an approval's methods from the approval window", () => {
  for (const [name, { callers }] of Object.entries(walletMethods)) {
    if (name.startsWith('approval/')) expect(callers).toEqual(['approval']);
    if (/(?:generate|check)-words|create/.test(name)) expect(callers).toEqual(['onboarding']);
    if (/show-words|change-password|remove/.test(name)) expect(callers).toEqual(['popup']);
  }
});

describe('asking to sign in', () => {
  const asked = {
    nonce: 'nonce-0123456789abcdef',
    issuedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-01T00:05:00Z',
    register: null,
  };
  const takes = (more: object) => pageMethods['identity/sign-in'].safeParse({ ...asked, ...more }).success;

  test('takes nonce, times, and handle and name of an account', () => {
    expect(takes({})).toBe(true);
    expect(takes({ register: { handle: 'ada', name: '' } })).toBe(true);
  });

  test.each([
    { nonce: 'short' },
    { nonce: 'nonce-0123456789\nabcdef' },
    { nonce: 7 },
    { issuedAt: 'now' },
    { issuedAt: '2026-01-01T00:00:00+01:00' },
    { expiresAt: `${asked.expiresAt}\n` },
    { register: undefined },
    { register: {} },
    { register: { handle: 'Ada', name: '' } },
    { register: { handle: 'ada', name: 'x'.repeat(101) } },
    // Origin, keys and text are the wallet's own.
    { origin: 'https://bank.example' },
    { publicKey: `02${'ab'.repeat(32)}` },
    { message: 'Send all money.' },
    { register: { handle: 'ada', name: '', receivingXpub: 'xpub' } },
  ])('does not take %j', (more) => {
    expect(takes(more)).toBe(false);
  });
});
