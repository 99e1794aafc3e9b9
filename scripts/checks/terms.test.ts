/** Tests that the UI strings of the button, the wallet and the service use the terms in docs/terms.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { nativeName } from '../../protocol/catalog.ts';
import { LANGUAGE_CODES } from '../../protocol/languages.ts';
import { PRODUCT_NAME } from '../../protocol/text/product.ts';
import { translatedTexts, type Translated } from '../../tooling/translations.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Returns the rows of the table in terms.md whose header begins with `first`. */
function rows(first: string): string[][] {
  const after = read('docs/terms.md').split(`\n| ${first} |`)[1] ?? '';
  return (after.split('\n\n')[0] ?? '')
    .split('\n')
    .slice(2)
    .filter(Boolean)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** The languages of the table's columns. The column headers are the languages' own names. */
const [, ...HEADS] = (/^\| English \|.*$/m.exec(read('docs/terms.md'))?.[0] ?? '').split('|').slice(1, -1);
const CODES = HEADS.map((head) => LANGUAGE_CODES.find((code) => nativeName(code) === head.trim()) ?? head);
const meanings = rows('term');
const terms = rows('English').map(([english = '', ...others]) => ({
  english,
  forms: Object.fromEntries(CODES.map((code, i) => [code, (others[i] ?? '').toLowerCase().split(' / ')])),
}));
const replaced = rows('instead of').map(([instead = '']) => instead);

const word = (words: string, flags: string) => new RegExp(`(?<![\\p{L}-])(?:${words})(?![\\p{L}-])`, flags);

/** Calls a text function with suitable parameters: numbers, names or a list. */
function called(text: (...given: unknown[]) => unknown): string {
  for (const given of [
    [2, 3, 4],
    ['2', 'day', '4'],
    ['mainnet'],
    [[2, 3], 4],
    [(name: string) => name, (name: string) => name],
  ]) {
    try {
      const said = String(text(...given));
      if (!said.includes('undefined')) return said;
    } catch {
      // tries other parameters
    }
  }
  throw new Error(`Nothing that this function takes is known here: ${String(text)}`);
}

/** Returns every UI string by its path, without direction marks, word breaks, the product's name and inserted names. */
function flat(table: unknown, place = ''): [string, string][] {
  if (typeof table === 'string' || typeof table === 'function') {
    const said = typeof table === 'string' ? table : called(table as () => unknown);
    return [
      [
        place,
        said
          .replaceAll(/[\u00AD\u2066-\u2069]/g, '')
          .replaceAll(PRODUCT_NAME, '')
          .replaceAll(/\{\w+\}/g, ''),
      ],
    ];
  }
  return Object.entries(table as object).flatMap(([key, value]) => flat(value, `${place}.${key}`));
}

let translated: Translated[];
let english: [string, string][];

beforeAll(async () => {
  // The table might not have a column for a language.
  translated = (await translatedTexts()).filter(({ code }) => code === 'en' || CODES.includes(code));
  english = [...new Set(translated.map((one) => one.english))].flatMap((table) => flat(table));
});

test('every term has a meaning, and a translation in every language', () => {
  expect(LANGUAGE_CODES).toEqual(expect.arrayContaining(CODES));
  expect(terms.length).toBeGreaterThan(20);
  expect(terms.map((term) => term.english)).toEqual(meanings.map(([term]) => term));
  for (const [, meaning] of meanings) expect(meaning).toMatch(/\p{L}{3}/u);
  for (const { english: term, forms } of terms) {
    for (const code of CODES) expect(forms[code]?.every(Boolean), `${term} (${code})`).toBe(true);
  }
});

/** Terms that some languages, especially Japanese, omit if they are a sentence's subject. */
const SAID_OTHERWISE = new Set(['wallet']);
/** UI strings that must fit below a step's dot in the onboarding, or on one line of the button. */
const NARROW = / \.onboarding\.steps\.|^page-script\S* \.errors\./;

test.each(terms)('$english: each language uses its own term wherever English does', ({ english: term, forms }) => {
  const said = word(`${term}s?`, 'iu');
  expect(english.some(([, text]) => said.test(text))).toBe(true);
  const unused = new Set(CODES.flatMap((code) => forms[code]?.map((form) => `${code}: ${form}`)));
  const others: string[] = [];
  for (const { file, code, english: table, translation } of translated.filter((one) => one.code !== 'en')) {
    const own = new Map(flat(translation).map(([place, text]) => [place, text.toLowerCase()]));
    for (const text of own.values()) {
      for (const form of forms[code] ?? []) if (text.includes(form)) unused.delete(`${code}: ${form}`);
    }
    if (SAID_OTHERWISE.has(term)) continue;
    for (const [place, text] of flat(table)) {
      const there = own.get(place);
      if (there === undefined || !said.test(text) || NARROW.test(`${file} ${place}`)) continue;
      if (!forms[code]?.some((form) => there.includes(form))) others.push(`${file} ${place}: ${there}`);
    }
  }
  expect(others).toEqual([]);
  expect([...unused]).toEqual([]);
});

test('no text uses a different word for a term', () => {
  const names = meanings.flatMap(([, , not = '']) => not.split(', ').filter(Boolean));
  expect(names.length).toBeGreaterThan(20);
  const other = word(names.map((name) => `${name}s?`).join('|'), 'iu');
  expect(english.filter(([, text]) => other.test(text))).toEqual([]);
});

test('the texts, the site and the documents contain no replaced translations', () => {
  const inTexts = word(replaced.join('|'), 'u');
  expect(english.filter(([, text]) => inTexts.test(text))).toEqual([]);

  // Only longer phrases are searched for, because one or two words can occur in any sentence.
  const phrase = word(replaced.filter((one) => one.split(' ').length > 2).join('|'), 'u');
  const inFolder = (folder: string, kind: RegExp) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => kind.test(name) && name !== 'terms.md')
      .map((name) => join(folder, name));
  const files = ['README.md', ...inFolder('docs', /\.md$/), ...inFolder('server/web', /(?<!\.test)\.ts$/)];
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => phrase.test(read(file)))).toEqual([]);
});
