import { expect, test } from 'vitest';
import { amountWithName } from '../text/shown-text.ts';
import { tokenNameOf } from './token-name.ts';

test.each([
  ['GOLD', 'GOLD'],
  ['Garden hours', 'Garden hours'],
  ['  Garden \u00a0\u3000 hours ', 'Garden hours'],
  ['Золото', 'Золото'],
  ['金貨', '金貨'],
  ['🏴\u200d☠\ufe0f gold', '🏴\u200d☠\ufe0f gold'],
  // Digits, signs and units that could be read as part of the amount.
  ['000 GOLD', '“000 GOLD”'],
  ['٣ GOLD', '“٣ GOLD”'],
  ['½', '“½”'],
  ['.5 GOLD', '“.5 GOLD”'],
  ['%', '“%”'],
  ['BSV', '“BSV”'],
  ['usd', '“usd”'],
  ['ＢＳＶ', '“ＢＳＶ”'],
  ['Satoshis', '“Satoshis”'],
  ['A$', '“A$”'],
  ['5” BSV “', '“5’ BSV ’”'],
  // Invisible characters and excessive combining marks.
  ['GO\u200dLD', 'GO⟨U+200D⟩LD'],
  ['GO\u200bLD', 'GO⟨U+200B⟩LD'],
  ['GOLD\ufe0f', 'GOLD⟨U+FE0F⟩'],
  ['GOLD\u202e', 'GOLD⟨U+202E⟩'],
  ['\u0338GOLD', 'GOLD'],
  ['\u0338\u0301GOLD', 'GOLD'],
  ['GO\u0007LD', 'GO⟨U+0007⟩LD'],
  [`G${'\u0301'.repeat(40)}OLD`, 'G\u0301\u0301OLD'],
  // Letters from several scripts in one word.
  ['GОLD', 'G<U+041E>LD'],
  ['❤\ufe0fGОLD', '“<U+2764><U+FE0F>G<U+041E>LD”'],
  ['🙂\u200dGОLD', '“<U+1F642><U+200D>G<U+041E>LD”'],
])('%j is shown as %j', (symbol, name) => {
  expect(tokenNameOf(symbol)).toBe(name);
});

test('an amount keeps its position and its digits next to a right-to-left name', () => {
  expect(amountWithName('5', 'א100')).toBe('\u20665 \u2068א100\u2069\u2069');
});
