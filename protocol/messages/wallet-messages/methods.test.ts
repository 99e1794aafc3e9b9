import { expect, test } from 'vitest';
import { looseParts } from '../../http/testing-fields.ts';
import { WALLET_WINDOWS, walletMethods, type WalletMethod, type WalletWindow } from './methods.ts';
import { MINIMAL_PARAMS } from './testing-parameters.ts';

const METHODS = Object.keys(MINIMAL_PARAMS) as WalletMethod[];

test('each method can be called by at least one window', () => {
  const lost = METHODS.filter((method) => {
    const callers: readonly WalletWindow[] = walletMethods[method].callers;
    return callers.length === 0 || !callers.every((name) => WALLET_WINDOWS.includes(name));
  });
  expect(lost).toEqual([]);
});

test.each(METHODS)('%s requires its members, and rejects unknown ones', (method) => {
  const { params } = walletMethods[method];
  expect(params.safeParse(MINIMAL_PARAMS[method]).data).toEqual(MINIMAL_PARAMS[method]);
  expect(looseParts(params, MINIMAL_PARAMS[method])).toEqual([]);
  for (const other of [null, [], 'x', 5, undefined]) expect(params.safeParse(other).success).toBe(false);
});

test('spaces around a contact’s name are removed', () => {
  const contact = MINIMAL_PARAMS['contacts/save'];
  const { data } = walletMethods['contacts/save'].params.safeParse({ ...contact, name: ` ${'x'.repeat(60)} ` });
  expect(data).toEqual({ ...contact, name: 'x'.repeat(60) });
});
