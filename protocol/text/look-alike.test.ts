import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lookAlike } from './look-alike.ts';

const cyrillic = fc.stringMatching(/^[а-я]{1,12}$/);
const latin = fc.stringMatching(/^[a-z0-9._-]{1,12}$/);
const anyName = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })).map(([a, b]) => `${a}@${b}`),
);

describe('a paymail', () => {
  test.each([
    // The first letter is Cyrillic. In the second name, all letters before the @ are Cyrillic.
    ['аda@example.com', 'mixed', ['Cyrl', 'Latn'], '<U+0430>da@example.com'],
    ['асе@example.com', 'foreign', ['Cyrl', 'Latn'], '<U+0430><U+0441><U+0435>@example.com'],
    ['ada@exаmple.com', 'mixed', ['Latn', 'Cyrl'], 'ada@xn--exmple-4nf.com'],
    ['ada@пример.рф', 'foreign', ['Latn', 'Cyrl'], 'ada@xn--e1afmkfd.xn--p1ai'],
    ['ada@例え.jp', 'foreign', ['Latn', 'Hani', 'Hira'], 'ada@xn--r8jz45g.jp'],
    ['Ωmega@example.com', 'mixed', ['Grek', 'Latn'], '<U+03A9>mega@example.com'],
    ['𐌰@example.com', 'foreign', ['Goth', 'Latn'], '<U+10330>@example.com'],
    ['ꔀ@example.com', 'foreign', ['Zzzz', 'Latn'], '<U+A500>@example.com'],
    ['ɑda@example.com', 'unusual', ['Latn'], '<U+0251>da@example.com'],
    ['ada@bücher.de', 'unusual', ['Latn'], 'ada@xn--bcher-kva.de'],
    ['𝐚da@example.com', 'unusual', ['Latn'], '<U+1D41A>da@example.com'],
    // This domain is resolved in its ASCII form.
    ['ada@ｅxample.com:8443', 'unusual', ['Latn'], 'ada@example.com:8443'],
    ['ada@xn--exmple-4nf.com', 'unusual', ['Latn'], 'ada@xn--exmple-4nf.com'],
    ['a\u200Bda@example.com', 'hidden', ['Latn'], 'a<U+200B>da@example.com'],
    ['a\u3164da@example.com', 'hidden', ['Latn'], 'a<U+3164>da@example.com'],
    ['\u202Eada@example.com', 'hidden', ['Latn'], '<U+202E>ada@example.com'],
    // The Japanese scripts count as one alphabet. Latin or Korean letters in the same word are a different alphabet.
    ['a例@example.com', 'mixed', ['Latn', 'Hani'], 'a<U+4F8B>@example.com'],
    ['カ한@example.com', 'mixed', ['Kana', 'Hang', 'Latn'], '<U+30AB><U+D55C>@example.com'],
    // There is nothing before the @.
    ['@пример.рф', 'foreign', ['Cyrl'], '@xn--e1afmkfd.xn--p1ai'],
    ['@xn--exmple-4nf.com', 'unusual', ['Latn'], '@xn--exmple-4nf.com'],
    ['ada@a b.com/х', 'hidden', ['Latn', 'Cyrl'], 'ada@a<U+0020>b.com/<U+0445>'],
    ['ada@example.com/х', 'mixed', ['Latn', 'Cyrl'], 'ada@example.com/<U+0445>'],
  ] as const)('%s is %s, has letters of %j, and is %s in ASCII', (name, kind, scripts, ascii) => {
    expect(lookAlike(name)).toEqual({ kind, scripts, ascii });
  });

  test('a paymail of plain letters gives no warning', () => {
    fc.assert(
      fc.property(latin, latin, (alias, domain) => {
        expect(lookAlike(`${alias}@${domain.replaceAll('xn--', '')}`)).toBeNull();
      }),
    );
  });

  test('a paymail with a letter from another alphabet is mixed, in any position', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,10}$/), fc.nat(), cyrillic, (word, at, other) => {
        const place = at % (word.length + 1);
        const alias = word.slice(0, place) + other + word.slice(place);
        expect(lookAlike(`${alias}@example.com`)?.kind).toBe('mixed');
        expect(lookAlike(`ada@${alias}.com`)?.kind).toBe('mixed');
        expect(lookAlike(`${other}@example.com`)?.kind).toBe('foreign');
      }),
    );
  });

  test('a paymail with invisible characters reports those first', () => {
    const unseen = fc.constantFrom(
      '\u200B',
      '\u200D',
      '\u202E',
      '\u2066',
      '\u00AD',
      '\u034F',
      '\uFE0F',
      '\u115F',
      '\u3164',
      '\u2800',
      '\u00A0',
      '\u{E0061}',
    );
    fc.assert(
      fc.property(fc.oneof(latin, cyrillic), unseen, fc.oneof(latin, cyrillic), (a, hidden, b) => {
        expect(lookAlike(`${a}${hidden}${b}@example.com`)?.kind).toBe('hidden');
        expect(lookAlike(`ada@${a}${hidden}${b}`)?.kind).toBe('hidden');
      }),
    );
  });
});

test('a name without an @ is checked word by word, and has no domain', () => {
  expect(lookAlike('асе')).toEqual({ kind: 'foreign', scripts: ['Cyrl'], ascii: '<U+0430><U+0441><U+0435>' });
  expect(lookAlike('асе.gold')?.kind).toBe('foreign');
  expect(lookAlike('xn--exmple-4nf.com')).toBeNull();
});

test('the plain form of any name is ASCII, and different aliases have different ones', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const found = lookAlike(name);
      if (/[^\x21-\x7e]/.test(name)) expect(found?.ascii).toMatch(/^[\x21-\x7e]*$/);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      fc.pre(a !== b && !/[@<]/.test(a + b));
      expect(lookAlike(`${a}@é.com`)?.ascii).not.toBe(lookAlike(`${b}@é.com`)?.ascii);
    }),
  );
});
