import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LANGUAGE_CODES } from '../../protocol/languages.ts';
import { preferredLanguage } from './language.ts';

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['nl,pt-BR;q=0.5,fr;q=0.7', 'fr'],
  ['en;q=0.1, ja', 'ja'],
  ['es;q=0, ar;q=0.2', 'ar'],
  ['es;q=2, ar;q=x', 'en'],
  ['FR-ca ; q=0.4', 'fr'],
  ['fr,de', 'fr'],
  ['constructor,__proto__', 'en'],
  [`${'nl,'.repeat(1000)}de`, 'en'],
])('the language for %j is %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});

it('always returns a known language', () => {
  fc.assert(fc.property(fc.string(), (header) => void expect(LANGUAGE_CODES).toContain(preferredLanguage(header))));
});
