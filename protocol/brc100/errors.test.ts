import { expect, test } from 'vitest';
import { ServiceError } from '../errors/service-error.ts';
import { Brc100Error, invalidParameter, toBrc100Error, unsupported } from './errors.ts';

test('an error about an argument contains its name and the valid values', () => {
  expect(invalidParameter('basket', 'a string.').form).toEqual({
    code: 6,
    name: 'WERR_INVALID_PARAMETER',
    description: 'The basket parameter must be a string.',
    parameter: 'basket',
  });
  expect(invalidParameter('basket').message).toBe('The basket parameter must be valid.');
  expect(invalidParameter('basket').name).toBe('WERR_INVALID_PARAMETER');
});

test('an unsupported feature has the error code of the interface', () => {
  expect(unsupported('certificates').form).toEqual({
    code: 2,
    name: 'WERR_NOT_IMPLEMENTED',
    description: 'This wallet doesn’t support certificates.',
  });
});

test.each([
  ['unsupported-method', 2, 'WERR_NOT_IMPLEMENTED'],
  ['insufficient-funds', 7, 'WERR_INSUFFICIENT_FUNDS'],
  ['amount-too-many-coins', 7, 'WERR_INSUFFICIENT_FUNDS'],
  ['invalid-request', 1, 'WERR_BAD_REQUEST'],
  ['permission-refused', 1, 'WERR_UNAUTHORIZED'],
  ['network-unavailable', 1, 'WERR_NETWORK_CHAIN'],
  ['internal', 1, 'WERR_INTERNAL'],
] as const)('%s has the code %i, %s', (reason, code, name) => {
  const error = new ServiceError(reason);
  expect(toBrc100Error(error)).toEqual({ code, name, description: error.message, reason });
});

test('an error in the interface’s form stays unchanged, and any other reveals nothing', () => {
  const form = { code: 5, name: 'WERR_REVIEW_ACTIONS', description: 'Look.', txid: 'ab' } as const;
  expect(toBrc100Error(new Brc100Error(form))).toBe(form);
  for (const error of [new Error('a secret'), 'a secret', null, { code: 'a secret' }]) {
    const internal = toBrc100Error(error);
    expect(internal).toMatchObject({ code: 1, name: 'WERR_INTERNAL', reason: 'internal' });
    expect(JSON.stringify(internal)).not.toContain('secret');
  }
});
