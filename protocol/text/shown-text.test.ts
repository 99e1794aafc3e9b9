import { describe, expect, test } from 'vitest';
import {
  amountWithName,
  asShownText,
  isShownLine,
  isShownName,
  isShownText,
  isVisible,
  visible,
} from './shown-text.ts';

/** Characters that are invisible, break the line, or change the direction of the following text. */
const UNFIT = [
  ...'\0\t\n\r\x7f\x85\u2028\u2029\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
];
/** Letters from both writing directions, and joiners between emoji and between Indic letters. */
const FIT = [
  '',
  ' ',
  'tea',
  'Bücher',
  'שלום',
  '中文',
  '👩\u200d👩\u200d👧',
  '\u2010\u202f\u2065\u206a\u200d',
  '\u00a0',
];

describe('one line of foreign text', () => {
  test.each(FIT)('%j is shown unchanged', (text) => {
    for (const is of [isShownLine, isShownText]) expect(is(`a${text}b`)).toBe(true);
    expect(asShownText(`a${text}b`)).toBe(`a${text}b`);
  });

  test.each(UNFIT)('%j is rejected', (c) => {
    expect(isShownLine(`a${c}b`)).toBe(false);
    expect(isShownName(`a${c}b`)).toBe(false);
    const isBreak = c === '\n' || c === '\r';
    expect(isShownText(`a${c}b`)).toBe(c === '\n');
    expect(asShownText(`a${c}b${c}c`)).toBe(isBreak ? 'a\nb\nc' : 'a b c');
  });

  test('half a character is rejected, and shown as a replacement character', () => {
    expect([isShownLine('a\ud800'), isShownText('a\ud800'), asShownText('a\ud800b')]).toEqual([
      false,
      false,
      'a\ufffdb',
    ]);
  });
});

test('text may have several lines with any line endings, which are shown as line feeds', () => {
  expect(isShownText('a\nb\r\nc')).toBe(true);
  expect(isShownText('a\nb\u202e\nc')).toBe(false);
  expect(asShownText('a\r\nb\rc\n\nd\u202e')).toBe('a\nb\nc\n\nd ');
});

test('an amount and a name are isolated from each other and from adjacent text', () => {
  expect(amountWithName('5', 'שלום')).toBe('\u20665 \u2068שלום\u2069\u2069');
});

test('a name is empty, or one line with visible characters', () => {
  expect(['', 'Ann', ' Ann', '中'].map(isShownName)).toEqual([true, true, true, true]);
  expect([' ', '\u200b', '\u2800', 'a\nb'].map(isShownName)).toEqual([false, false, false, false]);
});

test.each([...' \u00a0\u3000\u200b\u200d\ufeff\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ue000\n'])(
  '%j is not visible by itself',
  (c) => {
    expect([isVisible(c), isVisible(c + c), isVisible(`${c}a`), isVisible('')]).toEqual([false, false, true, false]);
  },
);

test('invisible characters are spelled out, except line breaks, tabs, and joiners of emoji', () => {
  expect(visible('a\u202eb\u00ad\0\u2028\u2800\u034f')).toBe('a⟨U+202E⟩b⟨U+00AD⟩⟨U+0000⟩⟨U+2028⟩⟨U+2800⟩⟨U+034F⟩');
  expect(visible('\u{e0041}')).toBe('⟨U+E0041⟩');
  expect(visible('a\n\tb 👩\u200d👧 ❤\ufe0f é 中')).toBe('a\n\tb 👩\u200d👧 ❤\ufe0f é 中');
});
