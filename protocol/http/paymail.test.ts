import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import * as paymail from './paymail.ts';

const { readPaymail, writePaymail, fillTemplate, paymentDestinationMessage } = paymail;

describe('a paymail', () => {
  test.each([
    ['ann@a.example', 'ann', 'a.example'],
    ['Ann.B-c_1+x@Pay.EXAMPLE', 'ann.b-c_1+x', 'pay.example'],
    ['ann@localhost', 'ann', 'localhost'],
    ['ann@127.0.0.1:3000', 'ann', '127.0.0.1:3000'],
    ['ann@a.example:65535', 'ann', 'a.example:65535'],
    ['Änne@Bücher.example', 'änne', 'bücher.example'],
    // Each `İ` becomes two characters in lower case.
    [`${'İ'.repeat(32)}@a.example`, 'i\u0307'.repeat(32), 'a.example'],
    ['a..b@a.example', 'a..b', 'a.example'],
    ['$&@a.example', '$&', 'a.example'],
    [`${'a'.repeat(64)}@${'b'.repeat(253)}`, 'a'.repeat(64), 'b'.repeat(253)],
  ])('%s is a paymail', (text, alias, domain) => {
    expect(readPaymail(text)).toEqual({ alias, domain });
    expect(readPaymail(writePaymail({ alias, domain }))).toEqual({ alias, domain });
  });

  test.each([
    '',
    '@',
    'ann',
    'ann@',
    '@a.example',
    'ann@a.example@',
    'ann@b.example@a.example',
    `${'a'.repeat(65)}@a.example`,
    `a@${'b'.repeat(254)}`,
    // The lower-case alias exceeds 64 characters.
    `${'İ'.repeat(33)}@a.example`,
    // Characters with a special meaning in URLs, and invisible characters.
    ...[...'/?#%\\{}"<>|^` \t\n\0\u00a0\u2028\u200b\u202e\ufeff\ud800'].flatMap((c) => [
      `a${c}b@a.example`,
      `ann@a${c}b`,
    ]),
    '.@a.example',
    '..@a.example',
    'ann@.',
    'ann@..',
    'ann@.example',
    'ann@a.example.',
    'ann@a..example',
    'ann@:80',
    'ann@a.example:',
    'ann@a.example:123456',
    'ann@a.example:80x',
    'ann@a.example:x80',
    'ann@a.example:80:80',
    'ann@[::1]',
  ])('%j is not a paymail', (text) => {
    expect(readPaymail(text)).toBeNull();
  });
});

test('a template’s placeholders are replaced by path segments at any position', () => {
  const ann = { alias: 'änn$&', domain: '127.0.0.1:3000' };
  expect(
    fillTemplate('https://a.example/{alias}@{domain.tld}/{pubkey}?x={alias}&y={domain.tld}&z={pubkey}', ann, '02ab'),
  ).toBe('https://a.example/%C3%A4nn%24%26@127.0.0.1:3000/02ab?x=%C3%A4nn%24%26&y=127.0.0.1:3000&z=02ab');
  expect(fillTemplate('{alias}@{domain.tld}', { alias: 'a', domain: 'bücher.example' })).toBe('a@b%C3%BCcher.example');
  expect(fillTemplate('/{alias}/{pubkey}', ann)).toBe('/%C3%A4nn%24%26/');
  expect(fillTemplate('/{handle}', ann)).toBe('/{handle}');
});

test('the signature for a payment destination covers sender, amount, time and purpose (BRFC 6745385c3fc0)', () => {
  const request = { senderHandle: 'ann@a.example', dt: '2025-06-01T12:00:00Z' };
  expect(paymentDestinationMessage({ ...request, amount: 550, purpose: 'tea' })).toBe(
    'ann@a.example5502025-06-01T12:00:00Ztea',
  );
  const bare = 'ann@a.example02025-06-01T12:00:00Z';
  expect(paymentDestinationMessage(request)).toBe(bare);
  expect(paymentDestinationMessage({ ...request, amount: null, purpose: null })).toBe(bare);
  expect(paymentDestinationMessage({ ...request, amount: 0, purpose: '' })).toBe(bare);
});

test('capabilities are found under the keys of their specifications', () => {
  expect(paymail.CAPABILITIES).toEqual({
    pki: 'pki',
    paymentDestination: 'paymentDestination',
    verifyPublicKey: 'a9f510c16bde',
    publicProfile: 'f12f968c92d6',
    p2pDestination: '2a40af698840',
    receiveTransaction: '5f1323cddf31',
    receiveBeef: '5c55a7fdb7bb',
    ordinalDestination: 'cc2154bfa6a2',
    receiveOrdinal: '2cc00c7f93c3',
    asset: 'asset',
    senderValidation: '6745385c3fc0',
  });
  expect(paymail.DISCOVERY_PATH).toBe('/.well-known/bsvalias');
});

describe('data from hosts and senders', () => {
  const KEY = `02${'aB'.repeat(32)}`;
  const SCRIPT = `76A914${'a1'.repeat(20)}88ac`;
  const MAX_SATOSHIS = 2_100_000_000_000_000;
  const SATOSHIS = [1, MAX_SATOSHIS];
  const NO_SATOSHIS = [0, -1, 1.5, MAX_SATOSHIS + 1, '1', null, undefined, Infinity];
  const NO_KEYS = ['', `04${'ab'.repeat(32)}`, KEY.slice(2), `${KEY}00`, `x${KEY}`, `02${'zz'.repeat(32)}`, null, 2];
  const NO_HEX = ['', '0', '0x', '76a', 'zz', ' 76', '76 ', 76, null];
  const output = { script: SCRIPT, satoshis: 1 };
  const many = (length: number) => Array.from({ length }, () => output);

  /** Schema fields with valid and invalid values. */
  const FIELDS: [name: string, schema: z.ZodMiniType, whole: object, field: string, good: unknown[], bad: unknown[]][] =
    [
      [
        'discovery document',
        paymail.discoveryDocument,
        { bsvalias: '1.0', capabilities: {} },
        'capabilities',
        [{ x: 1, y: null }],
        [[], null, 'x', undefined],
      ],
      [
        'discovery document',
        paymail.discoveryDocument,
        { bsvalias: '1.0', capabilities: {} },
        'bsvalias',
        ['1.1'],
        [1, undefined],
      ],
      [
        'key',
        paymail.pkiResponse,
        { bsvalias: '1.0', handle: 'a@b', pubkey: KEY },
        'pubkey',
        [`03${'00'.repeat(32)}`],
        NO_KEYS,
      ],
      [
        'key',
        paymail.pkiResponse,
        { bsvalias: '1.0', handle: 'a@b', pubkey: KEY },
        'handle',
        ['x'.repeat(400)],
        ['x'.repeat(401), null],
      ],
      [
        'whose key',
        paymail.verifyPublicKeyResponse,
        { handle: 'a@b', pubkey: KEY, match: true },
        'match',
        [false],
        ['true', 1, null, undefined],
      ],
      ['profile', paymail.publicProfileResponse, {}, 'name', [null, '', 'x'.repeat(1000)], [1, 'x'.repeat(1001)]],
      ['profile', paymail.publicProfileResponse, {}, 'avatar', [null, '', 'x'.repeat(2000)], [1, 'x'.repeat(2001)]],
      [
        'destination',
        paymail.paymentDestinationRequest,
        { senderHandle: 'a@b', dt: '2025' },
        'amount',
        [0, null, undefined, ...SATOSHIS],
        [-1, 0.5, MAX_SATOSHIS + 1, '1'],
      ],
      [
        'destination',
        paymail.paymentDestinationRequest,
        { senderHandle: 'a@b', dt: '2025' },
        'pubkey',
        [KEY, null, undefined],
        NO_KEYS.filter((key) => key !== null),
      ],
      [
        'destination',
        paymail.paymentDestinationRequest,
        { senderHandle: 'a@b', dt: '2025' },
        'signature',
        ['x'.repeat(200), null],
        ['x'.repeat(201), 1],
      ],
      [
        'destination',
        paymail.paymentDestinationRequest,
        { senderHandle: 'a@b', dt: '2025' },
        'purpose',
        ['x'.repeat(500), null],
        ['x'.repeat(501), 1],
      ],
      [
        'destination',
        paymail.paymentDestinationRequest,
        { senderHandle: 'a@b', dt: '2025' },
        'dt',
        ['x'.repeat(40)],
        ['x'.repeat(41), 1, undefined],
      ],
      [
        'script',
        paymail.paymentDestinationResponse,
        {},
        'output',
        [SCRIPT, '00'.repeat(10_000)],
        ['00'.repeat(10_001), ...NO_HEX],
      ],
      ['P2P destination', paymail.p2pDestinationRequest, {}, 'satoshis', SATOSHIS, NO_SATOSHIS],
      [
        'P2P outputs',
        paymail.p2pDestinationResponse,
        { reference: 'r' },
        'outputs',
        [[output], many(50)],
        [[], many(51), null],
      ],
      [
        'P2P outputs',
        paymail.p2pDestinationResponse,
        { reference: 'r' },
        'outputs',
        SATOSHIS.map((satoshis) => [{ ...output, satoshis }]),
        NO_SATOSHIS.map((satoshis) => [{ ...output, satoshis }]),
      ],
      [
        'P2P outputs',
        paymail.p2pDestinationResponse,
        { reference: 'r' },
        'outputs',
        [],
        NO_HEX.map((script) => [{ ...output, script }]),
      ],
      [
        'P2P outputs',
        paymail.p2pDestinationResponse,
        { outputs: [output] },
        'reference',
        ['r', 'r'.repeat(1000)],
        ['', 'r'.repeat(1001), 1, undefined],
      ],
      ['ordinals', paymail.ordinalDestinationRequest, {}, 'ordinals', [1, 20], [0, 21, 1.5, '1', undefined]],
      [
        'ordinals’ scripts',
        paymail.ordinalDestinationResponse,
        { reference: 'r' },
        'outputs',
        [[{ script: SCRIPT }], many(50)],
        [[], many(51), ...NO_HEX.map((script) => [{ script }])],
      ],
      ['metadata', paymail.p2pMetadata, {}, 'note', [null, undefined, 'x'.repeat(100_000)], ['x'.repeat(100_001), 7]],
      [
        'metadata',
        paymail.p2pMetadata,
        {},
        'sender',
        [null, undefined, 'anything', 'x'.repeat(400)],
        ['x'.repeat(401), 7],
      ],
      [
        'metadata',
        paymail.p2pMetadata,
        {},
        'pubkey',
        [null, undefined, 'anything', 'x'.repeat(200)],
        ['x'.repeat(201), 7],
      ],
      [
        'metadata',
        paymail.p2pMetadata,
        {},
        'signature',
        [null, undefined, 'anything', 'x'.repeat(200)],
        ['x'.repeat(201), 7],
      ],
      ['delivery', paymail.receiveTransactionRequest, { reference: 'r' }, 'hex', ['00', '0aFF'], NO_HEX],
      [
        'delivery',
        paymail.receiveTransactionRequest,
        { reference: 'r', hex: '00' },
        'metadata',
        [null, undefined, {}],
        ['', [], { note: 7 }],
      ],
      ['BEEF', paymail.receiveBeefRequest, { reference: 'r' }, 'beef', ['00', '0aFF'], NO_HEX],
      [
        'receipt',
        paymail.receiveResponse,
        {},
        'txid',
        ['aB'.repeat(32)],
        ['ab'.repeat(31), `${'ab'.repeat(32)}0`, ` ${'ab'.repeat(32)}`, 'zz'.repeat(32), null],
      ],
      [
        'receipt',
        paymail.receiveResponse,
        { txid: 'ab'.repeat(32) },
        'note',
        [null, undefined, 'x'.repeat(10_000)],
        ['x'.repeat(10_001), 1],
      ],
      ...(['code', 'message'] as const).map((field): (typeof FIELDS)[number] => [
        'error',
        paymail.paymailError,
        { code: 'c', message: 'm', error: { code: 'c', message: 'm' } },
        field,
        ['x'],
        [1, null, undefined],
      ]),
      [
        'error',
        paymail.paymailError,
        { code: 'c', message: 'm' },
        'error',
        [{ code: 'c', message: 'm' }],
        [{ code: 'c' }, { message: 'm' }, {}, 'c', null, undefined],
      ],
    ];

  test.each(FIELDS)('%s: the form and size of its fields are checked', (_name, schema, whole, field, good, bad) => {
    for (const value of good)
      expect(schema.safeParse({ ...whole, [field]: value }).success, `${field} ${String(value).slice(0, 80)}`).toBe(
        true,
      );
    for (const value of bad)
      expect(schema.safeParse({ ...whole, [field]: value }).success, `${field} ${String(value).slice(0, 80)}`).toBe(
        false,
      );
  });
});
