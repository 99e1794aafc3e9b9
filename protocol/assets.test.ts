import { describe, expect, test } from 'vitest';
import { changedAsset, mintMessage, newAsset, readSupply, tokenAmount, tokenId } from './assets.ts';

const LEAST = { name: 'Coins', initialSupply: '1000', protocol: 'bsv-21' };
/** What the first wrong field says; null where nothing is wrong. */
const problem = (change: object) => newAsset.safeParse({ ...LEAST, ...change }).error?.issues[0]?.message ?? null;

test('a supply is a whole number of a token’s units, as text, or as a number that JSON keeps exact', () => {
  for (const [value, units] of [
    ['1', 1n],
    [1, 1n],
    ['18446744073709551615', 2n ** 64n - 1n],
    [Number.MAX_SAFE_INTEGER, BigInt(Number.MAX_SAFE_INTEGER)],
  ] as const) {
    expect(readSupply(value)).toBe(units);
    expect(problem({ initialSupply: value })).toBeNull();
  }
  for (const value of ['', '0', '-1', '01', '1.5', '1e3', ' 1', '18446744073709551616', 0, -1, 1.5, 2 ** 53, NaN]) {
    expect(readSupply(value), String(value)).toBeNull();
    expect(problem({ initialSupply: value })).toBe(
      'The supply must be from 1 to 18446744073709551615 of the smallest units.',
    );
  }
});

test('units and ids of tokens are what the token protocol can hold', () => {
  const isAmount = (text: string) => tokenAmount.safeParse(text).success;
  expect(['1', '18446744073709551615'].map(isAmount)).toEqual([true, true]);
  expect(['', '0', '01', '-1', '18446744073709551616', '99999999999999999999'].map(isAmount)).toEqual(
    Array(6).fill(false),
  );
  const txid = 'ab'.repeat(32);
  const isId = (text: string) => tokenId.safeParse(text).success;
  expect([`${txid}_0`, `${txid}_9999999999`].map(isId)).toEqual([true, true]);
  expect(
    [txid, `${txid}_`, `${txid}_01`, `${txid}_12345678901`, `x${txid}_0`, `${txid}_0x`, `${txid.toUpperCase()}_0`].map(
      isId,
    ),
  ).toEqual(Array(7).fill(false));
});

describe('what an asset is described with', () => {
  test.each([
    ['the least', {}],
    ['null for none', { description: null, avatar: null, url: null, paymailAlias: null, paymailDomain: null }],
    ['names of five to a hundred characters', { name: 'x'.repeat(100) }],
    ['five characters of any script', { name: '👍👍👍👍👍' }],
    ['a description of several lines', { description: `a\n${'x'.repeat(998)}` }],
    ['addresses', { avatar: ' https://a.example/x.png ', url: 'HTTPS://a.example' }],
    ['empty addresses', { avatar: '', url: ' ' }],
    ['the protocol by its other names', { protocol: 'BSV21' }],
    ['the original service’s', { protocol: 'sfp@0.1' }],
    ['and without a version', { protocol: 'SFP' }],
    ['decimals', { decimals: 18 }],
    ['no decimals', { decimals: 0 }],
    ['an alias', { paymailAlias: 'x'.repeat(30), paymailDomain: 'x'.repeat(253) }],
  ])('may be %s', (_what, change) => {
    expect(problem(change)).toBeNull();
  });

  const SHORT = 'The name has at least 5 characters.';
  const ADDRESS = 'must begin with https://, and have no #, user or password.';
  const DECIMALS = 'The decimals must be a whole number from 0 to 18.';
  const PROTOCOL = 'The protocol must be bsv-21.';
  test.each([
    [{ name: undefined }, 'The name must be text.'],
    [{ name: 'x'.repeat(101) }, 'The name has at most 100 characters.'],
    [{ name: ' xxxx ' }, SHORT],
    [{ name: '' }, SHORT],
    [{ name: '\u200b'.repeat(5) }, 'The name must be visible.'],
    [{ name: 'Coins\u202e' }, 'The name contains characters that cannot be shown.'],
    [{ name: 'Coins\nCoins' }, 'The name contains characters that cannot be shown.'],
    [{ description: 'x'.repeat(1001) }, 'The description has at most 1000 characters.'],
    [{ description: 'a\u202e' }, 'The description contains characters that cannot be shown.'],
    [{ avatar: 'http://a.example/x.png' }, `The picture ${ADDRESS}`],
    [{ avatar: 'http://localhost/x.png' }, `The picture ${ADDRESS}`],
    [{ avatar: 'https://ann@a.example/' }, `The picture ${ADDRESS}`],
    [{ avatar: 'javascript:alert(1)' }, `The picture ${ADDRESS}`],
    [{ avatar: `https://a.example/${'x'.repeat(500)}` }, 'The picture has at most 500 characters.'],
    [{ avatar: 'x'.repeat(501) }, 'The picture has at most 500 characters.'],
    [{ url: 'https://a.example/#x' }, `The site ${ADDRESS}`],
    [{ protocol: 'bsv-20' }, PROTOCOL],
    [{ protocol: 'xbsv-21' }, PROTOCOL],
    [{ protocol: 'bsv-21x' }, PROTOCOL],
    [{ protocol: undefined }, PROTOCOL],
    [{ decimals: 19 }, DECIMALS],
    [{ decimals: -1 }, DECIMALS],
    [{ decimals: 1.5 }, DECIMALS],
    [{ decimals: '1' }, DECIMALS],
    [{ paymailAlias: 'x'.repeat(31) }, 'The alias has at most 30 characters.'],
    [{ paymailDomain: 'x'.repeat(254) }, 'The domain has at most 253 characters.'],
  ])('%j is none', (change, message) => {
    expect(problem(change)).toBe(message);
  });

  test('one thing that is wrong is said once', () => {
    for (const change of [{ name: 'x'.repeat(101) }, { name: '' }, { avatar: 'x'.repeat(501) }])
      expect(newAsset.safeParse({ ...LEAST, ...change }).error?.issues).toHaveLength(1);
  });

  test('can change, the token cannot', () => {
    expect(changedAsset.safeParse({}).success).toBe(true);
    expect(changedAsset.safeParse({ name: 'Others', description: null, avatar: '' }).success).toBe(true);
    for (const name of ['initialSupply', 'protocol', 'decimals', 'url', 'paymailAlias', 'state', 'tokenId'])
      expect(changedAsset.safeParse({ [name]: '1' }).success, name).toBe(false);
    expect(problem({ state: 'minted' })).not.toBeNull();
  });
});

test('a mint is signed over the asset, its transaction and its owner', () => {
  expect(mintMessage('id-1', 'ab12', '02cd')).toBe(
    'Service Button asset mint\nAsset: id-1\nTransaction: ab12\nOwner: 02cd',
  );
});
