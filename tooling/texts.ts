/**
 * `npm run texts`: writes the files generated from the catalogs: the placeholders in English texts, which the compiler
 * checks, the list of languages, and the texts that are loaded first.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isList, isMessage, type Catalog, type Message } from '../protocol/catalog.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The folders of catalogs. */
export const CATALOGS = ['extension/ui/languages', 'server/page/languages'] as const;

/** The files with the types of each folder's texts. Several parts of the extension need the wallet's. */
const TYPES: Record<(typeof CATALOGS)[number], { file: string; imports: string; text: string }> = {
  'extension/ui/languages': {
    file: 'protocol/wallet-texts.ts',
    imports: "import type { Amount, Text, Value } from './catalog.ts';",
    text: 'Text',
  },
  'server/page/languages': {
    file: 'server/page/text-types.ts',
    imports: `import type { Amount, Value } from '../../protocol/catalog.ts';
import type { Link, PageText } from './page-text.ts';`,
    text: 'PageText',
  },
};

/** The button's translations. Its English texts are in TypeScript, because the build splits them among parts. */
const BUTTON = 'page-script/languages';

/** Areas of the wallet's texts that are needed before a catalog can be loaded, each in one file for all languages. */
const LOADED_FIRST = {
  swipe: 'extension/swipe/texts.json',
  notification: 'wallet/received/notification-texts.json',
};

/** The document that lists the languages, in the paragraph matched by `NAMES`. */
const BUTTON_DOCUMENT = 'docs/button.md';
const NAMES = /(Others are loaded on demand:\n\n)[^\n]*\n/;

/** Reads a stored catalog. */
export function readCatalog(folder: string, code: string): Catalog {
  return JSON.parse(readFileSync(join(ROOT, folder, `${code}.json`), 'utf8')) as Catalog;
}

/** Returns the languages of a folder's catalogs: English first, then the others by code. */
export function languagesIn(folder: string): string[] {
  const codes = readdirSync(join(ROOT, folder))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length));
  return ['en', ...codes.filter((code) => code !== 'en').toSorted()];
}

/** Returns a catalog's texts with their paths: `general.copy.ready`. */
export function messages(catalog: Catalog, path = ''): [string, Message][] {
  return Object.entries(catalog).flatMap(([key, value]): [string, Message][] => {
    if (isList(value)) return value.map((one, i) => [`${path}${key}.${i}`, one]);
    return isMessage(value) ? [[path + key, value]] : messages(value, `${path}${key}.`);
  });
}

/** Returns a text's forms: one, or one for each plural category and exact number. */
export function formsOf(message: Message): string[] {
  if (typeof message === 'string') return [message];
  const { plural: _, ...forms } = message;
  return Object.values(forms).flatMap(formsOf);
}

/** Returns the placeholders in a text's forms. */
export function namesOf(message: Message): string[] {
  const names = formsOf(message).flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  return [...new Set([...names, ...linksOf(message), ...amountsOf(message)])]
    .filter((name) => name !== 'product')
    .toSorted();
}

/** Returns the tag names of a text's links: `link` in `See <link>the shop</link>`. */
function linksOf(message: Message): string[] {
  return formsOf(message).flatMap((form) => [...form.matchAll(/<(\w+)>[^<]*<\/\1>/g)].map(([, name = '']) => name));
}

/** Returns the names of the numbers that determine a text's form. */
export function amountsOf(message: Message): string[] {
  if (typeof message === 'string') return [];
  const { plural, ...forms } = message;
  return [...new Set([plural, ...Object.values(forms).flatMap(amountsOf)])];
}

export function generated(): ReadonlyMap<string, string> {
  const codes = languagesIn(CATALOGS[0]);
  const languages = codes.map((code) => `'${code}'`);
  return new Map([
    ...Object.entries(LOADED_FIRST).map(([area, file]) => {
      const areas = codes.map((code) => [code, readCatalog(CATALOGS[0], code)[area]]);
      return [file, `${JSON.stringify(Object.fromEntries(areas), null, 2)}\n`] as const;
    }),
    [
      'protocol/languages.ts',
      `/** The languages of the texts, each with a catalog in the wallet, the button and the service. Written by \`npm run texts\`. */

/** Language codes (BCP 47). */
export const LANGUAGE_CODES = [${languages.join(', ')}] as const;
export type LanguageCode = (typeof LANGUAGE_CODES)[number];
`,
    ],
    [BUTTON_DOCUMENT, readIfThere(BUTTON_DOCUMENT)?.replace(NAMES, `$1${namesOfLanguages(codes)}.\n`) ?? ''],
    ...languagesIn(BUTTON)
      .filter((code) => code !== 'en')
      .map((code) => [`${BUTTON}/${code}.ts`, buttonModule(code)] as const),
    ...CATALOGS.map((folder) => [TYPES[folder].file, typesOf(folder)] as const),
  ]);
}

/** Returns the English names of the languages, without English. */
function namesOfLanguages(codes: readonly string[]): string {
  const english = new Intl.DisplayNames('en', { type: 'language' });
  const others = codes.filter((code) => code !== 'en').map((code) => english.of(code) ?? code);
  return new Intl.ListFormat('en-GB').format(others);
}

/** Returns the source of a language's module, which the npm package exports. */
const buttonModule = (code: string) => `/** The texts of ${code}.json. Written by \`npm run texts\`. */
import type { Texts } from '../text/texts.ts';
import { withEnglish, type Translation } from '../text/translation.ts';
import catalog from './${code}.json' with { type: 'json' };

/** See {@link Translation}. */
export const translation = catalog as object as Translation;

/** The whole table, for \`serviceButton.provide\`. */
export const texts: Texts = withEnglish(translation);
`;

function typesOf(folder: (typeof CATALOGS)[number]): string {
  const { imports, text } = TYPES[folder];
  const lines = messages(readCatalog(folder, 'en')).flatMap(([path, message]) => {
    const [amounts, links] = [amountsOf(message), linksOf(message)];
    const typeOf = (name: string) => (amounts.includes(name) ? 'Amount' : links.includes(name) ? 'Link' : 'Value');
    const values = namesOf(message).map((name) => `${name}: ${typeOf(name)}`);
    return values.length === 0 ? [] : [`  '${path}': ${text}<{ ${values.join('; ')} }>;\n`];
  });
  return `/** The texts of ${folder} with placeholders, by path. Written by \`npm run texts\`. */
${imports}

/** The types of these texts. */
export interface TextTypes {
${lines.join('')}}
`;
}

/** Returns the generated files that are out of date. */
export function outdated(): string[] {
  return [...generated()].filter(([file, text]) => readIfThere(file) !== text).map(([file]) => file);
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(join(ROOT, file), 'utf8');
  } catch {
    return null;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, text] of generated()) writeFileSync(join(ROOT, file), text);
}
