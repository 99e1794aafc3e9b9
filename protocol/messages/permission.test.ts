import { expect, test } from 'vitest';
import { isReserved, permissionName, type Permission } from './permission.ts';

const basket = (name: string): Permission => ({ kind: 'basket', basket: name });
const protocol = (name: string): Permission => ({ kind: 'protocol', level: 1, protocol: name, counterparty: null });

test('the wallet’s own protocols and baskets are reserved', () => {
  for (const name of ['admin', 'Admin', ' admin', 'admin keys', 'administration', 'p ', 'P basket', 'p label'])
    for (const permission of [basket(name), protocol(name)])
      expect(isReserved(permission), `${permission.kind} ${name}`).toBe(!/^p $/.test(name));
  // The baskets for the wallet's money and for its one-satoshi coins.
  for (const name of ['default', 'Default', ' default ', '1sat', '1SAT']) {
    expect(isReserved(basket(name)), name).toBe(true);
    expect(isReserved(protocol(name)), name).toBe(false);
  }
});

test('all other protocols and baskets can be granted', () => {
  for (const name of ['tickets', 'my admin', 'default tickets', 'top p label', 'p', 'page', 'the 1sat'])
    for (const permission of [basket(name), protocol(name)])
      expect(isReserved(permission), `${permission.kind} ${name}`).toBe(false);
  expect(isReserved({ kind: 'identity' })).toBe(false);
});

test('a permission’s name contains its kind, level, counterparty, and protocol or basket', () => {
  expect(permissionName({ kind: 'identity' })).toBe('identity');
  expect(permissionName({ kind: 'protocol', level: 1, protocol: 'a b', counterparty: null })).toBe('protocol 1 * a b');
  expect(permissionName({ kind: 'protocol', level: 2, protocol: 'a b', counterparty: 'self' })).toBe(
    'protocol 2 self a b',
  );
  expect(permissionName(basket('a b'))).toBe('basket a b');
});
