import { describe, expect, test } from 'vitest';
import {
  MAX_AMOUNT,
  MAX_CALL_LENGTH,
  MAX_CLIENT_IDENTIFIER,
  MAX_CRYPTO_OPERATIONS,
  MAX_CRYPTO_TEXT,
  MAX_OP_RETURN_BYTES,
  MAX_OUTPUTS,
  MAX_PAYMAIL,
  MAX_SCRIPT_TEXT,
} from '../payments/limits.ts';
import { METADATA } from '../payments/metadata.ts';
import { pageMethods, type PageMethod, type PageParams } from './page-messages.ts';
import { requestedOutput } from '../payments/payment.ts';
import { also, BOOLEAN, looseParts, oneOf, orMissing, text, unexpected, type Kind } from '../http/testing-fields.ts';
import { walletMethods } from './wallet-messages.ts';

const output = { to: 'alice@example.com', amount: '1', currency: 'USD' };
const options = { outputs: [output] };
const request = pageMethods['payment/request'];
const accepts = (value: unknown) => request.safeParse(value).success;

describe('a payment request', () => {
  test('a payment request has an ID and options', () => {
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

  test('a payment request without outputs needs crypto operations', () => {
    const cryptoOperations = [{ name: 'hello', method: 'public-key' }];
    expect(accepts({ id: 'request-1', options: { outputs: [], cryptoOperations } })).toBe(true);
    for (const none of [undefined, []])
      expect(accepts({ id: 'request-1', options: { outputs: [], cryptoOperations: none } })).toBe(false);
  });

  test.each([undefined, null, 0, '', 'text', [], [options], true, {}, { id: 'request-1' }, { options }])(
    'a payment request can’t be %j',
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
  ])('a payment request rejects the ID %j', (id) => {
    expect(accepts({ id, options })).toBe(false);
  });

  test.each(['origin', 'state', 'txid', 'constructor', 'allowance', 'approvalId'])(
    'a payment request rejects other members, like %s, at any level',
    (key) => {
      expect(accepts({ id: 'request-1', options, [key]: 'x' })).toBe(false);
      expect(accepts({ id: 'request-1', options: { ...options, [key]: 'x' } })).toBe(false);
      expect(accepts({ id: 'request-1', options: { outputs: [{ ...output, [key]: 'x' }] } })).toBe(false);
    },
  );

  test('a payment request with keys that would change a prototype is rejected, or they are removed', () => {
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
});

describe('[R-15] an output', () => {
  test.each(['to', 'paymail', 'userId', 'address', 'script'])('an output names its recipient by %s', (key) => {
    expect(requestedOutput.safeParse({ [key]: '1', amount: '1', currency: 'BSV' }).success).toBe(true);
  });

  test.each([[[]], [['to', 'paymail']], [['userId', 'address']], [['to', 'script', 'address']]])(
    'an output has exactly one recipient, and rejects %j',
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
  ])('[R-16] an output needs an amount and a currency of the right form: not %j', (change) => {
    expect(requestedOutput.safeParse({ ...output, ...change }).success).toBe(false);
  });
});

test('a greeting has no parameters', () => {
  expect(pageMethods['wallet/hello'].safeParse({}).success).toBe(true);
  for (const value of [undefined, null, [], { a: 1 }, 'x'])
    expect(pageMethods['wallet/hello'].safeParse(value).success).toBe(false);
});

test('page methods and window methods have different names', () => {
  expect(Object.keys(pageMethods).filter((name) => Object.hasOwn(walletMethods, name))).toEqual([]);
});

test('only the windows that ask for a secret may send it, and only the approval window has its methods', () => {
  for (const [name, { callers }] of Object.entries(walletMethods)) {
    if (name.startsWith('approval/')) expect(callers).toEqual(['approval']);
    if (/(?:generate|check)-words|create/.test(name)) expect(callers).toEqual(['onboarding']);
    if (/show-words|change-password|passkeys\/remove/.test(name)) expect(callers).toEqual(['popup/settings']);
    if (name === 'vault/remove') expect(callers).toEqual(['popup', 'popup/settings']);
  }
});

describe('a sign-in request', () => {
  const asked = {
    nonce: 'nonce-0123456789abcdef',
    issuedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-01T00:05:00Z',
    register: null,
  };
  const takes = (more: object) => pageMethods['identity/sign-in'].safeParse({ ...asked, ...more }).success;

  test('a sign-in request accepts nonce, times, and the handle and name of an account', () => {
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
    // A page can't set the origin, the keys or the text, which the wallet generates.
    { origin: 'https://bank.example' },
    { publicKey: `02${'ab'.repeat(32)}` },
    { message: 'Send all money.' },
    { register: { handle: 'ada', name: '', receivingXpub: 'xpub' } },
  ])('a sign-in request with %j is rejected', (more) => {
    expect(takes(more)).toBe(false);
  });
});

const operation = { name: 'hello', method: 'sign' };
const MINIMAL_PARAMS: { [M in PageMethod]: PageParams<M> } = {
  'wallet/hello': {},
  'rates/read': { currency: 'USD' },
  'payment/request': { id: 'request-1', options },
  'payment/outcome': { id: 'request-1' },
  'allowance/left': { clientIdentifier: 'c' },
  'allowance/ask': { clientIdentifier: 'c' },
  'identity/sign-in': {
    nonce: 'nonce-0123456789abcdef',
    issuedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-01T00:05:00Z',
    register: null,
  },
  'asset/mint': { assetId: '5b0f8f52-6c1e-4f7e-9d55-0a2f6f1c9a10' },
  'brc100/call': { call: 'getVersion', args: '{}' },
};
const SIGNS = { id: 'request-1', options: { outputs: [], cryptoOperations: [operation] } };

test.each(Object.keys(MINIMAL_PARAMS) as PageMethod[])(
  '%s requires its members, and rejects unknown ones',
  (method) => {
    expect(pageMethods[method].safeParse(MINIMAL_PARAMS[method]).data).toEqual(MINIMAL_PARAMS[method]);
    expect(looseParts(pageMethods[method], MINIMAL_PARAMS[method])).toEqual([]);
  },
);

test('a crypto operation needs name and method, and rejects unknown members', () => {
  expect(looseParts(request, SIGNS)).toEqual([]);
});

const stored = (least: number, most: number) => also(text(least, most), ['ä', '\n'], ['a\0', 'a\ud800', '\udc00a']);
const CLIENT = text(1, MAX_CLIENT_IDENTIFIER);
const CURRENCY: Kind = [
  ['USD', 'BSV', 'SATS', 'ABCDE'],
  ['', 'US', 'ABCDEF', 'usd', 'US1', ' USD', 'USD\n', 5],
];
const TOKEN = `${'ab'.repeat(32)}_0`;
const UNIT = also(
  CURRENCY,
  [TOKEN, 'gold', 'gold@shop.example'],
  [TOKEN.toUpperCase(), `${TOKEN} `, 'go ld', 'go'],
).map((values) => values.filter((value) => value !== 'usd')) as Kind;
const money = (amount: unknown, currency: unknown = 'USD') => ({ amount, currency });
const MONEY: Kind = [
  [money('1'), money('x'.repeat(MAX_AMOUNT), 'ABCDE')],
  [
    '',
    {},
    { amount: '1' },
    { currency: 'USD' },
    { ...money('1'), other: 1 },
    money(''),
    money('x'.repeat(MAX_AMOUNT + 1)),
  ].concat([money(1), money('1', 'usd'), money('1', TOKEN)] as never[]),
];
const MOMENT: Kind = [
  ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.1Z', '2026-01-01T00:00:00.123456789Z'],
  [
    '',
    '2026-01-01',
    '2026-01-01T00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00.1234567890Z',
    '2026-01-01T00:00:00+00:00',
    '2026-01-01T00:00:00Z\n',
    ' 2026-01-01T00:00:00Z',
    '12026-01-01T00:00:00Z',
    '26-01-01T00:00:00Z',
    '2026-1-01T00:00:00Z',
    '2026-01-1T00:00:00Z',
    '2026-01-01T0:00:00Z',
    '2026-01-01T00:0:00Z',
    '2026-01-01T00:00:0Z',
    '2026-Ja-01T00:00:00Z',
    '2026-01-0xT00:00:00Z',
    'year-01-01T00:00:00Z',
    '2026-01-01Tab:00:00Z',
    '2026-01-01T00:ab:00Z',
    '2026-01-01T00:00:abZ',
    '2026-01-01T00:00:00.abZ',
    '2026-01-01T00:00:00,000Z',
    5,
    null,
  ],
];
const KEY = `02${'aB'.repeat(32)}`;
const many = (n: number, item: unknown) => Array.from({ length: n }, () => item);

const FIELDS: [PageMethod, path: string, Kind, base?: object][] = [
  ['rates/read', 'currency', CURRENCY],
  ['payment/request', 'id', also(text(8, 64), ['Az09_-Az'], ['xxxxxxxx\n', 'xxxxxxx/', 'ä'.repeat(8)])],
  ['payment/request', 'automatic', orMissing(BOOLEAN)],
  ['payment/request', 'suggestedAmount', orMissing(MONEY)],
  ['payment/request', 'minimumAmount', orMissing(MONEY)],
  ['payment/request', 'permission', orMissing(text(1, 100))],
  ['payment/request', 'service', orMissing(text(0, 300))],
  [
    'payment/request',
    'options.outputs',
    [
      [many(1, output), many(MAX_OUTPUTS, output)],
      [[], many(MAX_OUTPUTS + 1, output), output],
    ],
  ],
  ['payment/request', 'options.opReturn', orMissing(also(text(0, MAX_OP_RETURN_BYTES), ['a\0'], ['a\ud800']))],
  ['payment/request', 'options.clientIdentifier', orMissing(stored(1, MAX_CLIENT_IDENTIFIER))],
  ...Object.entries(METADATA).map(([name, most]): [PageMethod, string, Kind] => [
    'payment/request',
    `options.${name}`,
    orMissing(stored(1, most)),
  ]),
  ['payment/request', 'options.preserveOrder', orMissing(BOOLEAN)],
  ...Object.entries({
    to: MAX_SCRIPT_TEXT,
    script: MAX_SCRIPT_TEXT,
    paymail: MAX_PAYMAIL,
    address: MAX_PAYMAIL,
    userId: 20,
  }).map(([name, most]): [PageMethod, string, Kind, object] => [
    'payment/request',
    `options.outputs.0.${name}`,
    stored(1, most),
    { id: 'request-1', options: { outputs: [money('1')] } },
  ]),
  ['payment/request', 'options.outputs.0.amount', stored(1, MAX_AMOUNT)],
  ['payment/request', 'options.outputs.0.currency', UNIT],
  [
    'payment/request',
    'options.cryptoOperations',
    [
      [many(1, operation), many(MAX_CRYPTO_OPERATIONS, operation)],
      [undefined, null, [], many(MAX_CRYPTO_OPERATIONS + 1, operation), operation],
    ],
    SIGNS,
  ],
  ...(
    [
      ['name', also(text(1, 50), ['Az'], ['a1', 'a b', 'a_b', 'ä', 'a\n', ' a'])],
      ['method', oneOf('sign', 'verify', 'encrypt', 'decrypt', 'public-key', 'address', 'paymail')],
      ['data', orMissing(stored(1, MAX_CRYPTO_TEXT))],
      ['dataEncoding', also(orMissing(oneOf('utf8', 'hex')), [], ['base64'])],
      ['value', orMissing(stored(1, MAX_CRYPTO_TEXT))],
      ['valueEncoding', orMissing(oneOf('utf8', 'hex', 'base64'))],
      ['key', orMissing(oneOf('identity'))],
      ['algorithm', orMissing(oneOf('bitcoin-signed-message', 'electrum-ecies'))],
      [
        'publicKey',
        orMissing([
          [KEY, `03${'00'.repeat(32)}`],
          [
            '',
            `04${'ab'.repeat(32)}`,
            `${KEY}0`,
            KEY.slice(1),
            KEY.slice(0, -1),
            `0${KEY}`,
            `${KEY}\n`,
            `${KEY.slice(1)}g`,
            5,
          ],
        ]),
      ],
      ['paymail', orMissing(stored(1, MAX_PAYMAIL))],
      ['signature', orMissing(stored(1, 200))],
    ] as [string, Kind][]
  ).map(([name, kind]): [PageMethod, string, Kind, object] => [
    'payment/request',
    `options.cryptoOperations.0.${name}`,
    kind,
    SIGNS,
  ]),
  ['allowance/left', 'clientIdentifier', CLIENT],
  ['allowance/ask', 'clientIdentifier', CLIENT],
  ['allowance/ask', 'suggestedAmount', orMissing(MONEY)],
  ['allowance/ask', 'minimumAmount', orMissing(MONEY)],
  [
    'identity/sign-in',
    'nonce',
    also(text(16, 100), ['Az09_-Az09_-Az09'], [`${'x'.repeat(16)}\n`, `/${'x'.repeat(16)}`]),
  ],
  ['identity/sign-in', 'issuedAt', MOMENT],
  ['identity/sign-in', 'expiresAt', MOMENT],
  ['asset/mint', 'assetId', [[], ['', 'x', TOKEN, `${MINIMAL_PARAMS['asset/mint'].assetId}0`, 5, null]]],
  ['brc100/call', 'call', text(0, 50)],
  ['brc100/call', 'args', text(0, MAX_CALL_LENGTH)],
];

test.each(FIELDS)(
  '%s: %s is accepted unchanged, within its limits',
  (method, path, kind, base = MINIMAL_PARAMS[method]) => {
    expect(unexpected(pageMethods[method], base, path, kind)).toEqual([]);
  },
);
