import { describe, expect, test } from 'vitest';
import type { Rate } from '../../../protocol/wallet-messages.ts';
import type { CameIn } from '../assets/came-in.ts';
import { notificationOf } from './notification-texts.ts';

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
  ] as const)('says amount, worth, sender and note in %s', (language, title, message) => {
    expect(notificationOf(receipt, rate, language, [])).toEqual({ title: expect.stringMatching(title), message });
  });

  test('speaks the browser’s language by default, in its variant, and English where it knows none of them', () => {
    expect(notificationOf(receipt, null, 'system', ['ja-JP']).title).toBe('0.0246 BSV を受け取りました');
    expect(notificationOf(receipt, null, 'system', ['xx', 'de-CH']).message).toMatch(/^2.460.000 Satoshis/);
    expect(notificationOf(receipt, null, 'system', ['xx']).title).toBe('Received 0.0246 BSV');
  });

  test('names a token by amount and symbol, its digits apart from those of its name; an ordinal, and what is not checked', () => {
    const asset = { type: 'token', id: `${'ab'.repeat(32)}_0`, symbol: 'א100', decimals: 2, units: '123450' } as const;
    const said = (cameIn: CameIn, language: 'en' | 'de' = 'en') =>
      notificationOf({ ...receipt, satoshis: 1n, cameIn }, rate, language, []);
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

  test('shows what a small amount is worth, never zero', () => {
    expect(notificationOf({ ...receipt, satoshis: 1n }, rate, 'en', [])).toMatchObject({
      title: 'Received €0.0000005',
      message: expect.stringMatching(/^1 satoshi\n/),
    });
  });

  test('marks an unverified sender, and leaves out absent fields', () => {
    expect(
      notificationOf(
        { ...receipt, sender: { paymail: 'bob@two.example', verified: false }, note: null },
        null,
        'en',
        [],
      ).message,
    ).toBe('2,460,000 satoshis\nFrom bob@two.example, not confirmed');
    expect(notificationOf({ satoshis: 5n, sender: null, note: null }, null, 'en', []).message).toBe('5 satoshis');
  });

  test('keeps a note on one line, without what hides or turns text; and survives a rate that is none', () => {
    const said = notificationOf(
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
