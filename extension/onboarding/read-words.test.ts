import * as fc from 'fast-check';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { generateMnemonic, validateMnemonic } from '@scure/bip39';
import { describe, expect, test } from 'vitest';
import { isRecoveryWord, readWords, suggestions, tokensOf } from './read-words.ts';
import { languageOfWords } from './word-language.ts';

const PHRASE = 'remind subject simple name truck symbol inject eager erase million puzzle scout';
const words = PHRASE.split(' ');
const listed = (mark: (i: number) => string, end = '\n') => words.map((word, i) => `${mark(i)}${word}`).join(end);

describe('recovery words are read', () => {
  test.each([
    ['with zero-width spaces', words.join('\u200b ')],
    ['with only zero-width spaces between them', words.join('\u200b')],
    ['after a word joiner', `\u2060${PHRASE}`],
    ['after a byte-order mark and marks of direction', `\ufeff\u202a${PHRASE}\u202c`],
    ['with a soft hyphen in a word', PHRASE.replace('truck', 'tr\u00aduck')],
    ['with a control character and a variation selector', `${PHRASE.replace('truck', 'truck\ufe0f')}\u0000`],
    ['with no-break and ideographic spaces', words.join('\u00a0\u3000')],
    [
      'in full-width capitals',
      PHRASE.toUpperCase().replace(/[A-Z]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
    ],
    ['numbered with hyphens', listed((i) => `${i + 1}- `)],
    ['numbered in one line without blanks', listed((i) => `${i + 1}.`, '')],
    ['numbered in parentheses', listed((i) => `(${i + 1}) `)],
    ['numbered with letters', listed((i) => `${'abcdefghijkl'[i]}) `)],
    ['numbered with letters and hyphens', listed((i) => `${'abcdefghijkl'[i]} - `)],
    ['numbered in Roman', listed((i) => `${'i ii iii iv v vi vii viii ix x xi xii'.split(' ')[i]}. `)],
    ['labeled', listed((i) => `Word ${i + 1}: `)],
    ['labeled with No.', listed((i) => `No. ${i + 1} `)],
    ['as list items', listed(() => '• ')],
    ['in curly quotes', `“${words.join('” “')}”`],
    ['in letter apostrophes', `\u02bc${words.join('\u02bc \u02bc')}\u02bc`],
    ['as JSON', JSON.stringify(words)],
    ['with hyphens between them', words.join('-')],
    ['with dashes and slashes', words.join(' – / ')],
    ['hyphenated at the end of a line', PHRASE.replace('million', 'mil-\nlion')],
    ['run together', words.join('')],
    ['run together in some places', PHRASE.replace('simple name', 'simplename')],
    ['with one space in the wrong place', PHRASE.replace('subject simple', 'subjec tsimple')],
  ])('%s', (_, text) => {
    expect(readWords(text).join(' ')).toBe(PHRASE);
  });

  test.each([128, 160, 192, 224, 256])(
    'words of %i bits without spaces are parsed, and never as another valid phrase',
    (bits) => {
      for (let i = 0; i < 20; i += 1) {
        const phrase = generateMnemonic(wordlist, bits);
        const read = readWords(phrase.replaceAll(' ', '')).join(' ');
        // In rare cases, the letters can be split into two valid phrases. Such letters are left unsplit.
        if (read !== phrase) expect(validateMnemonic(read, wordlist), phrase).toBe(false);
        expect(readWords(phrase).join(' ')).toBe(phrase);
      }
    },
  );

  test('words are parsed even if one of them is “word”', () => {
    expect(readWords('1 word 2 word 3 cat')).toEqual(['word', 'word', 'cat']);
  });
});

test('parsing never makes invalid words valid, with or without spaces', () => {
  const wrong = PHRASE.replace('scout', 'zoo');
  expect(readWords(wrong).join(' ')).toBe(wrong);
  expect(validateMnemonic(readWords(wrong.replaceAll(' ', '')).join(' '), wordlist)).toBe(false);
});

test('letters are never added, dropped or moved, in any text of letters and spaces', () => {
  const piece = fc.oneof(fc.constantFrom(...wordlist), fc.constantFrom('xq', 'abou', 'actact', 'zzz'));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom(' ', '', '-\n'), (pieces, between) => {
      expect(readWords(pieces.join(between)).join('')).toBe(pieces.join(''));
    }),
    { numRuns: 200 },
  );
});

test('a long text is rejected immediately', () => {
  const read = readWords('actor'.repeat(20_000));
  expect(read.length).toBe(1);
});

// Test vectors from python-mnemonic and bip39-wordlists.
test.each([
  ['es', 'ajedrez brazo fervor vena mazorca tobillo prole luz dormir barco calcio ira'],
  ['es', 'ábaco ábaco ábaco ábaco ábaco ábaco ábaco ábaco ábaco ábaco ábaco abierto'.normalize('NFC')],
  [
    'ja',
    'あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あおぞら',
  ],
  ['zh-Hans', '的的的的的的的的的的的在'.replaceAll('的', '们')],
  ['zh-Hant', '們們們們們們們們們們們們'],
  ['fr', 'abaisser abandon abdiquer abeille abolir aborder aboutir aboyer abrasif abreuver abriter abroger'],
])('words of the list %s are recognized as such: %s', async (language, text) => {
  expect(await languageOfWords(tokensOf(text))).toBe(language);
});

test('English words, misspelled words and other text are assigned no other language', async () => {
  // The word "abandon" is also in the French list.
  const shared = `${'abandon '.repeat(11)}zzz`;
  for (const text of [PHRASE, PHRASE.replace('truck', 'trukc'), shared, 'lorem ipsum dolor sit amet', ''])
    expect(await languageOfWords(tokensOf(text))).toBeNull();
});

test('suggestions have the same prefix or differ by one mistake', () => {
  expect(suggestions('subj')).toEqual(['subject']);
  expect(suggestions('sbuject')).toEqual(['subject']);
  expect(suggestions('subjct')).toEqual(['subject']);
  expect(suggestions('subjekt')).toEqual(['subject']);
  expect(suggestions('qqqq')).toEqual([]);
  for (const word of suggestions('act')) expect(isRecoveryWord(word)).toBe(true);
});
