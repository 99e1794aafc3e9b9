import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import * as v1 from './api-v1.ts';
import { readAnswer } from '../http/testing-members.ts';

const TXID = '0123456789abcdef'.repeat(4);
const jsonapi = { version: '1.0' };
const takes = (schema: z.ZodMiniType, value: unknown) => schema.safeParse(value).success;

const profile = {
  'created-at': 'c',
  name: 'Alice',
  'default-currency': 'EUR',
  'default-language': 'en',
  bio: '',
  'primary-paymail': 'alice@example.com',
  'avatar-url': null,
};
const asset = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  type: 'assets',
  attributes: {
    name: 'Gold',
    description: '',
    avatar: null,
    url: null,
    protocol: 'bsv-21',
    'initial-supply': '1000',
    decimals: 0,
    'user-id': '1001',
    'paymail-alias': 'gold',
    'paymail-domain': 'example.com',
    state: 'minted',
    'token-id': `${TXID}_0`,
    'created-at': 'c',
    'updated-at': 'u',
  },
};
const payment = {
  id: 'p',
  type: 'payments',
  attributes: {
    'created-at': 'c',
    'user-id': null,
    'user-paymail': null,
    'client-identifier': null,
    txid: 't',
    'normalized-txid': 'n',
    amount: '1',
    currency: 'USD',
    satoshis: '2000',
    status: 'COMPLETED',
    'status-description': null,
    'button-id': null,
    'button-data': null,
    'amount-usd': null,
    'service-amount': null,
    'amount-deviates': null,
    'input-amount-usd': null,
    'input-amount-satoshis': null,
    'spend-amount-usd': null,
    'spend-amount-satoshis': null,
    'fee-amount-usd': null,
    'fee-amount-satoshis': null,
    'change-amount-usd': null,
    'change-amount-satoshis': null,
    rawtx: null,
  },
  relationships: {
    'payment-outputs': { data: [{ id: 'o', type: 'payment-outputs' }] },
    'crypto-operations': { data: [{ id: 'x', type: 'crypto-operations' }] },
  },
};
const output = {
  id: 'o',
  type: 'payment-outputs',
  attributes: {
    type: 'USER',
    'output-type': 'USER',
    'created-at': 'c',
    to: '1001',
    paymail: null,
    'user-paymail': null,
    'user-id': '1001',
    address: null,
    script: null,
    amount: '1',
    'amount-usd': null,
    currency: 'USD',
    satoshis: '2000',
    'token-id': null,
    'token-units': null,
    'token-validity': null,
    'asset-id': null,
  },
};
const operation = {
  id: 'x',
  type: 'crypto-operations',
  attributes: {
    name: 'a',
    method: 'sign',
    data: 'd',
    'data-encoding': 'utf8',
    value: 'v',
    'value-encoding': 'base64',
    key: 'identity',
    algorithm: 'bitcoin-signed-message',
    'public-key': 'k',
    paymail: null,
    signature: null,
    verified: null,
    checked: true,
  },
};
const included = [output, operation];

test.each<[string, z.ZodMiniType, object, string[]?]>([
  [
    'an identity',
    v1.identityDocument,
    { data: { id: '1001', type: 'user_identities', attributes: { id: '1001', name: 'Alice' } }, jsonapi },
  ],
  ['a profile', v1.profileDocument, { data: { id: '1001', type: 'profiles', attributes: profile }, jsonapi }],
  [
    'a user, with as much of the profile as the token may read',
    v1.userDocument,
    { data: { id: '1001', type: 'users', attributes: { id: '1001', ...profile } }, jsonapi },
    Object.keys(profile)
      .filter((name) => name !== 'name')
      .map((name) => `data.attributes.${name}`),
  ],
  [
    'a balance, with assets where the token may read them',
    v1.balanceDocument,
    {
      data: {
        id: '1001',
        type: 'amounts',
        attributes: { amount: '1', currency: 'EUR', satoshis: '1', 'published-at': 'p' },
        relationships: { 'asset-amounts': { data: [{ id: 'a', type: 'asset-amounts' }] } },
      },
      included: [
        {
          id: 'a',
          type: 'asset-amounts',
          attributes: {
            amount: '1',
            currency: 'a',
            name: 'Gold',
            'paymail-alias': 'gold',
            'paymail-domain': 'example.com',
            'token-id': null,
          },
        },
      ],
      jsonapi,
    },
    ['data.relationships', 'included'],
  ],
  ['an asset', v1.assetDocument, { data: asset, jsonapi }],
  ['assets', v1.assetsDocument, { data: [asset], meta: { 'total-pages': 1 }, jsonapi }],
  ['a payment', v1.paymentDocument, { data: payment, included, jsonapi }],
  ['payments', v1.paymentsDocument, { data: [payment], included, links: { next: null }, jsonapi }],
  ['a user’s payments', v1.userPaymentsDocument, { data: [payment], included, meta: { 'total-pages': 1 }, jsonapi }],
  [
    'currencies',
    v1.currenciesDocument,
    { data: [{ id: 'EUR', type: 'currencies', attributes: { code: 'EUR', name: 'Euro' } }], jsonapi },
  ],
  [
    'errors',
    v1.errorDocument,
    { errors: [{ id: 'r', status: '404', code: 'not-found', title: 't', detail: 'd' }], jsonapi },
  ],
])('the document of %s has all listed members, and no others', (_, schema, whole, optional = []) => {
  expect(readAnswer(schema, whole)).toEqual({ read: whole, optional });
});

describe('resources', () => {
  test.each([
    [v1.identityDocument, { data: { id: '1', attributes: { id: '1', name: '' } }, jsonapi }, 'user_identities'],
    [v1.profileDocument, { data: { id: '1', attributes: profile }, jsonapi }, 'profiles'],
    [v1.userDocument, { data: { id: '1', attributes: { id: '1', name: '' } }, jsonapi }, 'users'],
    [v1.assetDocument, { data: asset, jsonapi }, 'assets'],
    [v1.paymentDocument, { data: payment, included: [], jsonapi }, 'payments'],
  ])('resources have only their own type', (schema, document, type) => {
    const typed = (name: string) => takes(schema, { ...document, data: { ...document.data, type: name } });
    expect([type, '', 'others'].map(typed)).toEqual([true, false, false]);
  });

  test('resources are in JSON:API 1.0 documents', () => {
    const errors = (version: string) => takes(v1.errorDocument, { errors: [], jsonapi: { version } });
    expect(['1.0', '1.1', ''].map(errors)).toEqual([true, false, false]);
  });

  test('included resources are only outputs and crypto operations', () => {
    const includes = (one: object) => takes(v1.paymentDocument, { data: payment, included: [one], jsonapi });
    expect([output, operation].map(includes)).toEqual([true, true]);
    expect([{ ...output, type: '' }, { ...operation, type: 'payments' }, payment].map(includes)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('error documents have the JSON:API media type', () => {
    expect(v1.JSON_API).toBe('application/vnd.api+json');
  });
});

describe('a query', () => {
  const QUERIES = {
    assets: v1.userAssetsQuery,
    payments: v1.paymentsQuery,
    'a user’s payments': v1.userPaymentsQuery,
  } as const;
  const asks = (what: keyof typeof QUERIES, query: object) => takes(QUERIES[what], query);

  test.each([
    ['assets', 'page[number]', 1, 100],
    ['assets', 'page[size]', 1, 100],
    ['payments', 'limit', 1, 100],
    ['payments', 'offset', 0, 10_000],
    ['a user’s payments', 'page[number]', 1, 100_000],
    ['a user’s payments', 'page[size]', 1, 100],
  ] as const)('a query of %s accepts %s from %d to %d', (what, name, least, most) => {
    const numbered = (value: unknown) => asks(what, { [name]: value });
    expect([least - 1, least, most, most + 1].map(String).map(numbered)).toEqual([false, true, true, false]);
    for (const wrong of ['', ' ', 'x', '1x', 'x1', '1.0', '1e1', '-1', '0x1', '0000000001', 1, ['1', '2']])
      expect(numbered(wrong), `${wrong}`).toBe(false);
  });

  test.each(['payments', 'a user’s payments'] as const)('a query of %s accepts sorting and filters', (what) => {
    const whole = {
      sort: '-created-at',
      'filter[button-id]': 'b',
      'filter[status]': 'FAILED',
      'filter[txid]': TXID,
    };
    expect(QUERIES[what].parse(whole)).toEqual(whole);
    for (const [name, value] of Object.entries(whole)) expect(asks(what, { [name]: value }), name).toBe(true);
    const button = (length: number) => asks(what, { 'filter[button-id]': 'x'.repeat(length) });
    expect([1000, 1001].map(button)).toEqual([true, false]);
    for (const wrong of [
      { sort: 'amount' },
      { 'filter[status]': 'PAID' },
      { 'filter[txid]': TXID.slice(1) },
      { 'filter[txid]': `${TXID}0` },
      { 'filter[txid]': `0${TXID}` },
      { 'filter[txid]': TXID.toUpperCase() },
      { 'filter[paymail]': 'a@b' },
    ])
      expect(asks(what, wrong), JSON.stringify(wrong)).toBe(false);
  });

  test.each(['assets', 'payments', 'a user’s payments'] as const)(
    'a query of %s may be empty, and rejects other parameters',
    (what) => {
      expect([asks(what, {}), asks(what, { page: '1' })]).toEqual([true, false]);
    },
  );

  test('a query accepts only the pagination parameters of its own list', () => {
    expect(v1.paymentsQuery.parse({ limit: '1', offset: '0' })).toEqual({ limit: '1', offset: '0' });
    const page = { 'page[number]': '1', 'page[size]': '1' };
    for (const schema of [v1.userPaymentsQuery, v1.userAssetsQuery]) expect(schema.parse(page)).toEqual(page);
    expect([asks('payments', page), asks('a user’s payments', { limit: '1' })]).toEqual([false, false]);
  });
});

describe('a document about an asset', () => {
  const created = {
    name: 'Golden',
    'initial-supply': '1000',
    protocol: 'bsv-21',
    description: 'd',
    avatar: 'https://example.com/a.png',
    url: 'https://example.com',
    decimals: 2,
    'paymail-alias': 'gold',
    'paymail-domain': 'example.com',
  };
  const OPTIONAL = ['description', 'avatar', 'url', 'decimals', 'paymail-alias', 'paymail-domain'];

  test('a new asset needs name, supply and protocol, and accepts the rest', () => {
    const document = { data: { type: 'assets', attributes: created } };
    expect(v1.newAssetDocument.parse(document)).toEqual(document);
    for (const name of Object.keys(created))
      expect(
        takes(v1.newAssetDocument, { data: { type: 'assets', attributes: { ...created, [name]: undefined } } }),
        name,
      ).toBe(OPTIONAL.includes(name));
  });

  test('a changed asset needs its ID, and accepts any of name, description and picture', () => {
    const change = (attributes: object) => ({ data: { id: 'a', type: 'assets', attributes } });
    const whole = change({ name: 'Golden', description: null, avatar: null });
    expect(v1.changedAssetDocument.parse(whole)).toEqual(whole);
    expect(takes(v1.changedAssetDocument, change({}))).toBe(true);
    expect(takes(v1.changedAssetDocument, change({ decimals: 2 }))).toBe(false);
  });

  test.each([
    [v1.newAssetDocument, { type: 'assets', attributes: created }],
    [v1.changedAssetDocument, { id: 'a', type: 'assets', attributes: {} }],
  ])('an asset document rejects other members at any level, and other types', (schema, data) => {
    expect(takes(schema, { data })).toBe(true);
    expect(takes(schema, { data, meta: {} })).toBe(false);
    expect(takes(schema, { data: { ...data, relationships: {} } })).toBe(false);
    expect(takes(schema, { data: { ...data, attributes: { ...data.attributes, state: 'minted' } } })).toBe(false);
    for (const type of ['', 'payments']) expect(takes(schema, { data: { ...data, type } })).toBe(false);
    expect(takes(schema, {})).toBe(false);
  });
});
