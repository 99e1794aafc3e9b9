import { describe, expect, it } from 'vitest';
import { keysOf, parseSearch, type Findable } from './search-text.ts';

const payment: Findable = {
  id: '4688d904-3256-4d40-b4b4-5a9857e0a655',
  txid: 'c0ffee'.padEnd(64, '0'),
  satoshis: 25_422_500n,
  amount: '12.50',
  currency: 'USD',
  currencyRate: '49.17',
  usdRate: '49.17',
  senderPaymail: 'zoe.b@pay.example',
  senderName: 'Zoë Björk-Łukasz',
  label: null,
  buttonId: 'order_2026-17',
  buttonData: '{"invoice":"INV-0042","table":7}',
  note: null,
};

function finds(search: string, changes: Partial<Findable> = {}): boolean {
  const keys = keysOf({ ...payment, ...changes });
  const sought = parseSearch(search);
  const has = ({ key, isWhole }: { key: string; isWhole: boolean }) =>
    keys.some((one) => (isWhole ? one === key : one.startsWith(key)));
  return sought.length > 0 && sought.every((alternatives) => alternatives.some((all) => all.every(has)));
}

describe('matching search terms', () => {
  it.each([
    ['the payer’s name, by the beginning of each part', ['zo', 'Zoë', 'ZOE', 'bjor', 'lukasz', 'björk-ł', 'łuk zoe']],
    ['the paymail', ['zoe', 'zoe.b@pay', 'zoe.b@pay.example', 'ZOE.B@PAY.EXAMPLE', 'pay.example', 'example']],
    ['the button’s id', ['order', 'order_2026', 'order-2026-1', 'order 17', '17', '2026-17', '2026\u00a017']],
    ['its data', ['INV-0042', 'inv-00', '0042', 'invoice', '"invoice":"INV-0042"', 'table:7']],
    ['the amount', ['12.5', '12.50', '12,50', '$12.50', '12.50$', 'US$12.50', '12.50 $', 'USD 12.50', '12.50usd']],
    ['the satoshis', ['25422500', '25,422,500', '25.422.500', '25 422 500 satoshis', '25’422’500', '25422500 sat']],
    ['digits of other scripts', ['١٢٫٥٠', '１２.５', '२५४२२५००']],
    [
      'ids, by six digits or more',
      ['4688d9', '4688D904-3256', '4688d90432564d40', payment.id, 'c0ffee', 'C0FFEE00', payment.txid],
    ],
  ])('matches %s', (_, searches) => {
    // Some languages use narrow no-break spaces as thousands separators.
    for (const search of searches) expect(finds(search.replaceAll(/(?<=\d) (?=\d{3})/g, '\u202f')), search).toBe(true);
  });

  it('ignores text that merely looks similar', () => {
    const others = ['oe', 'jork', 'c0ffe', '4688d', '12', '12.51', '1250', '125', 'ord%', 'o_der', 'r*r', 'zoe alice'];
    for (const search of others) expect(finds(search), search).toBe(search === 'ord%');
    for (const search of [
      '4688da',
      'deadbeef',
      `${payment.txid}0`,
      `1${'0'.repeat(21)}12.50`,
      `zoe${' '.repeat(20)}alice`,
    ])
      expect(finds(search), search).toBe(false);
    expect(finds('1,000', { amount: '1.00', satoshis: 5n })).toBe(false);
    for (const search of ['', ' ', '%', '_', "'", '\\', '--', '.*', '$', '€', '\u200b'])
      expect(parseSearch(search)).toEqual([]);
  });

  it.each([
    [
      '東京駅の記事を読む',
      ['東京', '記事', '読む', '京駅の記事', '東京駅の記事を読む', '東京 記事'],
      ['京都', '記東', '読ま'],
    ],
    ['ｶﾞｲﾄﾞとコーヒー', ['ガイド', 'コーヒー', 'ヒー', 'ガ'], ['カイト']],
    ['اِشترِ المقالةَ الأولى', ['اشتر', 'المقالة', 'الاولى', 'الأولى', 'المقـــالة'], ['مقالة']],
    ['Статья Ёлка', ['стат', 'СТАТЬЯ', 'ёл'], ['татья']],
    ['ΟΔΟΣ Άγιος', ['οδος', 'οδοσ', 'αγιοσ'], ['γιος']],
    ['İstanbul straße ﬁne', ['istanbul', 'STRASSE', 'straße', 'fine'], ['asse']],
    ['บทความใหม่', ['บทความ', 'ใหม่', 'ความ'], ['กก']],
    ['한국어 기사', ['한국', '기사'], ['국어']],
    ['हिन्दी लेख', ['हिन्दी', 'लेख'], ['न्दी']],
    ['Coffee ☕️', ['☕', 'coff'], ['🍵']],
    ['soft\u00adhyphen \u202eRTL', ['softhyphen', 'rtl'], ['hyphen']],
  ])('matches words of %s', (label, found, missing) => {
    for (const search of found) {
      expect(finds(search, { label }), search).toBe(true);
      expect(finds(search.normalize('NFD'), { label: label.normalize('NFD') }), search).toBe(true);
    }
    for (const search of missing) expect(finds(search, { label }), search).toBe(false);
  });

  it('matches the amount that pages show, exact or rounded, not the one that the payer stated', () => {
    const said = { amount: '99.00', satoshis: 246_913n, currencyRate: '50', usdRate: '49' };
    for (const search of ['99', '99.0', '0.1234565', '0.12', '0,12 USD', '246913'])
      expect(finds(search, said), search).toBe(true);
    expect(finds('0.1', said)).toBe(false);
    // If the currency's rate is unknown, amounts are in USD if the USD rate is known, otherwise in BSV.
    const [inUsd, inBsv] = [
      { ...said, currency: 'XTS', currencyRate: null },
      { ...said, currencyRate: null, usdRate: null },
    ];
    expect([finds('0.12', inUsd), finds('0.12', inBsv), finds('0.00246913', inBsv)]).toEqual([true, false, true]);
    // A unit without an amount is searched for as a word.
    expect(finds('sats', { label: 'Sats for all' })).toBe(true);
  });

  it('stores the beginnings of words and searches for every meaning of a term', () => {
    const bare = { senderPaymail: null, senderName: null, buttonId: null, buttonData: null };
    const wordsOf = (label: string) =>
      keysOf({ ...payment, ...bare, label }).flatMap((key) => (key.startsWith('w') ? [key.slice(1)] : []));
    expect(wordsOf('Order-17 東-ก่')).toEqual(['usd', 'order 17', '17', '東 ก่', 'ก่']);
    const key = (text: string, isWhole = false) => [{ key: text, isWhole }];
    expect(parseSearch('1,234')).toEqual([[[...key('w1'), ...key('w234')], key('a1234', true), key('a1.234', true)]]);
    expect(parseSearch('ab-cd-ef')).toEqual([[key('wab cd ef'), key('xabcdef')]]);
    expect(parseSearch('a'.repeat(65))).toEqual([[key(`w${'a'.repeat(40)}`)]]);
  });

  it('reads digits of every script in Unicode', () => {
    for (let code = 0; code <= 0x10_ffff; code += 1) {
      const digit = String.fromCodePoint(code);
      if (!/\p{Nd}/u.test(digit)) continue;
      const [word] = parseSearch(digit).flat(2);
      expect(word?.key, code.toString(16)).toMatch(/^w[0-9]$/);
    }
    // Thai, Tibetan and Adlam digits, mathematical digits (five consecutive sets), and the second set of Karen digits.
    expect(parseSearch('๙༣𞥕𝟗𝟘𝟿').flat(2)[0]).toEqual({ key: 'w935909', isWhole: false });
    const karen = Array.from({ length: 10 }, (_, i) => String.fromCodePoint(0x116da + i)).join('');
    expect(finds(karen, { buttonId: 'order-0123456789' })).toBe(true);
  });

  it('limits the keys of long texts', () => {
    const words = Array.from({ length: 300 }, (_, n) => `w${n}`).join(' ');
    expect(keysOf({ ...payment, label: words }).filter((key) => key.startsWith('w'))).toHaveLength(200);
    expect([1_995, 1_996].map((n) => finds('late', { label: `${'x'.repeat(n)} late` }))).toEqual([true, false]);
    const long = Array.from({ length: 5_000 }, (_, n) => `${n}`.padEnd(100, 'x')).join('.');
    const keys = keysOf({ ...payment, label: '東'.repeat(200), buttonId: long, buttonData: long, note: long });
    expect(keys.length).toBeLessThan(220);
    expect(Math.max(...keys.map((key) => key.length))).toBe(65);
    expect(finds('zoe', { buttonData: long })).toBe(true);
    expect(parseSearch('a '.repeat(200))).toHaveLength(10);
    expect(parseSearch('a:'.repeat(200)).flat(2).length).toBe(10);
    expect(finds('x'.repeat(400), { label: 'x'.repeat(200) })).toBe(true);
  });

  it('creates keys without PostgreSQL query syntax', () => {
    const every = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).join('');
    for (const text of [every, every.split('').join(' '), every.split('').join('a')])
      for (let at = 0; at < text.length; at += 300)
        for (const { key } of parseSearch(text.slice(at, at + 400)).flat(2))
          expect(key).toMatch(/^[\p{L}\p{M}\p{N}\p{So} .]+$/u);
  });
});
