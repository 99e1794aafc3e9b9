import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeAddress } from '../../protocol/bitcoin/address.ts';
import { configure } from './configuration.ts';
import { addressIn, configurePlainly, type RawOptions } from './plain.ts';

const to = writeAddress(new Uint8Array(20).fill(7), 'devnet');
const typo = `${to.slice(0, -1)}${to.endsWith('x') ? 'y' : 'x'}`;

test.each<RawOptions>([
  { to, amount: '0.10' },
  { to, amount: '.10', currency: 'eur', label: 'Read on', type: 'tip', buttonId: 7, buttonData: '{}' },
  { to: 75101, amount: 0.5, currency: '', disabled: 'true', preserveOrder: true, successMessage: 'Thanks' },
  {
    to: 'ada@example.com',
    amount: '1',
    currency: 'BSV',
    onPayment: () => {},
    onError: 'report',
    clientIdentifier: 'c',
  },
  { devMode: 'true' },
  { devMode: true, to, amount: '1', refundOf: 'p' },
])('an ordinary button is parsed without the part: %j', (given) => {
  expect(configurePlainly(given)).not.toBeNull();
  expect(JSON.stringify(configurePlainly(given))).toBe(JSON.stringify(configure(given)));
});

test.each<RawOptions>([
  {},
  { to },
  { amount: '1' },
  { to, amount: '0' },
  { to, amount: '-1' },
  { to: 'OP_DUP', amount: '1' },
  { to, amount: '1', opReturn: 'hello' },
  { to, amount: '1', editable: true },
  { to, amount: '1', disabled: '' },
  { to, amount: '1', label: '\ud800' },
  { to, amount: '0.000000001', currency: 'BSV' },
  { outputs: '[]' },
  { devMode: true, to },
  { devMode: true, currency: 'EUR' },
])('invalid options, and those that need more validation, are left to the part: %j', (given) => {
  expect(configurePlainly(given)).toBeNull();
});

test('every address is returned for a checksum check, and accounts are not', () => {
  for (const address of [to, typo]) expect(addressIn(configurePlainly({ to: address, amount: '1' })!)).toBe(address);
  for (const account of ['ada@example.com', '75101'])
    expect(addressIn(configurePlainly({ to: account, amount: '1' })!)).toBeUndefined();
});

test('any options result in the complete parser’s configuration, or in nothing', () => {
  const nothing = [null, undefined, ''];
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 250 }));
  const flag = fc.constantFrom(...nothing, true, false, 'true', 'false', 'yes');
  const call = fc.constantFrom(...nothing, 'f', () => {}, 3);
  const array = fc.constantFrom(...nothing, '[]', [], '{', [{ to, amount: '1', currency: 'USD' }]);
  fc.assert(
    fc.property(
      fc.record(
        {
          to: fc.oneof(fc.constantFrom(...nothing, to, typo, 'ada@example.com', '12', 12, 'OP_DUP'), text),
          amount: fc.oneof(
            fc.constantFrom(...nothing, '0', '.5', '01.', 1e-7, 2, '0.000000001', '1e3'),
            fc.double(),
            text,
          ),
          currency: fc.oneof(fc.constantFrom(...nothing, 'BSV', 'eur', 'ABCDEF', 3), text),
          label: fc.oneof(fc.constantFrom(...nothing, 3), text),
          successMessage: text,
          opReturn: fc.oneof(fc.constantFrom(...nothing), text),
          outputs: array,
          cryptoOperations: array,
          clientIdentifier: text,
          buttonId: fc.oneof(fc.integer(), fc.double(), text),
          buttonData: text,
          refundOf: text,
          type: fc.constantFrom(...nothing, 'buy', 'tip', 'constructor'),
          onPayment: call,
          onLoad: call,
          editable: flag,
          disabled: flag,
          devMode: flag,
          preserveOrder: flag,
        },
        { requiredKeys: [] },
      ),
      (given) => {
        const plain = configurePlainly(given);
        // Mistyped addresses are an exception, because only the `help` part detects them.
        if (plain && addressIn(plain) !== typo) expect(JSON.stringify(plain)).toBe(JSON.stringify(configure(given)));
      },
    ),
    { numRuns: 500 },
  );
});
