/** Which texts a language lacks. They are shown in English. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUTTON = 'page-script/languages';
const WINDOWS = 'extension/ui/languages';
const SITE = 'server/page/languages';
const NOTIFICATIONS = 'extension/background/received/notification-texts.ts';

/** The places (`form.badTo`) of texts that `english` has and `translation` lacks. */
export function missingTexts(english: object, translation: object, place = ''): string[] {
  const given = translation as Readonly<Record<string, unknown>>;
  return Object.entries(english).flatMap(([key, text]) => {
    if (typeof text === 'object' && text !== null) {
      return missingTexts(text as object, given[key] ?? {}, `${place}${key}.`);
    }
    return given[key] === undefined ? [place + key] : [];
  });
}

/** A language's texts with their English originals. */
export interface Translated {
  file: string;
  code: string;
  english: object;
  translation: object;
}

/**
 * The translated texts: the button, the wallet's windows and notifications, the public pages, each in every language.
 */
export async function translatedTexts(): Promise<Translated[]> {
  const { ALL_ENGLISH } = await import('../page-script/translation.ts');
  const found: Translated[] = [];
  for (const [folder, english] of [
    [BUTTON, ALL_ENGLISH],
    [WINDOWS, await windowTexts()],
  ] as const) {
    for (const file of await sourcesIn(folder, /^[a-z]{2}(?:-[a-z]+)?\.ts$/)) {
      const { translation } = (await import(pathToFileURL(join(ROOT, file)).href)) as { translation: object };
      found.push({ file, code: basename(file, '.ts'), english, translation });
    }
  }
  const { TEXTS } = await import('../extension/background/received/notification-texts.ts');
  const { LANGUAGE_CODES } = await import('../protocol/wallet-messages.ts');
  for (const code of LANGUAGE_CODES) {
    found.push({ file: `${NOTIFICATIONS} (${code})`, code, english: TEXTS.en, translation: TEXTS[code] ?? {} });
  }
  const { SITE_TEXTS } = await import('../server/page/texts.ts');
  for (const [code, translation] of Object.entries(SITE_TEXTS)) {
    found.push({ file: `${SITE}/${code}.ts`, code, english: SITE_TEXTS.en, translation });
  }
  return found;
}

/** The missing texts of each language of the button, of the wallet's windows and of its notifications, by file. */
export async function missingTranslations(): Promise<ReadonlyMap<string, string[]>> {
  const tables = await translatedTexts();
  return new Map(tables.map(({ file, english, translation }) => [file, missingTexts(english, translation)]));
}

/** The English texts of the windows, by area. */
async function windowTexts(): Promise<object> {
  for (const file of await sourcesIn('extension/ui', /^texts(?:-[a-z-]+)?\.ts$/)) {
    await import(pathToFileURL(join(ROOT, file)).href);
  }
  const { textsByArea } = await import('../extension/ui/translatable.ts');
  return Object.fromEntries(textsByArea);
}

async function sourcesIn(folder: string, named: RegExp): Promise<string[]> {
  const files = await readdir(join(ROOT, folder));
  return files
    .filter((file) => named.test(basename(file)))
    .toSorted()
    .map((file) => `${folder}/${file}`);
}
