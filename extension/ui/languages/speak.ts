/** Loads a language's UI strings. Each language except English is a separate chunk. */
import type { Catalog } from '../../../protocol/catalog.ts';
import type { LanguageCode } from '../../../protocol/languages.ts';
import { setLanguage } from './language.ts';
import { loadTexts } from '../texts/texts.ts';

const catalogs = import.meta.glob<Catalog>(['./*.json', '!./en.json'], { import: 'default' });

/** Sets the language and loads its UI strings, before anything is drawn. Open windows are reloaded instead. */
export async function speak(language: LanguageCode): Promise<void> {
  const load = catalogs[`./${language}.json`];
  if (load) loadTexts(language, await load());
  setLanguage(language);
}
