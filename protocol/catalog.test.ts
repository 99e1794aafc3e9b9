// @vitest-environment node
import { expect, test } from 'vitest';
import { isRightToLeft, readTexts, type Catalog, type Value } from './catalog.ts';

type Fill = (values: Record<string, Value>) => string;

/** Reads a catalog's messages in a language. Numbers are formatted for `locale`, which defaults to the language. */
function read(language: string, catalog: Catalog, locale = language): Record<string, unknown> {
  return readTexts(catalog, { language, locale: () => locale, product: 'Shop' }) as Record<string, unknown>;
}

const found = { plural: 'n', '0': 'Nothing', one: '{n} coin', other: '{n} coins' };

test('a text without placeholders is a string, in groups and lists as well', () => {
  expect(read('en', { title: 'Pay', list: ['One', 'Two'], group: { back: 'Back', by: 'By {product}' } })).toEqual({
    title: 'Pay',
    list: ['One', 'Two'],
    group: { back: 'Back', by: 'By Shop' },
  });
});

test('placeholders are replaced once, by values that may contain braces or replacement patterns', () => {
  const { line } = read('en', { line: '{a} and {b}' }) as { line: Fill };
  expect(line({ a: '{b}', b: '$&' })).toBe('{b} and $&');
});

test.each<[number | bigint, string]>([
  [0, 'Nothing'],
  [1, '1 coin'],
  [1n, '1 coin'],
  [2, '2 coins'],
  [1234, '1,234 coins'],
])('the form for %s is the one for exactly this number, or else for its plural category', (n, text) => {
  expect((read('en', { found })['found'] as Fill)({ n })).toBe(text);
});

// Plural categories according to CLDR:
// https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html
test.each([
  [0, 'zero'],
  [1, 'one'],
  [2, 'two'],
  [3, 'few'],
  [10, 'few'],
  [11, 'many'],
  [99, 'many'],
  [100, 'other'],
  [103, 'few'],
  [111, 'many'],
])('the form for %i in Arabic is %s', (n, form) => {
  const forms = { zero: 'zero', one: 'one', two: 'two', few: 'few', many: 'many', other: 'other' };
  expect((read('ar', { found: { plural: 'n', ...forms } })['found'] as Fill)({ n })).toBe(form);
});

test("zero follows the rules of the reader's locale", () => {
  const inCountry = (locale: string) =>
    (read('pt', { n: { plural: 'n', one: 'um', other: 'muitos' } }, locale)['n'] as Fill)({ n: 0 });
  expect([inCountry('pt-BR'), inCountry('pt-PT'), inCountry('en')]).toEqual(['um', 'muitos', 'um']);
});

test('a form may depend on a second number', () => {
  const coins = (addresses: string) => ({
    plural: 'm',
    one: `${addresses}, {m} coin`,
    other: `${addresses}, {m} coins`,
  });
  const { scan } = read('en', { scan: { plural: 'n', one: coins('{n} address'), other: coins('{n} addresses') } });
  expect((scan as Fill)({ n: 1, m: 2 })).toBe('1 address, 2 coins');
  expect((scan as Fill)({ n: 2, m: 1 })).toBe('2 addresses, 1 coin');
});

test("numbers are formatted in the reader's locale", () => {
  const written = (locale: string) => (read('en', { n: '{n}' }, locale)['n'] as Fill)({ n: 1_234_567 });
  expect([written('en-US'), written('en-IN')]).toEqual(['1,234,567', '12,34,567']);
});

test('values are isolated once in a right-to-left language (UAX 9)', () => {
  const { to } = read('ar', { to: '{name}: {n} {product}' }) as { to: Fill };
  expect(to({ name: 'Ada', n: 5 })).toMatch(/^\u2068Ada\u2069: \u2066.\u2069 \u2068Shop\u2069$/);
  expect(to({ name: '\u2066$1\u2069', n: 5 })).toMatch(/^\u2066\$1\u2069: /);
  expect(to({ name: '\u2066$1\u2069 or \u2066$2\u2069', n: 5 })).toMatch(
    /^\u2068\u2066\$1\u2069 or \u2066\$2\u2069\u2069: /,
  );
  expect([isRightToLeft('ar-EG'), isRightToLeft('he'), isRightToLeft('de')]).toEqual([true, true, false]);
});
