import { expect, test } from 'vitest';
import { MAX_AMOUNT, MAX_CRYPTO_TEXT, MAX_PAYMAIL, MAX_SUBSTITUTED_BYTES } from './limits.ts';
import { cryptoResult, payment, paymentOutput } from './payment.ts';
import { also, BOOLEAN, oneOf, orMissing, orNull, text, unexpected, type Kind } from '../http/testing-fields.ts';

const RESULT = {
  id: '1',
  name: 'hello',
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
const OUTPUT = {
  type: 'ADDRESS',
  to: 'a',
  paymail: null,
  userId: null,
  address: null,
  script: null,
  amount: '1',
  currency: 'USD',
  satoshis: '1',
};
const PAYMENT = {
  id: 'a',
  label: null,
  buttonId: null,
  buttonData: null,
  refundOf: null,
  status: 'PENDING',
  txid: 'ab',
  normalizedTxid: 'ab',
  amount: '1',
  currency: 'USD',
  satoshis: '1',
  outputs: [OUTPUT],
  paymentOutputs: [OUTPUT],
  cryptoOperations: [RESULT],
  userId: null,
  senderPaymail: null,
  amountUsd: null,
  rawtx: '00',
};

test.each([
  ['an operation', cryptoResult, RESULT],
  ['an output', paymentOutput, OUTPUT],
  ['a payment', payment, PAYMENT],
] as const)('%s has all of its members, and others are ignored', (_, schema, least) => {
  expect(schema.safeParse({ ...least, other: 1 }).data).toEqual(least);
  for (const name of Object.keys(least))
    expect(schema.safeParse({ ...least, [name]: undefined }).success, name).toBe(false);
});

test.each<[string, Kind]>([
  [
    'id',
    [
      ['1', '9', '10', '99'],
      ['', '0', '01', '100', '-1', ' 1', '1\n', 'x1', 1],
    ],
  ],
  ['name', also(text(1, 50), ['Az'], ['a1', 'a b', 'ä', 'a\n', ' a'])],
  ['method', oneOf('sign', 'verify', 'encrypt', 'decrypt', 'public-key', 'address', 'paymail')],
  ['data', orNull(text(0, MAX_CRYPTO_TEXT))],
  ['dataEncoding', also(orNull(oneOf('utf8', 'hex')), [], ['base64'])],
  // Ciphertext of data with the maximum length, as hex.
  ['value', orNull(text(0, 2 * MAX_CRYPTO_TEXT + 1000))],
  ['valueEncoding', orNull(oneOf('utf8', 'hex', 'base64'))],
  ['key', orNull(oneOf('identity'))],
  ['algorithm', orNull(text(0, 100))],
  ['publicKey', orNull(text(0, 66))],
  ['paymail', orNull(text(0, MAX_PAYMAIL))],
  ['signature', orNull(text(0, 200))],
  ['verified', orNull(BOOLEAN)],
])('an operation is validated: %s', (name, kind) => {
  expect(unexpected(cryptoResult, RESULT, name, kind)).toEqual([]);
});

const stored = (most: number) => also(text(1, most), ['ä'], ['a\0', 'a\ud800']);
const TOKEN = `${'ab'.repeat(32)}_0`;
test.each<[string, Kind]>([
  ['type', oneOf('ADDRESS', 'SCRIPT', 'PAYMAIL', 'USER')],
  ['to', stored(2 * MAX_SUBSTITUTED_BYTES)],
  ['paymail', orNull(stored(MAX_PAYMAIL))],
  ['userId', orNull(stored(20))],
  ['address', orNull(stored(64))],
  ['script', orNull(stored(2 * MAX_SUBSTITUTED_BYTES))],
  ['amount', stored(MAX_AMOUNT)],
  [
    'currency',
    [
      ['USD', 'SATS', TOKEN, 'gold'],
      ['', 'usD', 'ABCDEF', 5],
    ],
  ],
  [
    'satoshis',
    [
      ['0', '9', '9'.repeat(16)],
      ['', '1'.repeat(17), '-1', '1.5', ' 1', '1\n', 'x1', 1],
    ],
  ],
  [
    'token',
    orMissing([
      [
        { id: TOKEN, units: '1' },
        { id: `${'ab'.repeat(32)}_${'9'.repeat(10)}`, units: '9'.repeat(20) },
      ],
      [
        {},
        { id: TOKEN },
        { units: '1' },
        ...[`${'ab'.repeat(32)}_`, `${TOKEN.slice(0, -1)}${'9'.repeat(11)}`, `a${TOKEN}`, TOKEN.slice(1), `${TOKEN}x`]
          .concat(TOKEN.toUpperCase())
          .map((id) => ({ id, units: '1' })),
        ...['', '0', '01', '9'.repeat(21), 'x1', '1x', '-1', 1].map((units) => ({ id: TOKEN, units })),
      ],
    ]),
  ],
])('an output is validated: %s', (name, kind) => {
  expect(unexpected(paymentOutput, OUTPUT, name, kind)).toEqual([]);
});

const TEXT: Kind = [
  ['', 'a'],
  [5, null, {}],
];
test.each<[string, Kind]>([
  ...['id', 'txid', 'normalizedTxid', 'amount', 'currency', 'satoshis', 'rawtx'].map((name): [string, Kind] => [
    name,
    TEXT,
  ]),
  ...['label', 'buttonId', 'buttonData', 'refundOf', 'userId', 'senderPaymail', 'amountUsd'].map(
    (name): [string, Kind] => [
      name,
      [
        ['', 'a', null],
        [5, {}],
      ],
    ],
  ),
  ['status', oneOf('PENDING', 'RECEIVED', 'COMPLETED', 'FAILED')],
  ...['outputs', 'paymentOutputs'].map((name): [string, Kind] => [
    name,
    [
      [[], [OUTPUT, OUTPUT]],
      [[RESULT], [null], OUTPUT, null],
    ],
  ]),
  [
    'cryptoOperations',
    [
      [[], [RESULT, RESULT]],
      [[OUTPUT], [null], RESULT, null],
    ],
  ],
])('a payment is validated: %s', (name, kind) => {
  expect(unexpected(payment, PAYMENT, name, kind)).toEqual([]);
});
