import { describe, expect, test } from 'vitest';
import type { Rate } from '../../protocol/messages/wallet-messages.ts';
import { LANGUAGE_CODES } from '../../protocol/languages.ts';
import type { ReceivedAsset } from '../assets/came-in.ts';
import { moreReceived, notificationOf } from './notification-texts.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const rate: Rate = { currency: 'EUR', price: '50', time: 0, sources: 2 };
const receipt = { satoshis: 2_460_000n, sender: { paymail: 'bob@two.example', verified: true }, note: 'Danke' };

describe('a notification', () => {
  test.each([
    ['en', /^Received €1\.23$/, '2,460,000 satoshis\nFrom bob@two.example\nDanke'],
    ['de', /^1,23\s€ empfangen$/, '2.460.000 Satoshis\nVon bob@two.example\nDanke'],
    [
      'ar',
      /^تم استلام \u2066[€\s]*1\.23[€\s]*\u2069$/,
      '\u20662,460,000\u2069 ساتوشي\nمن \u2066bob@two.example\u2069\nDanke',
    ],
  ] as const)('a notification has amount, value, sender and note in %s', (language, title, message) => {
    expect(notificationOf(wallet, receipt, rate, language, [])).toEqual({
      title: expect.stringMatching(title),
      message,
    });
  });

  test('the default is the browser’s language in its regional variant, or else English', () => {
    expect(notificationOf(wallet, receipt, null, 'system', ['ja-JP']).title).toBe('0.0246 BSV を受け取りました');
    expect(notificationOf(wallet, receipt, null, 'system', ['xx', 'de-CH']).message).toMatch(/^2.460.000 Satoshis/);
    expect(notificationOf(wallet, receipt, null, 'system', ['xx']).title).toBe('Received 0.0246 BSV');
  });

  test('a token has its amount and symbol, isolated from each other; an ordinal and an unchecked token have neither', () => {
    const asset = { type: 'token', id: `${'ab'.repeat(32)}_0`, symbol: 'א100', decimals: 2, units: '123450' } as const;
    const said = (cameIn: ReceivedAsset, language: 'en' | 'de' = 'en') =>
      notificationOf(wallet, { ...receipt, satoshis: 1n, cameIn }, rate, language, []);
    expect(said({ asset, word: 'chain' })).toEqual({
      title: 'Received \u20661,234.5 \u2068א100\u2069\u2069',
      message: 'From bob@two.example\nDanke',
    });
    expect(said({ asset, word: 'index' }, 'de')).toEqual({
      title: '\u20661.234,5 \u2068א100\u2069\u2069 empfangen',
      message: 'Nur laut Index\nVon bob@two.example\nDanke',
    });
    expect(said({ asset: { ...asset, symbol: null }, word: 'chain' }).title).toContain('abababab…');
    expect(said({ asset: { type: 'ordinal', outpoint: '', contentType: 'text/html' }, word: 'chain' }).title).toBe(
      'Received an ordinal',
    );
    expect(said({ claim: 'unchecked' })).toMatchObject({
      title: 'Received a token',
      message: expect.stringMatching(/^Not checked yet/),
    });
  });

  test('a small amount has its value, never zero', () => {
    expect(notificationOf(wallet, { ...receipt, satoshis: 1n }, rate, 'en', [])).toMatchObject({
      title: 'Received €0.0000005',
      message: expect.stringMatching(/^1 satoshi\n/),
    });
  });

  test.each([
    [1_000_000n, 'EUR', '50', '€0.50'],
    [30_000n, 'EUR', '50', '€0.015'],
    [2_460_000n, 'JPY', '5000', '¥123'],
    [2000n, 'JPY', '5000', '¥0.1'],
    [2400n, 'JPY', '5000', '¥0.12'],
    [1n, 'EUR', '0.02', '€0.0000000002'],
    [2_460_000n, 'BSV', '1', '0.0246 BSV'],
  ])('the value of %i satoshis in %s at %s has at least two digits', (satoshis, currency, price, worth) => {
    expect(notificationOf(wallet, { ...receipt, satoshis }, { ...rate, currency, price }, 'en', []).title).toBe(
      `Received ${worth}`,
    );
  });

  test('numbers follow the regional variant of the browser’s language, always with the digits 0 to 9', () => {
    const whole = (language: 'de' | 'ar', languages: string[]) =>
      notificationOf(wallet, receipt, null, language, languages).message.split('\n')[0];
    expect(whole('de', ['en-US', 'de-CH', 'de'])).toMatch(/^2['’]460['’]000 Satoshis$/);
    expect(whole('de', ['en-US'])).toBe('2.460.000 Satoshis');
    expect(whole('ar', ['ar-EG'])).toContain('2,460,000');
  });

  test('an unverified sender is marked, and missing fields are omitted', () => {
    expect(
      notificationOf(
        wallet,
        { ...receipt, sender: { paymail: 'bob@two.example', verified: false }, note: null },
        null,
        'en',
        [],
      ).message,
    ).toBe('2,460,000 satoshis\nFrom bob@two.example, not confirmed');
    expect(notificationOf(wallet, { satoshis: 5n, sender: null, note: null }, null, 'en', []).message).toBe(
      '5 satoshis',
    );
  });

  test('a note is one line without hidden or bidirectional characters, and an invalid rate is ignored', () => {
    const said = notificationOf(
      wallet,
      { ...receipt, note: 'pay\u202e 5\nFrom alice@one.example\u2028x\u200b' },
      { ...rate, price: 'x' },
      'en',
      [],
    );
    expect(said).toEqual({
      title: 'Received 0.0246 BSV',
      message: '2,460,000 satoshis\nFrom bob@two.example\npay  5 From alice@one.example x',
    });
  });
});

describe.each(LANGUAGE_CODES)('a notification in %s', (language) => {
  const token = { type: 'token', id: `${'ab'.repeat(32)}_0`, symbol: 'GOLD', decimals: 18, units: '1' } as const;
  const said = (more: object = {}) => notificationOf(wallet, { ...receipt, ...more }, null, language, []);
  const lines = (more?: object) => said(more).message.split('\n');
  const tokens = (word: 'chain' | 'index') => said({ cameIn: { asset: token, word } });

  test('all content appears, with words around the numbers and the names', () => {
    const [whole = '', from = '', note] = lines();
    expect(said().title).toMatch(/(?:\p{L}.*0[.,]0246.BSV|0[.,]0246.BSV.*\p{L})/u);
    expect(whole).toMatch(/2\D?460\D?000\D* \p{L}+$/u);
    expect(from).toMatch(/\p{L}+.*bob@two\.example/u);
    expect(note).toBe('Danke');
    const claimed = lines({ sender: { ...receipt.sender, verified: false } })[1]!;
    expect(claimed).toMatch(/\p{L}+.*bob@two\.example\P{L}+\p{L}+/u);
    expect(claimed.startsWith(from)).toBe(true);
    expect(lines({ sender: null, note: null })).toEqual([whole]);
  });

  test('one satoshi is singular', () => {
    expect(lines({ satoshis: 1n })[0]).toMatch(/^\P{L}*1\P{L}*\p{L}+$/u);
    expect(said({ satoshis: 1n }).title).toMatch(/0[.,]00000001.BSV/u);
  });

  test('an asset other than money is described as such', () => {
    const ordinal = { asset: { type: 'ordinal', outpoint: '', contentType: '' }, word: 'chain' };
    const claim = (kind: 'unchecked' | 'forged') => said({ cameIn: { claim: kind } });
    const all = [
      said({ cameIn: ordinal }),
      claim('unchecked'),
      tokens('chain'),
      moreReceived(wallet, language, []),
      said(),
    ];
    expect(new Set(all.map(({ title }) => title)).size).toBe(5);
    // A title must contain words other than the verb.
    const verb = said().title.replace(/\P{L}*0[.,]0246.BSV\P{L}*/u, '');
    for (const { title } of all) expect(title.replace(verb, '')).toMatch(/\p{L}/u);
    expect(tokens('chain').title).toMatch(/0[.,]0{17}1/u);
    const [warning, ...others] = claim('unchecked').message.split('\n');
    const [byIndex, ...rest] = tokens('index').message.split('\n');
    for (const line of [warning, byIndex, moreReceived(wallet, language, []).message]) expect(line).toMatch(/\p{L}/u);
    expect([others, rest, tokens('chain').message.split('\n')]).toEqual(Array(3).fill(lines().slice(1)));
  });
});
