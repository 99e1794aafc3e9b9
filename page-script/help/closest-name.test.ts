// @vitest-environment node
import { expect, test } from 'vitest';
import { OPTION_NAMES } from '../options/rules.ts';
import { closestName } from './closest-name.ts';

test.each([
  ['ammount', 'amount'],
  ['amout', 'amount'],
  ['amonut', 'amount'],
  ['onpayment', 'onPayment'],
  ['on-payement', 'onPayment'],
  ['on_payment', 'onPayment'],
  ['curency', 'currency'],
  ['currrency', 'currency'],
  ['output', 'outputs'],
  ['too', 'to'],
  ['lable', 'label'],
  ['tpye', 'type'],
  ['editible', 'editable'],
  ['op-retrun', 'opReturn'],
  ['client-id', 'clientIdentifier'],
  ['success', 'successMessage'],
  ['crypto-operation', 'cryptoOperations'],
  ['devmode', 'devMode'],
])('the misspelled name %s is matched to %s', (name, meant) => expect(closestName(name, OPTION_NAMES)).toBe(meant));

test.each([
  'test-id',
  'testid',
  'id',
  'count',
  'time',
  'top',
  'tag',
  'text',
  'controller',
  'turbo',
  'v-1a2b3c',
  'x',
  '',
  'key',
  'name',
  'value',
  'action',
  'date',
  'state',
  'enabled',
  'x'.repeat(100_000),
])('a name that resembles no option is ignored: %#', (name) => expect(closestName(name, OPTION_NAMES)).toBeUndefined());

test('every option is found if one of its letters is missing', () => {
  for (const option of OPTION_NAMES.filter(({ length }) => length > 3))
    // Options that start with "on" keep their second letter, because "oCryptoOperations" is close to two options.
    for (let i = option.startsWith('on') ? 2 : 1; i < option.length; i += 1)
      expect(closestName(option.slice(0, i) + option.slice(i + 1), OPTION_NAMES)).toBe(option);
});
