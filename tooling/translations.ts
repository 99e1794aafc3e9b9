/** Finds UI strings that a language lacks. They are shown in English. */
import { isList, isMessage, type Catalog } from '../protocol/catalog.ts';
import { formsOf, languagesIn, readCatalog } from './texts.ts';

const BUTTON = 'page-script/languages';
const WALLET = 'extension/ui/languages';
const SITE = 'server/page/languages';

/** Returns the paths (`form.badTo`) of strings that `english` has and `translation` lacks. */
export function missingTexts(english: object, translation: object, place = ''): string[] {
  const given = translation as Readonly<Record<string, unknown>>;
  return Object.entries(english).flatMap(([key, text]) => {
    if (typeof text === 'object' && text !== null) {
      return missingTexts(text as object, given[key] ?? {}, `${place}${key}.`);
    }
    return given[key] === undefined ? [place + key] : [];
  });
}

/** Returns a catalog's messages as strings. A message with plural forms becomes one string with a line per form. */
function written(catalog: Catalog): object {
  return Object.fromEntries(
    Object.entries(catalog).map(([key, value]) => {
      if (isList(value)) return [key, value];
      return [key, isMessage(value) ? formsOf(value).join('\n') : written(value)];
    }),
  );
}

/** A language's UI strings, with the English originals. */
export interface Translated {
  file: string;
  code: string;
  english: object;
  translation: object;
}

/** Returns the translated UI strings of the button, the wallet and the public pages, in every language. */
export async function translatedTexts(): Promise<Translated[]> {
  const { ALL_ENGLISH } = await import('../page-script/text/translation.ts');
  const found: Translated[] = [];
  const { ENGLISH } = await import('../extension/ui/languages/english.ts');
  for (const [folder, english] of [
    [BUTTON, ALL_ENGLISH],
    [WALLET, written(ENGLISH)],
    [SITE, written(readCatalog(SITE, 'en'))],
  ] as const) {
    for (const code of languagesIn(folder).filter((one) => one !== 'en')) {
      found.push({ file: `${folder}/${code}.json`, code, english, translation: written(readCatalog(folder, code)) });
    }
  }
  return found;
}

/** Returns the missing UI strings of the button, the wallet and the public pages, by language file. */
export async function missingTranslations(): Promise<ReadonlyMap<string, string[]>> {
  const tables = await translatedTexts();
  return new Map(tables.map(({ file, english, translation }) => [file, missingTexts(english, translation)]));
}
