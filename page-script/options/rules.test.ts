import { describe, expect, test } from 'vitest';
import { readOptions } from './read.ts';
import { attributeOf, OPTION_NAMES, RULES, type OptionName } from './rules.ts';

/** The options in sections 2.1 and 2.2 of the specification, and others. */
const TABLE: [line: string, attribute: string, name: OptionName, byDefault: unknown, type: string][] = [
  ['A-01', 'data-to', 'to', null, 'text'],
  ['A-02', 'data-amount', 'amount', null, 'decimal'],
  ['A-03', 'data-currency', 'currency', 'USD', 'currency'],
  ['A-04', 'data-label', 'label', '', 'text'],
  ['A-05', 'data-success-message', 'successMessage', null, 'text'],
  ['A-06', 'data-op-return', 'opReturn', null, 'text'],
  ['A-07', 'data-outputs', 'outputs', [], 'array'],
  ['A-08', 'data-crypto-operations', 'cryptoOperations', [], 'array'],
  ['A-09', 'data-client-identifier', 'clientIdentifier', null, 'text'],
  ['A-10', 'data-button-id', 'buttonId', null, 'text'],
  ['A-11', 'data-button-data', 'buttonData', null, 'text'],
  ['A-12', 'data-type', 'type', 'buy', 'choice'],
  ['A-13', 'data-on-payment', 'onPayment', null, 'function'],
  ['A-14', 'data-on-crypto-operations', 'onCryptoOperations', null, 'function'],
  ['A-15', 'data-on-error', 'onError', null, 'function'],
  ['A-16', 'data-on-load', 'onLoad', null, 'function'],
  ['A-17', 'data-editable', 'editable', false, 'boolean'],
  ['A-18', 'data-disabled', 'disabled', false, 'boolean'],
  ['A-19', 'data-dev-mode', 'devMode', false, 'boolean'],
  ['A-20', 'data-preserve-order', 'preserveOrder', false, 'boolean'],
];

describe('the table of options', () => {
  test.each(TABLE)('the table contains [%s] %s', (_, attribute, name, byDefault, type) => {
    expect(attributeOf(name)).toBe(attribute);
    expect(RULES[name].type).toBe(type);
    expect(readOptions({})[name]).toEqual(byDefault);
  });

  test('the table keeps the specification’s order', () => {
    const specified = TABLE.map(([, , name]) => name);
    expect(OPTION_NAMES.filter((name) => specified.includes(name))).toEqual(specified);
  });
});
