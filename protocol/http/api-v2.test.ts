import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import * as v2 from './api-v2.ts';
import { MAX_PUBLISHED_ASSETS } from '../signed-messages/balance-message.ts';
import { MAX_PICTURE_BYTES } from './picture.ts';
import { readAnswer } from './testing-members.ts';
import { leastStoredPayment } from '../payments/testing-payment.ts';
import { LATER_METADATA } from '../payments/metadata.ts';

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const TXID = '0123456789abcdef'.repeat(4);
const TIME = '2026-01-31T23:59:59.000Z';
/** Strings that look like times but aren't valid dates, or are too far in the future to be displayed. */
const NO_DATES = [
  '2026-13-01T00:00:00.000Z',
  '2026-01-32T00:00:00.000Z',
  '2026-01-01T25:00:00.000Z',
  '2026-02-30T00:00:00.000Z',
  '+010000-01-01T00:00:00.000Z',
];
const SIGNATURE = `${'aZ09+/x'.repeat(12)}abc=`;

const takes = (schema: z.ZodMiniType, value: unknown) => schema.safeParse(value).success;
const many = <T>(length: number, one: T) => Array.from({ length }, () => one);

describe('a change of a profile', () => {
  const isTaken = (change: object) => takes(v2.profileChange, change);

  test('a profile change contains only the changed members', () => {
    const whole = { name: 'Alice', bio: 'b', avatarUrl: 'u', defaultCurrency: 'EUR', defaultLanguage: 'de' };
    expect(v2.profileChange.parse(whole)).toEqual(whole);
    for (const [name, value] of Object.entries({ ...whole, avatarUrl: null }))
      expect(v2.profileChange.parse({ [name]: value })).toEqual({ [name]: value });
    expect(v2.profileChange.parse({})).toEqual({});
  });

  test.each([
    { id: '1' },
    { paymail: 'a@b' },
    { name: null },
    { bio: null },
    { avatarUrl: ['u'] },
    { defaultCurrency: null },
    { defaultLanguage: null },
    { defaultLanguage: ['de', 'en'] },
    { defaultCurrency: 'gold' },
  ])('a profile change can’t be %j', (change) => {
    expect(isTaken(change)).toBe(false);
  });

  test.each([
    ['name', 0, 100],
    ['bio', 0, 1000],
    ['avatarUrl', 0, 500],
    ['defaultLanguage', 2, 35],
  ])('a profile change accepts a text %s of %d to %d characters', (name, least, most) => {
    const lengths = [least - 1, least, most, most + 1].map((length) => 'x'.repeat(Math.max(length, 0)));
    expect(lengths.map((text) => isTaken({ [name]: text }))).toEqual([least === 0, true, true, false]);
  });
});

describe('a picture', () => {
  const answered = (image: string, type = 'image/png') => takes(v2.avatarResponse, { avatar: { type, image } });

  test('a picture is requested by a paymail of at most 320 characters', () => {
    const asked = (length: number) => takes(v2.avatarQuestion, { paymail: 'x'.repeat(length) });
    expect([320, 321].map(asked)).toEqual([true, false]);
    for (const wrong of [{}, { paymail: ['a@b'] }, { paymail: 'a@b', size: 1 }])
      expect(takes(v2.avatarQuestion, wrong)).toBe(false);
  });

  test('a picture is base64, or missing', () => {
    for (const image of ['aZ09+/', 'ab==', 'abc=']) expect(answered(image), image).toBe(true);
    for (const image of ['', '=', 'a===', 'a-b_', 'a b', ' ab', 'ab\n', 'data:image/png;base64,ab'])
      expect(answered(image), image).toBe(false);
    expect(v2.avatarResponse.parse({ avatar: null })).toEqual({ avatar: null });
    expect(takes(v2.avatarResponse, {})).toBe(false);
  });

  test('a picture is a PNG, JPEG or WebP', () => {
    for (const type of ['image/png', 'image/jpeg', 'image/webp']) expect(answered('ab', type), type).toBe(true);
    for (const type of ['image/svg+xml', 'text/html', '']) expect(answered('ab', type), type).toBe(false);
  });

  test('a picture has at most the maximum number of bytes, even as base64', () => {
    const base64 = (bytes: number) => Buffer.alloc(bytes).toString('base64');
    expect(answered(base64(MAX_PICTURE_BYTES))).toBe(true);
    expect(answered(base64(MAX_PICTURE_BYTES + 3))).toBe(false);
  });
});

describe('the publication of a balance', () => {
  const published = { satoshis: '0', time: TIME, signature: SIGNATURE };
  const asset = (n: number) => ({ tokenId: `${TXID}_${n}`, amount: '1' });
  const withAssets = (assets: object[]) => ({ ...published, assets, assetsSignature: SIGNATURE });
  const isTaken = (change: object) => takes(v2.balancePublication, { ...published, ...change });

  test.each([
    published,
    { ...published, satoshis: '9' },
    { ...published, satoshis: '9'.repeat(16) },
    withAssets([]),
    withAssets([asset(0), asset(1)]),
  ])('the publication of a balance may be %j', (publication) => {
    expect(v2.balancePublication.parse(publication)).toEqual(publication);
  });

  test.each([
    { satoshis: undefined },
    { satoshis: '' },
    { satoshis: '00' },
    { satoshis: '01' },
    { satoshis: '-1' },
    { satoshis: '1.5' },
    { satoshis: '9'.repeat(17) },
    { satoshis: 1 },
    { time: undefined },
    { signature: undefined },
    { signature: `${SIGNATURE}=` },
    { signature: SIGNATURE.slice(1) },
    { signature: `x${SIGNATURE}` },
    { signature: SIGNATURE.replace('+', '-') },
    { userId: '1' },
    { assets: null },
    { assetsSignature: null },
    { ...withAssets([]), assets: null },
  ])('the publication of a balance can’t be %j', (change) => {
    expect(isTaken(change)).toBe(false);
  });

  test('the publication of a balance has both assets and their signature, or neither', () => {
    expect(isTaken({ assets: [asset(0)] })).toBe(false);
    expect(isTaken({ assetsSignature: SIGNATURE })).toBe(false);
    expect(isTaken({ ...withAssets([asset(0)]), assetsSignature: 'x' })).toBe(false);
  });

  test('the publication of a balance contains each asset once, in whole units, and at most 200', () => {
    const holding = (...assets: object[]) => isTaken(withAssets(assets));
    expect(holding(asset(0), asset(1), asset(0))).toBe(false);
    expect(holding({ ...asset(0), amount: '0' })).toBe(false);
    expect(holding({ ...asset(0), tokenId: TXID })).toBe(false);
    expect(holding({ ...asset(0), name: 'Gold' })).toBe(false);
    const most = (length: number) => holding(...Array.from({ length }, (_, n) => asset(n)));
    expect([MAX_PUBLISHED_ASSETS, MAX_PUBLISHED_ASSETS + 1].map(most)).toEqual([true, false]);
  });

  test.each([
    '2026-01-31T23:59:59Z',
    '2026-01-31T23:59:59.00Z',
    '2026-01-31T23:59:59.0000Z',
    '2026-01-31T23:59:59.000',
    '2026-01-31T23:59:59.000+00:00',
    '2026-01-31T23:59:59,000Z',
    '2026-01-31 23:59:59.000Z',
    `${TIME}\n`,
    `+00${TIME}`,
    '226-01-31T23:59:59.000Z',
    '2026-1-31T23:59:59.000Z',
    '2026-01-1T23:59:59.000Z',
    '2026-01-31T3:59:59.000Z',
    '2026-01-31T23:9:59.000Z',
    '2026-01-31T23:59:9.000Z',
    'year-01-31T23:59:59.000Z',
    '2026-Ja-31T23:59:59.000Z',
    '2026-01-abT23:59:59.000Z',
    '2026-01-31Tab:59:59.000Z',
    '2026-01-31T23:ab:59.000Z',
    '2026-01-31T23:59:ab.000Z',
    '2026-01-31T23:59:59.abcZ',
    ...NO_DATES,
  ])('the publication of a balance has a UTC time to the millisecond, not %j', (time) => {
    expect(isTaken({ time })).toBe(false);
  });
});

describe('responses that a wallet reads', () => {
  const connection = { id: UUID, name: 'Shop', url: 'https://shop.example', since: TIME, scopes: ['profile:read'] };
  const connected = (change: object) => takes(v2.connectionsResponse, { connections: [{ ...connection, ...change }] });
  const refund = { paymentId: UUID, txid: TXID, satoshis: '1' };
  const refunded = (change: object) => takes(v2.refundsResponse, { refunds: [{ ...refund, ...change }] });

  test.each<[string, number, (length: number) => object]>([
    ['name', 500, (length) => ({ name: 'x'.repeat(length) })],
    ['url', 4000, (length) => ({ url: 'x'.repeat(length) })],
    ['number of scopes', 50, (length) => ({ scopes: many(length, 'x') })],
    ['scope', 100, (length) => ({ scopes: ['x'.repeat(length)] })],
  ])('a connection’s %s has at most %d characters', (_, most, made) => {
    expect([0, most, most + 1].map((length) => connected(made(length)))).toEqual([true, true, false]);
  });

  const NO_IDS = [
    '',
    UUID.toUpperCase(),
    `${UUID}0`,
    `0${UUID}`,
    UUID.slice(1),
    UUID.slice(0, -1),
    UUID.replaceAll('-', ''),
    '../me',
  ];
  test.each([
    ...NO_IDS,
    `${UUID.slice(0, 8)}-x9cb-469f-a165-70867728950e`,
    `${UUID.slice(0, 8)}-d9cb-469f-70867728950e`,
    `g${UUID.slice(1)}`,
    `${UUID.slice(0, -1)}g`,
    'zzzzzzzz-d9cb-469f-a165-70867728950e',
    '0f8fad5b-d9cb-469f-a165-zzzzzzzzzzzz',
  ])('the ID of an application or payment can’t be %j', (id) => {
    expect([connected({ id }), refunded({ paymentId: id })]).toEqual([false, false]);
  });

  test.each(['yesterday', ...NO_DATES])('a connection has its start time, not %j', (since) => {
    expect(connected({ since })).toBe(false);
  });

  test.each([
    { txid: TXID.slice(1) },
    { txid: `${TXID}0` },
    { txid: `0${TXID}` },
    { txid: TXID.toUpperCase() },
    { satoshis: '' },
    { satoshis: '-1' },
    { satoshis: '1.5' },
    { satoshis: '9'.repeat(17) },
  ])('a refund can’t be %j', (change) => {
    expect(refunded(change)).toBe(false);
  });

  test('a list has at most 100 refunds, of up to 16 digits', () => {
    const listed = (length: number) => takes(v2.refundsResponse, { refunds: many(length, refund) });
    expect([0, 100, 101].map(listed)).toEqual([true, true, false]);
    expect(refunded({ satoshis: '9'.repeat(16) })).toBe(true);
  });
});

describe('the query of a list of payments', () => {
  const isTaken = (query: object) => takes(v2.paymentListQuery, query);

  test('a query of payments accepts filters, sorting and a cursor', () => {
    const whole = { limit: '20', cursor: 'aZ09-_', buttonId: 'b', status: 'FAILED', sort: '-createdAt', txid: TXID };
    expect(v2.paymentListQuery.parse(whole)).toEqual(whole);
    for (const [name, value] of Object.entries(whole)) expect(isTaken({ [name]: value }), name).toBe(true);
    expect(isTaken({})).toBe(true);
  });

  test('a query of payments accepts a limit from 1 to 100', () => {
    const limited = (limit: string) => isTaken({ limit });
    expect(['1', '9', '10', '99', '100'].filter((limit) => !limited(limit))).toEqual([]);
    expect(['', '0', '01', '00', '101', '1000', '1100', '-1', '1e1', '1.5', 'x1', '1x'].filter(limited)).toEqual([]);
  });

  test('a query of payments accepts a cursor of at most 200 characters, and a button of at most 1000', () => {
    expect([0, 1, 200, 201].map((length) => isTaken({ cursor: 'x'.repeat(length) }))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect([0, 1000, 1001].map((length) => isTaken({ buttonId: 'x'.repeat(length) }))).toEqual([true, true, false]);
  });

  test.each([
    { cursor: '=a' },
    { cursor: 'a=' },
    { status: 'PAID' },
    { status: ['FAILED'] },
    { sort: 'amount' },
    { txid: TXID.slice(1) },
    { txid: `${TXID}0` },
    { txid: `0${TXID}` },
    { 'button-id': 'b' },
  ])('a query of payments can’t be %j', (query) => {
    expect(isTaken(query)).toBe(false);
  });
});

describe('a response', () => {
  const profile = {
    name: 'Alice',
    bio: '',
    avatarUrl: null,
    defaultCurrency: 'EUR',
    defaultLanguage: 'en',
    paymail: 'alice@example.com',
    createdAt: TIME,
  };
  const asset = { id: UUID, name: 'Gold', paymailAlias: 'gold', paymailDomain: 'example.com', tokenId: null };
  const signed = { message: 'm', signature: 's' };
  test.each<[string, z.ZodMiniType, object, string[]?]>([
    ['who calls', v2.meResponse, { user: { id: '1001', name: 'Alice' }, profile }],
    ['who calls, without a profile', v2.meResponse, { user: { id: '1001', name: 'Alice' }, profile: null }],
    ['a profile', v2.profileResponse, { profile }],
    ['a picture', v2.avatarResponse, { avatar: { type: 'image/png', image: 'ab==' } }],
    ['who reads the balance', v2.balanceWantedResponse, { wanted: true, assets: false }, ['assets']],
    [
      'connections',
      v2.connectionsResponse,
      { connections: [{ id: UUID, name: 'Shop', url: 'https://shop.example', since: TIME, scopes: [] }] },
    ],
    ['refunds', v2.refundsResponse, { refunds: [{ paymentId: UUID, txid: TXID, satoshis: '1' }] }],
    [
      'balances',
      v2.balancesResponse,
      {
        balances: [{ currency: UUID, amount: '1', satoshis: null, asset }],
        published: {
          satoshis: '1',
          time: TIME,
          publicKey: 'k',
          ...signed,
          assets: { held: [{ tokenId: `${TXID}_0`, amount: '1' }], ...signed },
        },
      },
      ['balances.0.asset', 'published.assets'],
    ],
    [
      'payments',
      v2.paymentsResponse,
      { payments: [leastStoredPayment, { ...leastStoredPayment, rawtx: null }], nextCursor: null },
      [0, 1].flatMap((i) => LATER_METADATA.map((name) => `payments.${i}.${name}`)),
    ],
    [
      'currencies',
      v2.currenciesResponse,
      { crypto: [{ code: 'BSV', name: 'Bitcoin SV' }], fiat: [{ code: 'EUR', name: 'Euro' }] },
    ],
  ])('a response of %s has all listed members, and no others', (_, schema, whole, optional = []) => {
    expect(readAnswer(schema, whole)).toEqual({ read: whole, optional });
  });
});
