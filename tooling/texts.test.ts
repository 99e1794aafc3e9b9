/** Every translated catalog can be displayed like the English one. */
import { describe, expect, test } from 'vitest';
import { CATALOGS, amountsOf, languagesIn, messages, namesOf, outdated, readCatalog } from './texts.ts';
import type { Message } from '../protocol/catalog.ts';

test('the files that `npm run texts` writes are those of the catalogs', () => {
  expect(outdated()).toEqual([]);
});

test('every part has a catalog of every language', () => {
  for (const folder of CATALOGS) expect(languagesIn(folder), folder).toEqual(languagesIn(CATALOGS[0]));
});

function categoriesOf(language: string): string[] {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 1001 }, (_, n) => rules.select(n)))].toSorted();
}

function formSets(message: Message): string[][] {
  if (typeof message === 'string') return [];
  const { plural: _, ...forms } = message;
  const named = Object.keys(forms).filter((form) => !/^\d+$/.test(form));
  return [named.toSorted(), ...Object.values(forms).flatMap(formSets)];
}

const catalogs = CATALOGS.flatMap((folder) => languagesIn(folder).map((code) => [folder, code] as const));

describe.each(catalogs)('%s/%s.json', (folder, code) => {
  const english = new Map(messages(readCatalog(folder, 'en')));
  const texts = messages(readCatalog(folder, code)).filter(([path]) => !path.startsWith('errors.'));

  test('no text is missing in English', () => {
    expect(texts.filter(([path]) => !english.has(path)).map(([path]) => path)).toEqual([]);
  });

  test('texts contain the names of the English ones', () => {
    for (const [path, message] of texts) {
      const original = english.get(path)!;
      const [names, expected] = [namesOf(message), namesOf(original)];
      // A translation can omit a number.
      const optional = amountsOf(original);
      expect(
        names.filter((name) => !expected.includes(name)),
        path,
      ).toEqual([]);
      expect(
        expected.filter((name) => !names.includes(name) && !optional.includes(name)),
        path,
      ).toEqual([]);
    }
  });

  test('a text has one form for all numbers, or those that the language needs', () => {
    const needed = categoriesOf(code);
    for (const [path, message] of texts) {
      for (const forms of formSets(message)) expect([needed, ['other']], `${path}: ${forms}`).toContainEqual(forms);
    }
  });

  test('no text depends on a number that English does not depend on', () => {
    for (const [path, message] of texts) {
      const original = amountsOf(english.get(path)!);
      expect(
        amountsOf(message).filter((name) => !original.includes(name)),
        path,
      ).toEqual([]);
    }
  });
});
