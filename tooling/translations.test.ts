import { expect, test } from 'vitest';
import { missingTexts, missingTranslations } from './translations.ts';

test('missing translations are found, both single texts and whole sections', () => {
  const english = {
    title: 'Pay',
    count: (n: number) => `${n} coins`,
    form: { to: 'Pay to', errors: { bad: 'Wrong' } },
  };
  expect(missingTexts(english, english)).toEqual([]);
  expect(missingTexts(english, { count: english.count, form: { to: 'Zahlen an' } })).toEqual([
    'title',
    'form.errors.bad',
  ]);
  expect(missingTexts(english, {})).toEqual(['title', 'count', 'form.to', 'form.errors.bad']);
});

test('all languages of the button and the wallet are checked', async () => {
  const files = [...(await missingTranslations()).keys()];
  for (const code of ['ar', 'de', 'es', 'fr', 'ja', 'pt']) {
    expect(files).toContain(`page-script/languages/${code}.json`);
    expect(files).toContain(`extension/ui/languages/${code}.json`);
  }
});
