import { describe, expect, test } from 'vitest';
import { MAX_AMOUNT, MAX_CALL_LENGTH, MAX_CLIENT_IDENTIFIER } from './limits.ts';
import { pageMethods, type PageMethod } from './page-messages.ts';
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
    [{ suggestedAmount: { amount: '1', currency: 'USD' } }, 'suggestedAmount'],
    [{ minimumAmount: { amount: '0', currency: 'SATS' } }, 'minimumAmount'],
    [{ permission: 'token' }, 'permission'],
  ])('may say what allowance the page would like: %j', (more, name) => {
    expect(accepts({ id: 'request-1', options, automatic: true, ...more })).toBe(true);
    expect(accepts({ id: 'request-1', options, automatic: true, [name]: '' })).toBe(false);
  });

  test('names the allowance that the page has in 1 to 100 characters, and the service in at most 300', () => {
    const named = (more: object) => accepts({ id: 'request-1', options, ...more });
    expect([0, 1, 100, 101].map((n) => named({ permission: 'x'.repeat(n) }))).toEqual([false, true, true, false]);
    expect([0, 300, 301].map((n) => named({ service: 'x'.repeat(n) }))).toEqual([true, true, false]);
  });

  test.each([
    { automatic: 'true' },
    { automatic: null },
    { permission: ['token'] },
    { permission: null },
    { service: ['https://pay.example'] },
    { service: null },
    { suggestedAmount: null },
    { minimumAmount: null },
  ])('does not have %j', (more) => {
    expect(accepts({ id: 'request-1', options, ...more })).toBe(false);
  });
});

const takesFor = (method: PageMethod, params: unknown) => pageMethods[method].safeParse(params).success;

describe('an allowance', () => {
  const money = { amount: '1', currency: 'USD' };
  const terms = { clientIdentifier: 'shop', suggestedAmount: money, minimumAmount: money };

  test('is asked for with what the page suggests and needs, and asked about by the client alone', () => {
    expect(pageMethods['allowance/ask'].parse(terms)).toEqual(terms);
    expect(takesFor('allowance/ask', { clientIdentifier: 'shop' })).toBe(true);
    expect(pageMethods['allowance/left'].parse({ clientIdentifier: 'shop' })).toEqual({ clientIdentifier: 'shop' });
    expect(takesFor('allowance/left', terms)).toBe(false);
  });

  test('is of a client with 1 to 100 characters', () => {
    for (const method of ['allowance/ask', 'allowance/left'] as const)
      expect(
        [0, 1, MAX_CLIENT_IDENTIFIER, MAX_CLIENT_IDENTIFIER + 1].map((length) =>
          takesFor(method, { clientIdentifier: 'x'.repeat(length) }),
        ),
      ).toEqual([false, true, true, false]);
    for (const method of ['allowance/ask', 'allowance/left'] as const)
      for (const wrong of [{}, { clientIdentifier: ['shop'] }]) expect(takesFor(method, wrong)).toBe(false);
  });

  test.each(['suggestedAmount', 'minimumAmount'])(
    'has money as %s: an amount of 1 to 40 characters, a currency',
    (name) => {
      const isTaken = (change: object) => takesFor('allowance/ask', { ...terms, [name]: { ...money, ...change } });
      expect([0, 1, MAX_AMOUNT, MAX_AMOUNT + 1].map((length) => isTaken({ amount: '1'.repeat(length) }))).toEqual([
        false,
        true,
        true,
        false,
      ]);
      for (const wrong of [{ amount: 1 }, { currency: 'gold' }, { currency: undefined }, { satoshis: '1' }])
        expect(isTaken(wrong), JSON.stringify(wrong)).toBe(false);
    },
  );

  test('is asked for with nothing else', () => {
    expect(takesFor('allowance/ask', { ...terms, origin: 'https://bank.example' })).toBe(false);
  });
});

test('prices are asked for in a currency', () => {
  expect(pageMethods['rates/read'].parse({ currency: 'USD' })).toEqual({ currency: 'USD' });
  for (const wrong of [{}, { currency: 'usd' }, { currency: 'gold' }, { currency: 'USD', amount: '1' }])
    expect(takesFor('rates/read', wrong), JSON.stringify(wrong)).toBe(false);
});

test('an asset is minted by its id at the service alone', () => {
  const assetId = '0f8fad5b-d9cb-469f-a165-70867728950e';
  expect(pageMethods['asset/mint'].parse({ assetId })).toEqual({ assetId });
  for (const wrong of [{}, { assetId: '1' }, { assetId: `${assetId}/mint` }, { assetId, supply: '1' }])
    expect(takesFor('asset/mint', wrong), JSON.stringify(wrong)).toBe(false);
});

test('a call of the wallet interface has a name of at most 50 characters, and four million of arguments', () => {
  const call = { call: 'getVersion', args: '{}' };
  expect(pageMethods['brc100/call'].parse(call)).toEqual(call);
  expect([50, 51].map((length) => takesFor('brc100/call', { ...call, call: 'x'.repeat(length) }))).toEqual([
    true,
    false,
  ]);
  expect(
    [MAX_CALL_LENGTH, MAX_CALL_LENGTH + 1].map((length) =>
      takesFor('brc100/call', { ...call, args: 'x'.repeat(length) }),
    ),
  ).toEqual([true, false]);
  for (const wrong of [{ call: ['getVersion'] }, { args: {} }, { args: undefined }, { originator: 'bank.example' }])
    expect(takesFor('brc100/call', { ...call, ...wrong }), JSON.stringify(wrong)).toBe(false);
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
    for (const nonce of ['aZ09-_'.padEnd(16, 'x'), 'x'.repeat(100)]) expect(takes({ nonce }), nonce).toBe(true);
    for (const expiresAt of ['2026-01-01T00:05:00.1Z', '2026-01-01T00:05:00.123456789Z'])
      expect(takes({ expiresAt }), expiresAt).toBe(true);
  });

  test.each([
    { nonce: 'x'.repeat(15) },
    { nonce: 'x'.repeat(101) },
    { nonce: `.${asked.nonce}` },
    { nonce: `${asked.nonce}.` },
    { nonce: 'nonce-0123456789\nabcdef' },
    { nonce: 7 },
    { issuedAt: 'now' },
    { issuedAt: '2026-01-01T00:00:00+01:00' },
    { issuedAt: '2026-01-01T00:00:00' },
    { issuedAt: ` ${asked.issuedAt}` },
    { issuedAt: '2026-01-01T00:00:00.Z' },
    { issuedAt: '2026-01-01T00:00:00.1234567890Z' },
    { issuedAt: '2026-01-01T00:00:00,000Z' },
    { issuedAt: '26-01-01T00:00:00Z' },
    { issuedAt: '2026-1-01T00:00:00Z' },
    { issuedAt: '2026-01-1T00:00:00Z' },
    { issuedAt: '2026-01-01T0:00:00Z' },
    { issuedAt: '2026-01-01T00:0:00Z' },
    { issuedAt: '2026-01-01T00:00:0Z' },
    { issuedAt: '2026-Ja-01T00:00:00Z' },
    { issuedAt: '2026-01-0xT00:00:00Z' },
    { issuedAt: 'year-01-01T00:00:00Z' },
    { issuedAt: '2026-01-01Tab:00:00Z' },
    { issuedAt: '2026-01-01T00:ab:00Z' },
    { issuedAt: '2026-01-01T00:00:abZ' },
    { issuedAt: '2026-01-01T00:00:00.abZ' },
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
