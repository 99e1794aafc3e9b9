/** What the methods of the wallet's windows take and refuse, at the exact bounds. */
import { expect, test } from 'vitest';
import { MAX_GROUPED, MAX_NOTE_LENGTH, MAX_OUTPUTS, MAX_PAYMAIL } from '../limits.ts';
import {
  also,
  BOOLEAN,
  looseParts,
  oneOf,
  orNone,
  orNull,
  text,
  unexpected,
  whole,
  type Kind,
} from '../testing-fields.ts';
import { WALLET_WINDOWS, walletMethods, type WalletMethod, type WalletWindow } from './methods.ts';
import { LEAST } from './testing-parameters.ts';

const METHODS = Object.keys(LEAST) as WalletMethod[];

test('each method is of some window, and none is of anything else', () => {
  const lost = METHODS.filter((method) => {
    const callers: readonly WalletWindow[] = walletMethods[method].callers;
    return callers.length === 0 || !callers.every((name) => WALLET_WINDOWS.includes(name));
  });
  expect(lost).toEqual([]);
});

test.each(METHODS)('%s takes no less than it needs, and nothing that it does not know', (method) => {
  const { params } = walletMethods[method];
  expect(params.safeParse(LEAST[method]).data).toEqual(LEAST[method]);
  expect(looseParts(params, LEAST[method])).toEqual([]);
  for (const other of [null, [], 'x', 5, undefined]) expect(params.safeParse(other).success).toBe(false);
});

const PASSWORD = text(1, 1000);
const WORDS = text(1, 500);
const HANDLE = text(0, 100);
const NOTE = text(0, MAX_NOTE_LENGTH);
const MONEY = text(1, 40);
const RECIPIENT = text(1, 20_000);
const ORIGIN = text(0, 2000);
const INTERFACE = orNull(text(0, 500));
const ROW = text(1, 100);
const TIME = whole(0);
const CONTACT = text(1, 2000);
const BLOCK_HOURS: Kind = [
  [1, 24],
  [0, 2, 23, 25, '1'],
];
const ID = also(text(16, 64), ['Az09_-Az09_-Az09'], [`${'x'.repeat(16)}\n`, 'x'.repeat(16) + '/', 'ä'.repeat(16)]);
const REQUEST_ID = also(text(8, 64), ['Az09_-Az'], ['xxxxxxxx\n', 'xxxxxxxx/', 'ä'.repeat(8)]);
const PASSKEY_ID = also(text(1, 1364), ['Az09_-'], ['x=', 'x+', 'x\n', ' x']);
const bytes = (length: number, byte: unknown = 0) => Array.from({ length }, () => byte);
const PASSKEY_OUTPUT: Kind = [
  [bytes(32), bytes(32, 255)],
  [bytes(31), bytes(33), ...[-1, 256, 0.5, '0', null].map((byte) => bytes(32, byte)), 'x'.repeat(32), { length: 32 }],
];
const SALT = also(text(43, 43), [`${'Az09_-'.repeat(7)}x`], [`${'x'.repeat(42)}=`, `${'x'.repeat(43)}\n`]);
const SATOSHIS: Kind = [
  ['0', '9', '9'.repeat(16)],
  ['', '1'.repeat(17), '-1', '+1', '1.5', '1 ', ' 1', '0x1', '1e3', '1\n', 1],
];
const CURRENCY: Kind = [
  ['USD', 'BSV', 'SATS', 'ABCDE'],
  ['', 'US', 'ABCDEF', 'usd', 'US1', ' USD', 'USD\n', 5],
];
const TXID = 'ab'.repeat(32);
const ASSET: Kind = [
  ['0', '1', '10', '9'.repeat(10)].map((vout) => `${TXID}_${vout}`),
  [
    ...['', '_', '_00', '_01', '_-1', '.0', '_0 ', '_0\n', '_a', `_${'9'.repeat(11)}`].map((end) => TXID + end),
    `${TXID.slice(1)}_0`,
    `a${TXID}_0`,
    `${TXID.toUpperCase()}_0`,
    `${TXID.slice(1)}g_0`,
    5,
  ],
];
const RATE: Kind = [
  [null, { price: '50', dollar: '50' }, { price: 'x'.repeat(40), dollar: 'x'.repeat(40) }],
  [
    undefined,
    {},
    { price: '50' },
    { dollar: '50' },
    { price: '50', dollar: '50', other: 1 },
    { price: '', dollar: '50' },
    { price: '50', dollar: '' },
    { price: 'x'.repeat(41), dollar: '50' },
    { price: '50', dollar: 'x'.repeat(41) },
    '50',
  ],
];
const PERIOD = oneOf('day', 'week', 'month');
const RECIPIENTS: Kind = (() => {
  const [all, some] = [null, '1'].map((amount) => ({ to: 'a', amount, currency: 'BSV' }));
  const many = (n: number) => Array.from({ length: n }, () => some);
  return [
    [[all], [some], [all, some], many(MAX_OUTPUTS)],
    // All that is left goes to one of them.
    [[], [all, all], [all, some, all], many(MAX_OUTPUTS + 1), all, {}],
  ];
})();
const [OUTPUT] = LEAST['send/pay'].outputs;
const OUTPUTS: Kind = [
  [[OUTPUT], Array(MAX_OUTPUTS).fill(OUTPUT)],
  [[], Array(MAX_OUTPUTS + 1).fill(OUTPUT), OUTPUT, {}],
];
const GRANT: Kind = (() => {
  const terms = { amount: '1', currency: 'USD', period: 'day', perPayment: null, rate: null };
  return [
    [terms, { ...terms, perPayment: '1', rate: { price: '1', dollar: '1' } }],
    [
      {},
      { ...terms, other: 1 },
      { ...terms, amount: '' },
      ...Object.keys(terms).map((name) => ({ ...terms, [name]: undefined })),
    ],
  ];
})();
const PERMITTED: Kind = [
  [[], [0], [Number.MAX_SAFE_INTEGER], Array(MAX_GROUPED).fill(1)],
  [[-1], [0.5], ['0'], [null], Array(MAX_GROUPED + 1).fill(1), 0, {}],
];

/** Rows of the activity are chosen alike for the list and for the export. */
const filter = (method: WalletMethod): [WalletMethod, string, Kind][] => [
  [method, 'search', orNone(text(0, 100))],
  [method, 'direction', orNone(oneOf('sent', 'received'))],
  [method, 'status', orNone(oneOf('PENDING', 'RECEIVED', 'COMPLETED', 'FAILED'))],
  [method, 'from', orNone(TIME)],
  [method, 'to', orNone(TIME)],
  [
    method,
    'before',
    orNone([
      [`0/a`, `${'9'.repeat(16)}/${'x'.repeat(80)}`, '1/Az09-'],
      ['', '1', '1/', '/a', `${'9'.repeat(17)}/a`, `1/${'x'.repeat(81)}`, '-1/a', '1/a/b', '1/a_b', ' 1/a', '1/a\n', 5],
    ]),
  ],
];

const FIELDS: [WalletMethod, path: string, Kind][] = [
  ['vault/check-words', 'words', WORDS],
  ['vault/create', 'words', WORDS],
  ['vault/create', 'password', PASSWORD],
  ['vault/create', 'restored', BOOLEAN],
  ['vault/unlock', 'password', PASSWORD],
  ['vault/unlock-with-passkey', 'id', PASSKEY_ID],
  ['vault/unlock-with-passkey', 'output', PASSKEY_OUTPUT],
  ['passkeys/add', 'password', PASSWORD],
  ['passkeys/add', 'id', PASSKEY_ID],
  ['passkeys/add', 'salt', SALT],
  ['passkeys/add', 'name', text(1, 60)],
  ['passkeys/add', 'output', PASSKEY_OUTPUT],
  ['passkeys/remove', 'id', PASSKEY_ID],
  ['vault/check-password', 'password', PASSWORD],
  ['vault/show-words', 'password', PASSWORD],
  ['vault/change-password', 'password', PASSWORD],
  ['vault/change-password', 'newPassword', PASSWORD],
  ['vault/remove', 'password', orNull(PASSWORD)],
  ['vault/remove', 'leaving', whole(0)],
  ['account/check-handle', 'handle', HANDLE],
  ['account/register', 'handle', HANDLE],
  ['account/register', 'name', HANDLE],
  ['connections/remove', 'id', [[], ['', 'x', TXID, `${LEAST['connections/remove'].id}0`, 5]]],
  ['wallet/refresh', 'all', orNone(BOOLEAN)],
  ['wallet/faucet', 'satoshis', whole(1, 100_000_000)],
  ['activity/list', 'limit', whole(1, 100)],
  ...filter('activity/list'),
  ...filter('activity/export'),
  ['activity/read', 'id', ROW],
  ['activity/cancel', 'id', ROW],
  ['activity/cancel', 'feeSatoshis', SATOSHIS],
  ['activity/note', 'id', ROW],
  ['activity/note', 'note', NOTE],
  ['contacts/save', 'id', orNull(CONTACT)],
  ['contacts/save', 'to', text(1, MAX_PAYMAIL)],
  ['contacts/save', 'name', also(text(1, 60), [], [' '])],
  ['contacts/remove', 'id', CONTACT],
  ['send/quote', 'recipients', RECIPIENTS],
  ['send/quote', 'recipients.0.to', RECIPIENT],
  ['send/quote', 'recipients.0.amount', orNull(MONEY)],
  ['send/quote', 'recipients.0.currency', CURRENCY],
  ['send/pay', 'requestId', REQUEST_ID],
  ['send/pay', 'outputs', OUTPUTS],
  ['send/pay', 'outputs.0.type', oneOf('ADDRESS', 'SCRIPT', 'PAYMAIL', 'USER')],
  ['send/pay', 'outputs.0.to', RECIPIENT],
  ['send/pay', 'outputs.0.amount', MONEY],
  ['send/pay', 'outputs.0.currency', CURRENCY],
  ['send/pay', 'outputs.0.satoshis', SATOSHIS],
  ['send/pay', 'feeSatoshis', SATOSHIS],
  ['send/pay', 'time', TIME],
  ['send/pay', 'note', orNone(NOTE)],
  ['assets/content', 'outpoint', ASSET],
  ['assets/quote', 'to', RECIPIENT],
  ['assets/quote', 'asset.ordinal', ASSET],
  [
    'assets/quote',
    'asset',
    [
      ['', '1.5', 'x'.repeat(40)].map((amount) => ({ token: `${TXID}_0`, amount })),
      [
        {},
        ...['x'.repeat(41), 1, null, undefined].map((amount) => ({ token: `${TXID}_0`, amount })),
        ...ASSET[1].map((token) => ({ token, amount: '1' })),
        { token: `${TXID}_0`, amount: '1', other: 1 },
        { token: `${TXID}_0`, amount: '1', ordinal: `${TXID}_0` },
        { token: `${TXID}_0`, units: '1' },
      ],
    ],
  ],
  ['assets/send', 'requestId', REQUEST_ID],
  ['assets/send', 'to', RECIPIENT],
  ['assets/send', 'feeSatoshis', SATOSHIS],
  ['assets/send', 'asset.ordinal', ASSET],
  [
    'assets/send',
    'asset',
    [
      ['1', '10', '9'.repeat(20)].map((units) => ({ token: `${TXID}_0`, units })),
      [
        {},
        ...['', '0', '01', '-1', '1.5', '1'.repeat(21), ' 1', '1\n', 1, undefined].map((units) => ({
          token: `${TXID}_0`,
          units,
        })),
        ...ASSET[1].map((token) => ({ token, units: '1' })),
        { token: `${TXID}_0`, units: '1', other: 1 },
        { token: `${TXID}_0`, units: '1', ordinal: `${TXID}_0` },
        { token: `${TXID}_0`, amount: '1' },
      ],
    ],
  ],
  ['assets/index', 'url', INTERFACE],
  ['avatars/kept', 'paymail', text(1, MAX_PAYMAIL)],
  ['avatars/fetch', 'paymail', text(1, MAX_PAYMAIL)],
  ['approval/read', 'approvalId', ID],
  ['approval/decide', 'approvalId', ID],
  ['approval/decide', 'decision', oneOf('pay', 'grant', 'sign', 'mint', 'permit', 'unlock', 'refuse')],
  ['approval/decide', 'feeSatoshis', orNone(SATOSHIS)],
  ['approval/decide', 'grant', orNone(GRANT)],
  ['approval/decide', 'permitted', orNone(PERMITTED)],
  ['approval/decide', 'blockHours', orNone(BLOCK_HOURS)],
  ['sites/change', 'token', ID],
  ['sites/change', 'amount', MONEY],
  ['sites/change', 'period', PERIOD],
  ['sites/change', 'perPayment', orNull(MONEY)],
  ['sites/change', 'rate', RATE],
  ['sites/change', 'currency', [[], ['USD']]],
  ['sites/rate', 'currency', CURRENCY],
  ['sites/revoke', 'token', ID],
  ['sites/forbid', 'origin', ORIGIN],
  ['sites/forbid', 'name', orNull(text(0, 1000))],
  ['sites/block', 'origin', ORIGIN],
  ['sites/block', 'hours', orNull(BLOCK_HOURS)],
  ['sites/end', 'origin', ORIGIN],
  ['sites/unblock', 'origin', ORIGIN],
  ['swipes/change', 'amount', MONEY],
  ['swipes/change', 'currency', CURRENCY],
  ['swipes/change', 'perPayment', also(MONEY, [], [null])],
  ['swipes/change', 'rate', RATE],
  ['swipes/change', 'period', [[], ['day']]],
  ['settings/change', 'currency', orNone(CURRENCY)],
  ['settings/change', 'lockAfterMinutes', orNone(whole(1, 24 * 60))],
  ['settings/change', 'theme', orNone(oneOf('system', 'light', 'dark'))],
  ['settings/change', 'language', orNone(oneOf('system', 'en', 'de', 'es', 'fr', 'pt', 'ja', 'ar'))],
  ['settings/change', 'notify', orNone(BOOLEAN)],
  ['settings/change', 'singleKeys', orNone(BOOLEAN)],
  ['settings/change', 'serviceUrl', orNone(text(0, 2000))],
  ['settings/change', 'noAccount', orNone(BOOLEAN)],
  ['app-data/restore', 'file', text(0, 40_000_000)],
  ['network/choose', 'network', oneOf('devnet', 'testnet', 'mainnet')],
  ['network/choose', 'arcUrl', INTERFACE],
  ['network/choose', 'wocUrl', INTERFACE],
];

test.each(FIELDS)('%s: %s is taken as it is, within its bounds', (method, path, kind) => {
  expect(unexpected(walletMethods[method].params, LEAST[method], path, kind)).toEqual([]);
});

test('a contact’s name has no spaces around it, which do not count', () => {
  const contact = LEAST['contacts/save'];
  const { data } = walletMethods['contacts/save'].params.safeParse({ ...contact, name: ` ${'x'.repeat(60)} ` });
  expect(data).toEqual({ ...contact, name: 'x'.repeat(60) });
});
