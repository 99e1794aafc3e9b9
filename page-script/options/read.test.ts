import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDecimal } from '../../protocol/money/money.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { attributeOptions, readOptions } from './read.ts';
import { attributeOf, OPTION_NAMES, type OptionName } from './rules.ts';

const readOption = (name: OptionName, given: unknown) => readOptions({ [name]: given })[name];

function reasonOf(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as ConfigurationError).reason;
  }
}

describe('valid values', () => {
  const given = () => 1;
  test.each<[string, OptionName, unknown, unknown]>([
    ['[A-01] a number for to', 'to', 75101, '75101'],
    ['[A-02] a decimal', 'amount', '0.10', '0.10'],
    ['[R-06] a number for amount', 'amount', 0.1, '0.1'],
    ['[R-06] a number so small that JavaScript writes it with an exponent', 'amount', 1e-8, '0.00000001'],
    ['[R-06] a text that lacks a zero', 'amount', '.10', '0.10'],
    ['[A-03] a fiat code', 'currency', 'EUR', 'EUR'],
    ['[R-07] a ticker', 'currency', 'BSV', 'BSV'],
    ['[R-07] small letters', 'currency', 'usd', 'USD'],
    ['[A-10] a number for buttonId', 'buttonId', 7, '7'],
    ['[A-17] true in text', 'editable', 'true', true],
    ['[A-18] a real boolean', 'disabled', false, false],
    ['[A-07] JSON text', 'outputs', '[{"a":1}]', [{ a: 1 }]],
    ['[S-12] a real array', 'outputs', [1], [1]],
    ['[S-12] a real function', 'onPayment', given, given],
    ['[C-06] a name', 'onPayment', 'paid', 'paid'],
    ['[A-12] tip', 'type', 'tip', 'tip'],
    ['an empty attribute is the default', 'currency', '', 'USD'],
    ['null is the default', 'type', null, 'buy'],
    ['undefined is the default', 'outputs', undefined, []],
  ])('a valid value is accepted: %s', (_, name, value, expected) => expect(readOption(name, value)).toEqual(expected));
});

describe('invalid values', () => {
  test.each<[string, OptionName, unknown, string]>([
    ['[R-06] no number', 'amount', 'ten', 'invalid-amount'],
    ['[R-06] negative', 'amount', '-1', 'invalid-amount'],
    ['[R-06] comma', 'amount', '0,10', 'invalid-amount'],
    ['[R-06] blank around', 'amount', ' 1', 'invalid-amount'],
    ['[R-06] exponent in text', 'amount', '1e-7', 'invalid-amount'],
    ['[R-06] not finite', 'amount', Number.NaN, 'invalid-amount'],
    ['[R-07] six letters', 'currency', 'DOLLAR', 'invalid-currency'],
    ['[R-07] a letter that only looks like one', 'currency', 'uıd', 'invalid-currency'],
    ['[R-07] line end', 'currency', 'USD\n', 'invalid-currency'],
    ['[A-12] another type', 'type', 'rent', 'invalid-option'],
    ['[A-18] an empty boolean', 'disabled', '', 'invalid-option'],
    ['[A-19] yes', 'devMode', 'yes', 'invalid-option'],
    ['[A-19] a name that every object has', 'devMode', 'constructor', 'invalid-option'],
    ['[A-07] no JSON', 'outputs', '[', 'invalid-option'],
    ['[A-08] no array', 'cryptoOperations', '{}', 'invalid-option'],
    ['[A-16] no function', 'onLoad', 3, 'invalid-option'],
    ['[A-10] too long', 'buttonId', 'x'.repeat(1001), 'invalid-option'],
    ['[R-13] 99,001 bytes', 'opReturn', `${'é'.repeat(49_500)}x`, 'data-too-large'],
    ['half a character', 'buttonId', 'a\ud800', 'invalid-option'],
    ['half a character to write', 'opReturn', '\udc00', 'invalid-option'],
    ['half a character in a recipient', 'to', '\ud800@pay.example', 'invalid-recipient'],
    ['NUL', 'buttonData', 'a\0', 'invalid-option'],
    ['a symbol', 'devMode', Symbol('x'), 'invalid-option'],
  ])('an invalid value is rejected: %s', (_, name, value, reason) =>
    expect(reasonOf(() => readOption(name, value))).toBe(reason),
  );

  test('only text for the chain may contain NUL, and text that is only shown may contain any character', () => {
    expect(readOption('opReturn', 'a\0')).toBe('a\0');
    expect(readOption('label', '\ud800')).toBe('\ud800');
  });

  test('[R-13] 99,000 bytes are accepted', () =>
    expect(reasonOf(() => readOption('opReturn', 'é'.repeat(49_500)))).toBeNull());

  test('the message names the attribute and the allowed values', () => {
    expect(() => readOption('amount', 'ten')).toThrow('data-amount is "ten"; it must be a decimal number');
  });
});

test('exactly the amounts valid in the protocol are accepted, unchanged', () => {
  const digits = fc.stringMatching(/^-?\d{0,20}\.?\d{0,20}$/);
  fc.assert(
    fc.property(fc.oneof(digits, fc.string()), (text) => {
      const isReadable = (amount: string) => {
        try {
          return !!parseDecimal(amount);
        } catch {
          return false;
        }
      };
      fc.pre(text !== '');
      if (isReadable(text)) expect(readOption('amount', text)).toBe(text);
      else if (reasonOf(() => readOption('amount', text)) !== 'invalid-amount')
        expect(isReadable(readOption('amount', text) as string)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('no error other than ConfigurationError is thrown', () => {
  const options = fc.dictionary(
    fc.constantFrom<string>(...OPTION_NAMES, '__proto__', 'other'),
    fc.anything({ withBigInt: true, withNullPrototype: true, withObjectString: true }),
  );
  fc.assert(
    fc.property(options, (given) => void reasonOf(() => readOptions(given))),
    { numRuns: 1000 },
  );
});

test('[E-02] attributes are read by their names', () => {
  const div = document.createElement('div');
  for (const name of OPTION_NAMES) div.setAttribute(attributeOf(name), `value of ${name}`);
  expect(attributeOptions(div)).toEqual(Object.fromEntries(OPTION_NAMES.map((name) => [name, `value of ${name}`])));
});
