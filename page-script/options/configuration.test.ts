import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeAddress } from '../../protocol/bitcoin/address.ts';
import { paymentOptions } from '../../protocol/payments/payment.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { configure } from './configuration.ts';
import { configurePlainly } from './plain.ts';

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

describe('a price computed with floats', () => {
  test.each<[number, string]>([
    [0.1 + 0.2, '0.30'],
    [4.35 * 100, '435.00'],
    [56.99999999999999, '57.00'],
    [19.99 * 3, '59.97'],
    [0.001, '0.001'],
  ])('the price is rounded to the digits of its currency: %d becomes %s', (amount, price) => {
    for (const given of [amount, `${amount}`]) {
      expect(configure({ to, amount: given }).payment.outputs).toEqual([{ to, amount: price, currency: 'USD' }]);
      const outputs = [{ to, amount: given, currency: 'usd' }];
      expect(configure({ outputs }).payment.outputs).toEqual([{ to, amount: price, currency: 'USD' }]);
      expect(configurePlainly({ to, amount: given })?.payment.outputs[0]?.amount ?? price).toBe(price);
    }
  });
});

describe('rules between options', () => {
  const outputs = [{ to, amount: '1', currency: 'USD' }];
  const sign = { name: 'hello', method: 'sign', data: 'x' };
  test.each<[string, Record<string, unknown>, string | null]>([
    ['[R-08] all three', { to, amount: '1', currency: 'EUR' }, null],
    ['[R-08] the currency may be the default', { to, amount: '1' }, null],
    ['[R-08] only to', { to }, 'missing-amount'],
    ['[R-08] to and currency', { to, currency: 'USD' }, 'missing-amount'],
    ['[R-08] only amount', { amount: '1' }, 'missing-recipient'],
    ['[R-08] only currency', { currency: 'USD' }, 'missing-recipient'],
    ['nothing to pay', {}, 'missing-recipient'],
    ['[R-09] outputs beside to', { to, amount: '1', outputs }, 'conflicting-options'],
    ['[R-10] outputs beside amount', { amount: '1', outputs }, 'conflicting-options'],
    ['[R-10] outputs beside currency', { currency: 'USD', outputs }, 'conflicting-options'],
    ['empty outputs are the default', { to, amount: '1', outputs: '[]', cryptoOperations: '[]' }, null],
    ['[R-01] a paymail', { to: 'ada@example.com', amount: '1' }, null],
    ['[R-02] a user ID', { to: '75101', amount: '1' }, null],
    ['[R-02] a user ID as a number', { to: 75101, amount: '1' }, null],
    ['[R-04] a script', { to: 'OP_DUP OP_HASH160', amount: '1' }, null],
    ['[R-05] no recipient at all', { to: 'nobody', amount: '1' }, 'invalid-recipient'],
    [
      '[R-05] an address with a typing error',
      { to: `${to.slice(0, -1)}${to.endsWith('x') ? 'y' : 'x'}`, amount: '1' },
      'invalid-recipient',
    ],
    ['[R-05] an opcode that there is not', { to: 'OP_DUP OP_NOTHING', amount: '1' }, 'invalid-recipient'],
    ['[R-10] only outputs', { outputs }, null],
    [
      '[R-15] one of each kind',
      {
        outputs: [
          { paymail: 'ada@example.com', amount: '1', currency: 'USD' },
          { userId: 7, amount: 1, currency: 'usd' },
          { address: to, amount: '0.5', currency: 'USD' },
          { script: 'OP_DUP', amount: '1', currency: 'USD' },
          { to: 'ada@example.com', amount: '1', currency: 'USD' },
        ],
      },
      null,
    ],
    ['[R-15] a script in hexadecimal', { outputs: [{ script: '76a914', amount: '1', currency: 'USD' }] }, null],
    ['[R-15] two kinds', { outputs: [{ to, address: to, amount: '1', currency: 'USD' }] }, 'conflicting-options'],
    ['[R-15] null is no kind', { outputs: [{ to, paymail: null, address: '', amount: '1', currency: 'USD' }] }, null],
    ['[R-15] no kind', { outputs: [{ amount: '1', currency: 'USD' }] }, 'missing-recipient'],
    [
      '[R-15] a different kind than its name states',
      { outputs: [{ paymail: to, amount: '1', currency: 'USD' }] },
      'invalid-recipient',
    ],
    [
      '[R-15] digits are no address',
      { outputs: [{ address: '75101', amount: '1', currency: 'USD' }] },
      'invalid-recipient',
    ],
    ['[R-16] no amount', { outputs: [{ to, currency: 'USD' }] }, 'missing-amount'],
    ['[R-16] no currency', { outputs: [{ to, amount: '1' }] }, 'missing-currency'],
    ['[R-16] a wrong amount', { outputs: [{ to, amount: '-1', currency: 'USD' }] }, 'invalid-amount'],
    ['[R-16] a wrong currency', { outputs: [{ to, amount: '1', currency: 'DOLLAR' }] }, 'invalid-currency'],
    ['a paymail as an address', { outputs: [{ address: 'ada@example.com', amount: '1', currency: 'USD' }] }, null],
    ['a script as large as the chain takes it', { to: `OP_DROP ${'ab'.repeat(99_990)}`, amount: '1' }, null],
    ['OP_RETURN alone', { to: 'OP_RETURN beef', amount: '0' }, 'invalid-recipient'],
    [
      'OP_RETURN alone, in hexadecimal',
      { outputs: [{ script: '6A02BEEF', amount: '0', currency: 'USD' }] },
      'invalid-recipient',
    ],
    [
      'a script that writes, in capital hexadecimal',
      { outputs: [{ script: '006A02BEEF', amount: '0', currency: 'USD' }] },
      null,
    ],
    ['a push that looks like the bytes of a script that writes', { to: '006a02 OP_DROP', amount: '1' }, null],
    ['data without a recipient', { cryptoOperations: [sign], opReturn: 'x' }, 'missing-recipient'],
    ['[R-17] two currencies', { outputs: [...outputs, { to, amount: '1', currency: 'EUR' }] }, 'mixed-currencies'],
    ['[R-17] one currency in two spellings', { outputs: [...outputs, { to, amount: '1', currency: 'usd' }] }, null],
    ['an asset by its paymail', { to, amount: '1', currency: 'Gold@pay.example' }, null],
    ['an asset by the ID of its token', { to, amount: '1', currency: `${'AB'.repeat(32)}_0` }, null],
    ['an asset by its alias', { to, amount: '1', currency: 'golden' }, null],
    ['an invalid alias', { to, amount: '1', currency: 'go' }, 'invalid-currency'],
    ['an asset in the original’s words', { outputs: [{ to, amount: '1', asset: 'gold@pay.example' }] }, null],
    ['an asset beside money', { outputs: [...outputs, { to, amount: '1', asset: 'gold@pay.example' }] }, null],
    [
      'two assets',
      {
        outputs: [
          { to, amount: '1', asset: 'gold@pay.example' },
          { to, amount: '1', asset: 'silver@pay.example' },
        ],
      },
      'mixed-currencies',
    ],
    [
      'an asset beside two currencies',
      { outputs: [...outputs, { to, amount: '1', asset: 'g@h' }, { to, amount: '1', currency: 'EUR' }] },
      'mixed-currencies',
    ],
    ['no object', { outputs: ['ada@example.com'] }, 'missing-recipient'],
    ['a hundred outputs', { outputs: Array.from({ length: 100 }, () => outputs[0]) }, null],
    ['more than a hundred', { outputs: Array.from({ length: 101 }, () => outputs[0]) }, 'invalid-option'],
    ['[R-19] only crypto operations', { cryptoOperations: [sign] }, null],
    ['crypto operations beside a payment', { to, amount: '1', cryptoOperations: JSON.stringify([sign]) }, null],
    ['[R-18] a variable in a script', { to: 'OP_DROP #{hello}', amount: '1', cryptoOperations: [sign] }, null],
    ['[R-18] a variable within a push', { to: 'OP_DROP beef#{hello}', amount: '1', cryptoOperations: [sign] }, null],
    [
      '[R-18] a variable of no operation',
      { to: 'OP_DROP #{other}', amount: '1', cryptoOperations: [sign] },
      'invalid-recipient',
    ],
    [
      '[R-18] a variable that is encoded with its push',
      { to: 'OP_DROP 237b68656c6c6f7d', amount: '1', cryptoOperations: [sign] },
      null,
    ],
    [
      '[R-18] an encoded variable of no operation',
      { to: 'OP_DROP beef237b6f746865727d', amount: '1', cryptoOperations: [sign] },
      'invalid-recipient',
    ],
    ['a variable without operations', { to: 'OP_DROP beef237b6f746865727d', amount: '1' }, null],
    [
      '[R-18] a variable that would be a user ID',
      { to: '#{hello}', amount: '1', cryptoOperations: [sign] },
      'invalid-recipient',
    ],
    [
      '[R-18] a variable that would be a paymail',
      { to: 'a#{hello}@b.example', amount: '1', cryptoOperations: [sign] },
      'invalid-recipient',
    ],
    [
      '[R-18] a variable in hexadecimal, outside of a known push',
      { outputs: [{ script: '76a9#{hello}', amount: '1', currency: 'USD' }], cryptoOperations: [sign] },
      'invalid-recipient',
    ],
    [
      '[R-18] a script that writes',
      {
        outputs: [{ script: 'OP_FALSE OP_RETURN beef #{hello}', amount: '0', currency: 'BSV' }],
        cryptoOperations: [sign],
      },
      null,
    ],
    ['a script that writes, as the one recipient', { to: 'OP_FALSE OP_RETURN beef', amount: 0 }, null],
    [
      'a script that writes, in hexadecimal',
      { outputs: [{ script: '006a02beef', amount: '0.00', currency: 'USD' }] },
      null,
    ],
    ['a script that writes and is paid', { to: 'OP_FALSE OP_RETURN beef', amount: '0.01' }, 'invalid-amount'],
    ['[R-06] a recipient with the amount zero', { to, amount: '0.00' }, 'invalid-amount'],
    ['[R-06] nothing for a script that can be spent', { to: 'OP_DROP beef', amount: '0' }, 'invalid-amount'],
    ['an operation without a name', { cryptoOperations: [{ ...sign, name: '' }] }, 'invalid-crypto-operation'],
    [
      'an operation with digits in its name',
      { cryptoOperations: [{ ...sign, name: 'a1' }] },
      'invalid-crypto-operation',
    ],
    ['two operations of one name', { cryptoOperations: [sign, sign] }, 'invalid-crypto-operation'],
    ['a method that there is not', { cryptoOperations: [{ ...sign, method: 'hash' }] }, 'invalid-crypto-operation'],
    ['no method', { cryptoOperations: [{ name: 'a' }] }, 'invalid-crypto-operation'],
    ['an invalid operation', { cryptoOperations: [null] }, 'invalid-crypto-operation'],
    ['data that is no text', { cryptoOperations: [{ ...sign, data: 7 }] }, 'invalid-crypto-operation'],
    [
      'more than twenty operations',
      { cryptoOperations: Array.from({ length: 21 }, (_, i) => ({ ...sign, name: String.fromCharCode(97 + i) })) },
      'invalid-crypto-operation',
    ],
    [
      '[R-25] an editable button ignores errors in the four options',
      { editable: 'true', to: 'nobody', outputs, currency: 'EUR' },
      null,
    ],
    ['under one satoshi', { to, amount: '0.000000009', currency: 'BSV' }, 'amount-too-small'],
    ['one satoshi', { to, amount: '0.00000001', currency: 'BSV' }, null],
    ['[R-28] a demo may have no recipient', { devMode: 'true' }, null],
    ['a demo with half a payment', { devMode: 'true', amount: '1' }, 'missing-recipient'],
    ['a demo with no recipient', { devMode: 'true', to: 'x!', amount: '1' }, 'invalid-recipient'],
  ])('options are validated together: %s', (_, given, reason) => expect(reasonOf(given)).toBe(reason));
});

test('the wallet receives exactly the given options', () => {
  expect(configure({ to, amount: '1' }).payment).toEqual({ outputs: [{ to, amount: '1', currency: 'USD' }] });
  expect(
    configure({
      to,
      amount: '1',
      currency: 'bsv',
      label: 'x',
      opReturn: 'hello',
      clientIdentifier: 'c',
      buttonId: 12,
      buttonData: '{}',
      preserveOrder: true,
    }).payment,
  ).toEqual({
    outputs: [{ to, amount: '1', currency: 'BSV' }],
    label: 'x',
    opReturn: 'hello',
    clientIdentifier: 'c',
    buttonId: '12',
    buttonData: '{}',
    preserveOrder: true,
  });
});

test('the wallet receives the beginning of a label, without half a character', () => {
  const passedOn = (label: string) => configure({ to, amount: '1', label }).payment.label;
  expect(passedOn('x'.repeat(201))).toBe('x'.repeat(200));
  expect(passedOn(`${'x'.repeat(199)}💸`)).toBe('x'.repeat(199));
  expect(passedOn('')).toBeUndefined();
});

describe('crypto operations', () => {
  const data = 'x';
  test.each<[string, Record<string, unknown>, string | null]>([
    ['nothing to sign', { method: 'sign' }, 'invalid-crypto-operation'],
    ['nothing to decrypt', { method: 'decrypt' }, 'invalid-crypto-operation'],
    ['invalid hexadecimal', { method: 'sign', data: 'abc', dataEncoding: 'hex' }, 'invalid-crypto-operation'],
    ['invalid hexadecimal to decrypt', { method: 'decrypt', data: 'secret' }, 'invalid-crypto-operation'],
    [
      'to verify without a signature',
      { method: 'verify', data, paymail: 'ada@example.com' },
      'invalid-crypto-operation',
    ],
    ['a signature to verify without a key', { method: 'verify', data, signature: 'x' }, 'invalid-crypto-operation'],
    ['to verify a paymail’s', { method: 'verify', data, signature: 'x', paymail: 'ada@example.com' }, null],
    ['another encoding', { method: 'sign', data, dataEncoding: 'base64' }, 'invalid-crypto-operation'],
    ['another encoding of a value', { method: 'paymail', valueEncoding: 'utf16' }, 'invalid-crypto-operation'],
    ['another key', { method: 'sign', data, key: 'spending' }, 'invalid-crypto-operation'],
    ['another algorithm', { method: 'sign', data, algorithm: 'rsa' }, 'invalid-crypto-operation'],
    ['an invalid public key', { method: 'encrypt', data, publicKey: '02ab' }, 'invalid-crypto-operation'],
    ['half a character', { method: 'sign', data: '\udfff' }, 'invalid-crypto-operation'],
    ['too much', { method: 'sign', data: 'x'.repeat(200_001) }, 'invalid-crypto-operation'],
    ['the signature as text', { method: 'sign', data, valueEncoding: 'utf8' }, null],
    ['a public key', { method: 'encrypt', data, publicKey: `03${'aB'.repeat(32)}` }, null],
  ])('a crypto operation is validated: %s', (_, operation, reason) =>
    expect(reasonOf({ cryptoOperations: [{ name: 'a', ...operation }] })).toBe(reason),
  );
});

test('the wallet receives a paymail given as an address in `to`', () => {
  expect(
    configure({ outputs: [{ address: 'ada@example.com', amount: '1', currency: 'USD' }] }).payment.outputs,
  ).toEqual([{ to: 'ada@example.com', amount: '1', currency: 'USD' }]);
});

test('[R-06] amounts are sent to the wallet in the form in which the payment has them', () => {
  expect(
    configure({
      outputs: [
        { to, amount: '.10', currency: 'USD' },
        { to, amount: 1e-7, currency: 'USD' },
        { to, amount: '01.50', currency: 'USD' },
      ],
    }).payment.outputs.map(({ amount }) => amount),
  ).toEqual(['0.10', '0.0000001', '1.50']);
});

test('an amount of zero pays nothing if it is allowed', () => {
  const writes = { script: 'OP_FALSE OP_RETURN beef', amount: '0', currency: 'USD' };
  expect(configure({ to, amount: '0.00' }, true).payment).toEqual({ outputs: [] });
  expect(configure({ outputs: [{ to, amount: 0, currency: 'USD' }, writes] }, true).payment).toEqual({
    outputs: [writes],
  });
  expect(() => configure({ to, amount: 0, opReturn: 'x' }, true)).toThrow(ConfigurationError);
});

test.each<[string, Record<string, unknown>]>([
  ['amount', { amount: 'ten' }],
  ['outputs', { outputs: '[' }],
  ['outputs beside to', { to, outputs: [{ to, amount: '1', currency: 'USD' }] }],
  [
    'outputs of two currencies',
    {
      outputs: [
        { to, amount: '1', currency: 'USD' },
        { to, amount: '1', currency: 'EUR' },
      ],
    },
  ],
  ['to', { to: {} }],
  ['to, over long', { to: 'x'.repeat(300_000) }],
  ['currency', { currency: 'DOLLARS' }],
  ['all', { to: [], amount: {}, currency: 7, outputs: 3 }],
])('[R-25] options that an editable button ignores may be malformed: %s', (_, given) => {
  const { payment, options } = configure({ editable: 'true', opReturn: 'x', ...given });
  expect(payment).toEqual({ outputs: [], opReturn: 'x' });
  expect([options.to === null || options.to === to, options.currency]).toEqual([true, 'USD']);
});

test('[R-25] an editable button sends none of the page’s recipients and amounts', () => {
  expect(configure({ editable: true, to, amount: '1', currency: 'EUR', opReturn: 'x' }).payment).toEqual({
    outputs: [],
    opReturn: 'x',
  });
});

test('[S-12] outputs and crypto operations are passed on unchanged, without empty fields', () => {
  expect(
    configure({
      outputs: JSON.stringify([
        { to, amount: 2, currency: 'eur', paymail: null, other: 1 },
        { userId: '7', amount: '0.10', currency: 'EUR' },
      ]),
      cryptoOperations: [{ name: 'a', method: 'public-key', data: null, value: '', other: 1 }],
    }).payment,
  ).toEqual({
    outputs: [
      { to, amount: '2', currency: 'EUR' },
      { userId: '7', amount: '0.10', currency: 'EUR' },
    ],
    cryptoOperations: [{ name: 'a', method: 'public-key' }],
  });
});

test('options exclude the page’s additions to Object.prototype', () => {
  const prototype = Object.prototype as unknown as Record<string, unknown>;
  const names = { to: 'nobody', paymail: 'x@example.com', default: 1, name: 'x', method: 'sign', data: 'x' };
  try {
    for (const [name, value] of Object.entries(names)) prototype[name] = value;
    expect(configure({ to, amount: '1' }).payment.outputs).toEqual([{ to, amount: '1', currency: 'USD' }]);
    expect(configure({ outputs: [{ address: to, amount: '1', currency: 'USD' }] }).payment.outputs).toEqual([
      { address: to, amount: '1', currency: 'USD' },
    ]);
    expect(configure({ cryptoOperations: [{ name: 'a', method: 'paymail' }] }).payment.cryptoOperations).toEqual([
      { name: 'a', method: 'paymail' },
    ]);
    expect(reasonOf({ cryptoOperations: [{}] })).toBe('invalid-crypto-operation');
    expect(reasonOf({ outputs: [{ amount: '1', currency: 'USD' }] })).toBe('missing-recipient');
  } finally {
    for (const name of Object.keys(names)) delete prototype[name];
  }
});

test('JSON keys that name a prototype have no effect', () => {
  const evil = `"__proto__":{"paymail":"x@example.com","polluted":1},"constructor":{"prototype":{"polluted":1}}`;
  const options = JSON.parse(`{"outputs":[{"to":"${to}","amount":"1","currency":"USD",${evil}}],${evil}}`) as Record<
    string,
    unknown
  >;
  for (const outputs of [options.outputs, JSON.stringify(options.outputs)]) {
    const { payment } = configure({ outputs });
    expect(payment).toEqual({ outputs: [{ to, amount: '1', currency: 'USD' }] });
    expect(Object.getPrototypeOf(payment.outputs[0])).toBe(Object.prototype);
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test('all accepted options fit the wallet’s contract', () => {
  const text = fc.option(fc.string({ maxLength: 30 }), { nil: undefined });
  const output = fc.record({
    to: fc.constantFrom(to, 'ada@example.com', 7),
    amount: fc.constantFrom('1', '0.001', 3),
    currency: fc.constant('USD'),
  });
  const several = fc.record({
    outputs: fc.array(output, { minLength: 1, maxLength: 5 }),
    cryptoOperations: fc.array(
      fc.record({
        name: fc.constantFrom('a', 'B', 'c'),
        method: fc.constantFrom('sign', 'paymail', 'x'),
        data: text,
        signature: text,
      }),
      { maxLength: 3 },
    ),
  });
  fc.assert(
    fc.property(several, (options) => {
      if (reasonOf(options) === null) expect(paymentOptions.safeParse(configure(options).payment).success).toBe(true);
    }),
  );
  const given = fc.record({
    amount: fc.constantFrom('0.1', '1', '123456789012345678.123456789012345678', 2, 'x'),
    currency: text,
    opReturn: text,
    clientIdentifier: text,
    buttonId: text,
    buttonData: text,
    preserveOrder: fc.constantFrom('true', 'false', true, undefined),
  });
  fc.assert(
    fc.property(given, (options) => {
      if (reasonOf({ to, ...options }) === null)
        expect(paymentOptions.safeParse(configure({ to, ...options }).payment).success).toBe(true);
    }),
  );
});
