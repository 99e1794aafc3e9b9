import { describe, expect, it } from 'vitest';
import { keysOf, soughtIn, type Findable } from './search-text.ts';

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

/** What a search means, worked out without a database. */
function finds(search: string, changes: Partial<Findable> = {}): boolean {
  const keys = keysOf({ ...payment, ...changes });
  const sought = soughtIn(search);
  const has = ({ key, isWhole }: { key: string; isWhole: boolean }) =>
    keys.some((one) => (isWhole ? one === key : one.startsWith(key)));
  return sought.length > 0 && sought.every((alternatives) => alternatives.some((all) => all.every(has)));
}

describe('what a search finds', () => {
  it.each([
    ['the payer’s name, by the beginning of each part', ['zo', 'Zoë', 'ZOE', 'bjor', 'lukasz', 'björk-ł', 'łuk zoe']],
    ['the paymail', ['zoe', 'zoe.b@pay', 'zoe.b@pay.example', 'ZOE.B@PAY.EXAMPLE', 'pay.example', 'example']],
    ['the button’s id', ['order', 'order_2026', 'order-2026-1', 'order 17', '17', '2026-17']],
    ['its data', ['INV-0042', 'inv-00', '0042', 'invoice', '"invoice":"INV-0042"', 'table:7']],
    ['the amount', ['12.5', '12.50', '12,50', '$12.50', '12.50$', 'US$12.50', '12.50 $', 'USD 12.50', '12.50usd']],
    ['the satoshis', ['25422500', '25,422,500', '25.422.500', '25 422 500 satoshis', '25’422’500', '25422500 sat']],
    ['digits of other scripts', ['١٢٫٥٠', '１２.５', '२५४२२५००']],
    ['ids, by six digits or more', ['4688d9', '4688D904-3256', '4688d90432564d40', payment.id, 'c0ffee', 'C0FFEE00']],
  ])('%s', (_, searches) => {
    // The no-break space by which some languages write large numbers.
    for (const search of searches) expect(finds(search.replaceAll(/(?<=\d) (?=\d{3})/g, '\u202f')), search).toBe(true);
  });

  it('is not what only looks similar', () => {
    const others = ['oe', 'jork', 'c0ffe', '4688d', '12', '12.51', '1250', '125', 'ord%', 'o_der', 'r*r', 'zoe alice'];
    for (const search of others) expect(finds(search), search).toBe(search === 'ord%');
    expect(finds('1,000', { amount: '1.00', satoshis: 5n })).toBe(false);
    for (const search of ['', ' ', '%', '_', "'", '\\', '--', '.*', '$', '€', '\u200b'])
      expect(soughtIn(search)).toEqual([]);
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
  ])('of %s', (label, found, missing) => {
    for (const search of found) {
      expect(finds(search, { label }), search).toBe(true);
      expect(finds(search.normalize('NFD'), { label: label.normalize('NFD') }), search).toBe(true);
    }
    for (const search of missing) expect(finds(search, { label }), search).toBe(false);
  });

  it('is bounded, however long texts are', () => {
    const long = Array.from({ length: 5_000 }, (_, n) => `${n}`.padEnd(100, 'x')).join('.');
    const keys = keysOf({ ...payment, label: '東'.repeat(200), buttonId: long, buttonData: long, note: long });
    expect(keys.length).toBeLessThan(220);
    expect(Math.max(...keys.map((key) => key.length))).toBe(65);
    expect(finds('zoe', { buttonData: long })).toBe(true);
    // Further words do not narrow what is found; a longer one finds what it begins with.
    expect(soughtIn('a '.repeat(200))).toHaveLength(10);
    expect(soughtIn('a:'.repeat(200)).flat(2).length).toBe(10);
    expect(finds('x'.repeat(400), { label: 'x'.repeat(200) })).toBe(true);
  });

  it('contains nothing that a query of PostgreSQL would understand', () => {
    const every = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).join('');
    for (const text of [every, every.split('').join(' '), every.split('').join('a')])
      for (let at = 0; at < text.length; at += 300)
        for (const { key } of soughtIn(text.slice(at, at + 400)).flat(2))
          expect(key).toMatch(/^[\p{L}\p{M}\p{N}\p{So} .]+$/u);
  });
});
