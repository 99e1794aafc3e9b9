import { describe, expect, test } from 'vitest';
import {
  MAX_CLIENT_IDENTIFIER,
  MAX_CRYPTO_OPERATIONS,
  MAX_CRYPTO_TEXT,
  MAX_OP_RETURN_BYTES,
  MAX_OUTPUTS,
  MAX_PAYMAIL,
  MAX_SCRIPT_TEXT,
} from './limits.ts';
import {
  cryptoOperation,
  cryptoResult,
  currencyCode,
  paidUnit,
  payment,
  paymentOptions,
  paymentOutput,
  requestedOutput,
  requestId,
} from './payment.ts';
import { readAnswer } from './testing-members.ts';

const KEY = `02${'ab'.repeat(32)}`;
const output = { to: 'alice@example.com', amount: '1', currency: 'USD' };
const operation = { name: 'a', method: 'sign', data: 'x' };
const result = {
  id: '1',
  name: 'a',
  method: 'sign',
  data: null,
  dataEncoding: null,
  value: null,
  valueEncoding: null,
  key: null,
  algorithm: null,
  publicKey: null,
  paymail: null,
  signature: null,
  verified: null,
};
const paid = {
  type: 'USER',
  to: '1',
  paymail: null,
  userId: null,
  address: null,
  script: null,
  amount: '1',
  currency: 'USD',
  satoshis: '1',
};
const SCHEMAS = {
  'an output': [requestedOutput, output],
  'a crypto operation': [cryptoOperation, operation],
  'its result': [cryptoResult, result],
  'a paid output': [paymentOutput, paid],
  options: [paymentOptions, { outputs: [output] }],
} as const;

/** Is it taken with this change? */
function takes(what: keyof typeof SCHEMAS, change: object): boolean {
  const [schema, base] = SCHEMAS[what];
  return schema.safeParse({ ...base, ...change }).success;
}

test('each example is taken as it is', () => {
  for (const [schema, base] of Object.values(SCHEMAS)) expect(schema.parse(base)).toEqual(base);
});

test.each([
  ['an output', 'amount', 1, 40],
  ['a crypto operation', 'data', 1, MAX_CRYPTO_TEXT],
  ['a crypto operation', 'value', 1, MAX_CRYPTO_TEXT],
  ['a crypto operation', 'paymail', 1, MAX_PAYMAIL],
  ['a crypto operation', 'signature', 1, 200],
  ['a crypto operation', 'name', 1, 50],
  ['its result', 'name', 1, 50],
  ['a paid output', 'to', 1, 400_000],
  ['a paid output', 'paymail', 1, MAX_PAYMAIL],
  ['a paid output', 'userId', 1, 20],
  ['a paid output', 'address', 1, 64],
  ['a paid output', 'script', 1, 400_000],
  ['a paid output', 'amount', 1, 40],
  ['options', 'clientIdentifier', 1, MAX_CLIENT_IDENTIFIER],
  ['options', 'opReturn', 0, MAX_OP_RETURN_BYTES],
  ['options', 'label', 1, 200],
  ['options', 'buttonId', 1, 1000],
  ['options', 'buttonData', 1, 20_000],
  ['options', 'refundOf', 1, 36],
  ['its result', 'data', 0, MAX_CRYPTO_TEXT],
  ['its result', 'value', 0, 401_000],
  ['its result', 'algorithm', 0, 100],
  ['its result', 'publicKey', 0, 66],
  ['its result', 'paymail', 0, MAX_PAYMAIL],
  ['its result', 'signature', 0, 200],
] as const)('in %s, %s has %d to %d characters', (what, field, least, most) => {
  const isTaken = (length: number) => takes(what, { [field]: 'a'.repeat(length) });
  expect([least, most, most + 1].map(isTaken)).toEqual([true, true, false]);
  if (least > 0) expect(isTaken(least - 1)).toBe(false);
});

describe('[R-15] an output', () => {
  const named = (recipient: object) =>
    requestedOutput.safeParse({ amount: '1', currency: 'BSV', ...recipient }).success;

  test.each([
    ['to', MAX_SCRIPT_TEXT],
    ['paymail', MAX_PAYMAIL],
    ['userId', 20],
    ['address', MAX_PAYMAIL],
    ['script', MAX_SCRIPT_TEXT],
  ])('names its recipient by %s, in 1 to %d characters', (field, most) => {
    expect([0, 1, most, most + 1].map((length) => named({ [field]: '1'.repeat(length) }))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  test.each([
    {},
    { to: '1', paymail: '1' },
    { userId: '1', address: '1' },
    { to: '1', script: '1', address: '1' },
    { paymail: '1', script: '1' },
  ])('names it exactly once, not as in %j', (recipient) => {
    expect(named(recipient)).toBe(false);
  });

  test.each([
    { amount: undefined },
    { currency: undefined },
    { amount: 1 },
    { currency: 'Usd' },
    { currency: 'USDTTT' },
    { currency: '' },
    { to: 1 },
  ])('[R-16] needs amount and currency of the right form: not %j', (change) => {
    expect(takes('an output', change)).toBe(false);
  });
});

describe('options', () => {
  test('have outputs or crypto operations', () => {
    expect(takes('options', { outputs: [], cryptoOperations: [operation] })).toBe(true);
    for (const none of [undefined, []]) expect(takes('options', { outputs: [], cryptoOperations: none })).toBe(false);
  });

  test('have at most 100 outputs', () => {
    const isTaken = (length: number) => takes('options', { outputs: Array.from({ length }, () => output) });
    expect([MAX_OUTPUTS, MAX_OUTPUTS + 1].map(isTaken)).toEqual([true, false]);
  });

  test.each([{ outputs: output }, { outputs: undefined }, { opReturn: 5 }, { preserveOrder: 'true' }])(
    'are not %j',
    (change) => {
      expect(takes('options', change)).toBe(false);
    },
  );

  test('may have the most of everything at once', () => {
    const most = {
      outputs: Array.from({ length: MAX_OUTPUTS }, () => output),
      cryptoOperations: Array.from({ length: MAX_CRYPTO_OPERATIONS }, () => operation),
      opReturn: 'x'.repeat(MAX_OP_RETURN_BYTES),
      label: 'x'.repeat(200),
      buttonId: 'x'.repeat(1000),
      buttonData: 'x'.repeat(20_000),
      refundOf: 'x'.repeat(36),
      clientIdentifier: 'x'.repeat(MAX_CLIENT_IDENTIFIER),
      preserveOrder: true,
    };
    expect(paymentOptions.parse(most)).toEqual(most);
  });
});

test('a request has 1 to 20 crypto operations, where it has any', () => {
  const isTaken = (length: number) => takes('options', { cryptoOperations: Array.from({ length }, () => operation) });
  expect([0, 1, MAX_CRYPTO_OPERATIONS, MAX_CRYPTO_OPERATIONS + 1].map(isTaken)).toEqual([false, true, true, false]);
});

describe('what no database keeps', () => {
  test.each([
    ['an output', 'to'],
    ['an output', 'amount'],
    ['a crypto operation', 'data'],
    ['a crypto operation', 'value'],
    ['a crypto operation', 'paymail'],
    ['a crypto operation', 'signature'],
    ['a paid output', 'to'],
    ['a paid output', 'script'],
    ['options', 'clientIdentifier'],
    ['options', 'label'],
    ['options', 'buttonId'],
    ['options', 'buttonData'],
    ['options', 'refundOf'],
  ] as const)('is refused in %s as %s: half a character, and NUL', (what, field) => {
    const isTaken = (text: string) => takes(what, { [field]: text });
    expect(['🙂', 'a\ud83d', '\ude42a', 'a\0b'].map(isTaken)).toEqual([true, false, false, false]);
  });

  test('is refused as opReturn: half a character; NUL is data like any other', () => {
    const isTaken = (opReturn: string) => takes('options', { opReturn });
    expect(['', '🙂', 'a\0b', 'a\ud83d', '\ude42a'].map(isTaken)).toEqual([true, true, true, false, false]);
  });
});

test.each([
  ['an output', { note: 'x' }],
  ['a crypto operation', { privateKey: 'x' }],
  ['options', { origin: 'https://shop.example' }],
] as const)('%s has no other members: %j', (what, more) => {
  expect(takes(what, more)).toBe(false);
});

test.each([
  ['an output', ['to', 'paymail', 'userId', 'address', 'script']],
  [
    'a crypto operation',
    ['data', 'dataEncoding', 'value', 'valueEncoding', 'key', 'algorithm', 'publicKey', 'paymail', 'signature'],
  ],
  [
    'options',
    [
      'cryptoOperations',
      'opReturn',
      'clientIdentifier',
      'label',
      'buttonId',
      'buttonData',
      'refundOf',
      'preserveOrder',
    ],
  ],
  ['a paid output', ['token']],
] as const)('what %s leaves out is missing, not null', (what, fields) => {
  // An output names its recipient by one of them.
  const named = what === 'an output' ? { to: undefined } : {};
  expect(fields.filter((field) => takes(what, { ...named, [field]: null }))).toEqual([]);
});

describe('a crypto operation', () => {
  test.each([
    { name: 'aZ' },
    { method: 'public-key', data: undefined },
    { dataEncoding: 'utf8' },
    { dataEncoding: 'hex' },
    { valueEncoding: 'utf8' },
    { valueEncoding: 'hex' },
    { valueEncoding: 'base64' },
    { key: 'identity' },
    { algorithm: 'bitcoin-signed-message' },
    { algorithm: 'electrum-ecies' },
    { publicKey: KEY },
    { publicKey: `03${'AB'.repeat(32)}` },
  ])('may have %j', (more) => expect(takes('a crypto operation', more)).toBe(true));

  test.each([
    { name: 'a1' },
    { name: 'a}' },
    { name: '{a' },
    { name: 'ä' },
    { name: 'a\n' },
    { name: undefined },
    { method: 'mint' },
    { method: undefined },
    { dataEncoding: 'base64' },
    { dataEncoding: '' },
    { valueEncoding: 'ascii' },
    { valueEncoding: '' },
    { key: 'root' },
    { key: '' },
    { algorithm: 'none' },
    { algorithm: '' },
    { publicKey: `04${'ab'.repeat(32)}` },
    { publicKey: `12${'ab'.repeat(32)}` },
    { publicKey: `${KEY}a` },
    { publicKey: `0${KEY}` },
    { publicKey: KEY.slice(1) },
    { publicKey: KEY.slice(0, -1) },
    { publicKey: `${KEY.slice(0, -1)}g` },
  ])('does not have %j', (more) => expect(takes('a crypto operation', more)).toBe(false));
});

describe('the result of a crypto operation', () => {
  test.each([
    { id: '9' },
    { id: '10' },
    { id: '99' },
    { dataEncoding: 'utf8' },
    { dataEncoding: 'hex' },
    { valueEncoding: 'utf8' },
    { valueEncoding: 'hex' },
    { valueEncoding: 'base64' },
    { key: 'identity' },
    { verified: false },
  ])('may have %j', (more) => expect(takes('its result', more)).toBe(true));

  test.each([
    { id: '0' },
    { id: '01' },
    { id: '100' },
    { id: 'a1' },
    { id: '1a' },
    { name: 'a1' },
    { name: '1a' },
    { method: 'mint' },
    { dataEncoding: 'base64' },
    { valueEncoding: 'ascii' },
    { key: 'root' },
    { verified: 'true' },
    { verified: undefined },
    { value: undefined },
  ])('does not have %j', (more) => expect(takes('its result', more)).toBe(false));
});

describe('a paid output', () => {
  const token = { id: `${'ab'.repeat(32)}_0`, units: '1' };

  test.each([
    { satoshis: '0' },
    { satoshis: '9'.repeat(16) },
    { currency: 'gold' },
    { token },
    { token: { ...token, id: `${'ab'.repeat(32)}_4294967295` } },
    { token: { ...token, units: '9'.repeat(20) } },
  ])('may have %j', (more) => expect(paymentOutput.parse({ ...paid, ...more })).toEqual({ ...paid, ...more }));

  test.each([
    { satoshis: '' },
    { satoshis: '9'.repeat(17) },
    { satoshis: '-1' },
    { satoshis: '1.5' },
    { satoshis: 1 },
    { type: 'OTHER' },
    { currency: 'Usd' },
    { paymail: undefined },
    { token: {} },
    { token: { id: token.id } },
    { token: { ...token, id: `${'ab'.repeat(32)}_` } },
    { token: { ...token, id: `${'ab'.repeat(32)}_12345678901` } },
    { token: { ...token, id: `a${token.id}` } },
    { token: { ...token, id: `${token.id}a` } },
    { token: { ...token, id: token.id.toUpperCase() } },
    { token: { ...token, units: '0' } },
    { token: { ...token, units: '01' } },
    { token: { ...token, units: '9'.repeat(21) } },
    { token: { ...token, units: 'a1' } },
    { token: { ...token, units: '1a' } },
  ])('does not have %j', (more) => expect(takes('a paid output', more)).toBe(false));
});

test.each(['USD', 'SATS', 'USDTX'])('%s has the form of a currency', (unit) => {
  expect([currencyCode, paidUnit].map((schema) => schema.safeParse(unit).success)).toEqual([true, true]);
});

test.each(['gold', 'gold@pay.example', `${'ab'.repeat(32)}_0`])('%s can be paid, and is no currency', (unit) => {
  expect([currencyCode, paidUnit].map((schema) => schema.safeParse(unit).success)).toEqual([false, true]);
});

test.each(['', 'US', 'USDTTT', 'Usd', ' USD', 'USD\n', 'US1', 'USDgold@', 'go ld'])('%j is neither', (unit) => {
  expect([currencyCode, paidUnit].map((schema) => schema.safeParse(unit).success)).toEqual([false, false]);
});

test('a request’s id has 8 to 64 characters of letters, digits, - and _', () => {
  const isTaken = (id: string) => requestId.safeParse(id).success;
  expect(['aZ09-_xx', 'a'.repeat(64)].filter((id) => !isTaken(id))).toEqual([]);
  expect(['a'.repeat(7), 'a'.repeat(65), '.request-1', 'request-1.'].filter(isTaken)).toEqual([]);
});

test('a payment has all that is listed, and what was not attached is null', () => {
  const given = {
    id: 'p',
    label: null,
    buttonId: null,
    buttonData: null,
    refundOf: null,
    status: 'COMPLETED',
    txid: 't',
    normalizedTxid: 'n',
    amount: '1',
    currency: 'USD',
    satoshis: '1',
    outputs: [paid],
    paymentOutputs: [paid],
    cryptoOperations: [result],
    userId: null,
    senderPaymail: null,
    amountUsd: null,
    rawtx: '00',
  };
  expect(readAnswer(payment, given)).toEqual({ read: given, optional: [] });
});
