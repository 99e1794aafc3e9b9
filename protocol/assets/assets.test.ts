import { describe, expect, test } from 'vitest';
import {
  asset,
  assetListQuery,
  assetsResponse,
  changedAsset,
  mintMessage,
  mintReport,
  newAsset,
  readSupply,
  tokenAmount,
  tokenId,
} from './assets.ts';

const MINIMAL_ASSET = { name: 'Coins', initialSupply: '1000', protocol: 'bsv-21' };
const problem = (change: object) =>
  newAsset.safeParse({ ...MINIMAL_ASSET, ...change }).error?.issues[0]?.message ?? null;

test('a supply is a whole number of a token’s smallest units, as text or as a safe integer', () => {
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
      'The supply must be a whole number from 1 to 18446744073709551615, in the smallest units.',
    );
  }
});

test('amounts and IDs of tokens follow the token protocol', () => {
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

describe('the description of an asset', () => {
  test.each([
    ['the least', {}],
    [
      'null for missing members',
      { description: null, avatar: null, url: null, paymailAlias: null, paymailDomain: null },
    ],
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
  ])('an asset description accepts %s', (_what, change) => {
    expect(problem(change)).toBeNull();
  });

  const SHORT = 'The name must be at least 5 characters.';
  const ADDRESS = 'must begin with https:// and can’t contain #, a user or a password.';
  const DECIMALS = 'The decimals must be a whole number from 0 to 18.';
  const PROTOCOL = 'The protocol must be bsv-21.';
  test.each([
    [{ name: undefined }, 'The name must be text.'],
    [{ name: 'x'.repeat(101) }, 'The name must be at most 100 characters.'],
    [{ name: ' xxxx ' }, SHORT],
    [{ name: '' }, SHORT],
    [{ name: 'x'.padEnd(100) }, SHORT],
    [{ name: '\u200b'.repeat(5) }, 'The name must contain visible characters.'],
    [{ name: 'Coins\u202e' }, 'The name contains characters that can’t be displayed.'],
    [{ name: 'Coins\nCoins' }, 'The name contains characters that can’t be displayed.'],
    [{ description: 'x'.repeat(1001) }, 'The description must be at most 1000 characters.'],
    [{ description: 'a\u202e' }, 'The description contains characters that can’t be displayed.'],
    [{ avatar: 'http://a.example/x.png' }, `The picture ${ADDRESS}`],
    [{ avatar: 'http://localhost/x.png' }, `The picture ${ADDRESS}`],
    [{ avatar: 'https://ann@a.example/' }, `The picture ${ADDRESS}`],
    [{ avatar: 'http://localhost/https:' }, `The picture ${ADDRESS}`],
    [{ avatar: `http://a.example/`.padEnd(500, 'x') }, `The picture ${ADDRESS}`],
    [{ avatar: 'javascript:alert(1)' }, `The picture ${ADDRESS}`],
    [{ avatar: `https://a.example/${'x'.repeat(500)}` }, 'The picture must be at most 500 characters.'],
    [{ avatar: 'x'.repeat(501) }, 'The picture must be at most 500 characters.'],
    [{ url: 'https://a.example/#x' }, `The site ${ADDRESS}`],
    [{ protocol: 'bsv-20' }, PROTOCOL],
    [{ protocol: 'xbsv-21' }, PROTOCOL],
    [{ protocol: 'bsv-21x' }, PROTOCOL],
    [{ protocol: undefined }, PROTOCOL],
    [{ decimals: 19 }, DECIMALS],
    [{ decimals: -1 }, DECIMALS],
    [{ decimals: 1.5 }, DECIMALS],
    [{ decimals: '1' }, DECIMALS],
    [{ paymailAlias: 'x'.repeat(31) }, 'The alias must be at most 30 characters.'],
    [{ paymailDomain: 'x'.repeat(254) }, 'The domain must be at most 253 characters.'],
  ])('the asset description %j is rejected', (change, message) => {
    expect(problem(change)).toBe(message);
  });

  test('each invalid member is reported only once', () => {
    for (const change of [
      { name: 'x'.repeat(101) },
      { name: ' '.repeat(101) },
      { name: '' },
      { name: ' '.repeat(5) },
      { avatar: 'x'.repeat(501) },
    ])
      expect(newAsset.safeParse({ ...MINIMAL_ASSET, ...change }).error?.issues).toHaveLength(1);
  });

  test('the name, description and picture of an asset can change, but not its token', () => {
    expect(changedAsset.safeParse({}).success).toBe(true);
    expect(changedAsset.safeParse({ name: 'Others', description: null, avatar: '' }).success).toBe(true);
    for (const name of ['initialSupply', 'protocol', 'decimals', 'url', 'paymailAlias', 'state', 'tokenId'])
      expect(changedAsset.safeParse({ [name]: '1' }).success, name).toBe(false);
    expect(problem({ state: 'minted' })).not.toBeNull();
  });
});

test('a list has at most 100 assets per page', () => {
  const isQuery = (query: object) => assetListQuery.safeParse(query).success;
  for (const query of [
    {},
    { limit: '1' },
    { limit: '99' },
    { limit: '100' },
    { cursor: 'aZ_-9' },
    { cursor: 'x'.repeat(200) },
  ])
    expect(isQuery(query), JSON.stringify(query)).toBe(true);
  for (const query of [
    ...['', '0', '01', '101', '1x', 'x1', '-1', 5].map((limit) => ({ limit })),
    ...['', ' ', 'a b', 'a/', '=a', 'x'.repeat(201)].map((cursor) => ({ cursor })),
    { offset: '1' },
  ])
    expect(isQuery(query), JSON.stringify(query)).toBe(false);
});

test('a mint report contains the token’s ID, the transaction and a signature', () => {
  const report = { tokenId: `${'ab'.repeat(32)}_0`, rawtx: '0a', inputProof: `${'A'.repeat(87)}=` };
  const isReport = (change: object) => mintReport.safeParse({ ...report, ...change }).success;
  for (const change of [{}, { rawtx: 'ab'.repeat(45_000) }, { inputProof: `${'+/9z'.repeat(21)}abc=` }])
    expect(isReport(change), JSON.stringify(change).slice(0, 80)).toBe(true);
  for (const change of [
    ...['', '0', '0g', 'g0', 'x0a', '0aF', '0A', '0a ', 'ab'.repeat(45_001), 5].map((rawtx) => ({ rawtx })),
    ...[
      '',
      `${'A'.repeat(86)}==`,
      `${'A'.repeat(88)}=`,
      `x${'A'.repeat(87)}=`,
      `${'A'.repeat(87)}=x`,
      `${'_'.repeat(87)}=`,
    ].map((inputProof) => ({ inputProof })),
    ...['', 'ab_0', undefined].map((id) => ({ tokenId: id })),
    { name: 'x' },
  ])
    expect(isReport(change), JSON.stringify(change).slice(0, 80)).toBe(false);
});

test('a published asset has all members, a known state, and a token ID or null', () => {
  const published = {
    ...{ id: 'a', name: 'Coins', description: '', avatar: null, url: null, protocol: 'bsv-21', initialSupply: '1' },
    ...{ decimals: 0, userId: '1', paymailAlias: 'coins', paymailDomain: 'pay.example', state: 'minted' },
    ...{ tokenId: `${'ab'.repeat(32)}_0`, createdAt: '2025-06-01', updatedAt: '2025-06-01' },
  };
  const isAsset = (change: object) => asset.safeParse({ ...published, ...change }).success;
  expect([{}, { state: 'pending', tokenId: null }, { state: 'minting' }].map(isAsset)).toEqual([true, true, true]);
  for (const name of Object.keys(published)) expect(isAsset({ [name]: undefined }), name).toBe(false);
  expect([{ state: 'gone' }, { tokenId: 'ab' }, { protocol: '' }].map(isAsset)).toEqual([false, false, false]);
  expect(assetsResponse.safeParse({ assets: [published], nextCursor: null }).success).toBe(true);
  expect(assetsResponse.safeParse({ assets: [{}], nextCursor: null }).success).toBe(false);
});

test('a mint’s signature covers the asset, its transaction and its owner', () => {
  expect(mintMessage('id-1', 'ab12', '02cd')).toBe(
    'Service Button asset mint\nAsset: id-1\nTransaction: ab12\nOwner: 02cd',
  );
});
