import { expect, test } from 'vitest';
import { ASSET_NAME, isAssetName, isBareAlias } from './asset-name.ts';

const TOKEN = `${'ab'.repeat(32)}_0`;
const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';

test.each([
  TOKEN,
  `${'ab'.repeat(32)}_4294967295`,
  UUID,
  'gold@pay.example',
  'gold@localhost:3000',
  'gold',
  'a-1.b',
  '1sat',
])('%s can name an asset', (name) => {
  expect([ASSET_NAME.test(name), isAssetName(name), isBareAlias(name)]).toEqual([
    true,
    true,
    name.length <= 30 && !name.includes('@'),
  ]);
});

test.each([
  '',
  'ab',
  '123',
  '1.2',
  '-gold',
  'gold-',
  'go--ld',
  'go ld',
  'Gold',
  TOKEN.slice(1),
  `${TOKEN}x`,
  'gold@',
  '@gold',
  'a'.repeat(31),
])('%j cannot name an asset', (name) => {
  expect(ASSET_NAME.test(name)).toBe(false);
});

test('a currency code in uppercase is not an asset name', () => {
  expect(['BSV', 'USD', 'XAU'].map(isAssetName)).toEqual([false, false, false]);
});

test('a bare alias has at most 30 characters', () => {
  expect([isBareAlias('a'.repeat(30)), isBareAlias('a'.repeat(31)), isBareAlias('a@b')]).toEqual([true, false, false]);
});
