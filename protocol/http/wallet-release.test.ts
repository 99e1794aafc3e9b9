import { expect, test } from 'vitest';
import { isNewer, walletReleaseResponse, walletVersion } from './wallet-release.ts';
import manifest from '../../manifest.json' with { type: 'json' };

test.each(['0', '1.2', '0.1.0', '65535.65535.65535.65535', manifest.version])('%s is a version', (version) => {
  expect(walletVersion.safeParse(version).success).toBe(true);
});

test.each([
  '',
  '1.',
  '.1',
  '1.2.3.4.5',
  '65536',
  '1.2-beta',
  '-1',
  '1 ',
  '1.2\n',
  '１',
  1,
  null,
  ['1'],
  '1'.repeat(100_000),
])('%j is not a version', (version) => {
  expect(walletReleaseResponse.safeParse({ version }).success).toBe(false);
});

test.each([
  ['0.2.0', '0.1.0'],
  ['0.10', '0.9.9'],
  ['1', '0.65535.65535'],
  ['1.0.0.1', '1'],
])('%s is newer than %s, and not vice versa', (newer, older) => {
  expect([isNewer(newer, older), isNewer(older, newer)]).toEqual([true, false]);
});

test.each([
  ['1', '1.0.0.0'],
  ['0.1.0', '0.1.0'],
])('%s and %s are equal', (one, other) => {
  expect([isNewer(one, other), isNewer(other, one)]).toEqual([false, false]);
});
