/**
 * The language of the wallet's windows. English stands in the code; every other language is a module of its own that is
 * loaded before the first paint and laid over the English texts, so that components read plain objects.
 */
import type { Settings } from '../../protocol/wallet-messages.ts';
import type { Translation } from './languages/translation.ts';

/** Code of a language that the windows speak (BCP 47). */
export type Language = Exclude<Settings['language'], 'system'>;

/** The languages there are, by their own names. */
export const LANGUAGES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  ja: '日本語',
  ar: 'العربية',
};

const loaders: Record<Exclude<Language, 'en'>, () => Promise<{ translation: Translation }>> = {
  de: () => import('./languages/de.ts'),
  es: () => import('./languages/es.ts'),
  fr: () => import('./languages/fr.ts'),
  pt: () => import('./languages/pt.ts'),
  ja: () => import('./languages/ja.ts'),
  ar: () => import('./languages/ar.ts'),
};

const RIGHT_TO_LEFT: readonly Language[] = ['ar'];
// A copy of the setting that can be read before the first paint; the setting itself lives in the background.
const KEY = 'language';

/** Texts with any words in their places: strings stay strings, functions keep what they take. */
export type Widened<T> = T extends string
  ? string
  : T extends (...given: infer G) => string
    ? (...given: G) => string
    : { readonly [K in keyof T]: Widened<T[K]> };

/** The areas that texts are kept in: a module each. */
type Area =
  | 'activity'
  | 'allowance'
  | 'approval'
  | 'errors'
  | 'onboarding'
  | 'operations'
  | 'recipient'
  | 'secrets'
  | 'send'
  | 'settings'
  | 'signIn'
  | 'siteAccess'
  | 'texts';

const areas = new Map<Area, object>();
let spoken: Language = 'en';

/** Makes the texts of one area translatable: on loading a language its words take the places of these. */
export function translatable<const T extends object>(area: Area, english: T): Widened<T> {
  areas.set(area, english);
  return english as unknown as Widened<T>;
}

/** The language that a setting means in this browser. */
export function languageOf(setting: Settings['language']): Language {
  if (setting !== 'system') return setting;
  const known = browserLanguages()
    .map((tag) => tag.split('-')[0] ?? '')
    .find((base) => Object.hasOwn(LANGUAGES, base));
  return (known ?? 'en') as Language;
}

/**
 * What to give `Intl`: the browser's own variant of the language that is spoken (de-CH for de), else that language.
 * Digits are 0 to 9 everywhere: amounts are copied and compared.
 */
export function locale(): string {
  const tag = browserLanguages().find((one) => one.split('-')[0] === spoken) ?? spoken;
  return spoken === 'ar' ? `${tag}-u-nu-latn` : tag;
}

/**
 * An amount as it goes into text that runs from right to left: figures, sign and currency stay in their own order, from
 * left to right (isolates of Unicode Annex 9). In other text as it is.
 */
export function keepOrder(amount: string): string {
  return RIGHT_TO_LEFT.includes(spoken) ? `\u2066${amount.replaceAll('\u200f', '')}\u2069` : amount;
}

/** None outside a browser. */
const browserLanguages = (): readonly string[] => globalThis.navigator?.languages ?? [];

/** Speaks a language from now on. Called before anything is drawn; a window that is open is loaded anew instead. */
export async function speak(language: Language): Promise<void> {
  if (language !== 'en') {
    const { translation } = await loaders[language]();
    for (const [area, english] of areas) overlay(english, translation[area]);
  }
  spoken = language;
  document.documentElement.lang = language;
  document.documentElement.dir = RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr';
}

function overlay(under: object, over: object): void {
  for (const [key, value] of Object.entries(over)) {
    const below: unknown = Reflect.get(under, key);
    if (typeof value === 'object' && typeof below === 'object' && below !== null) overlay(below, value as object);
    else Reflect.set(under, key, value);
  }
}

/** The language of last time, before the background has answered. */
export function rememberedLanguage(): Language {
  const kept = localStorage.getItem(KEY);
  return languageOf(kept !== null && Object.hasOwn(LANGUAGES, kept) ? (kept as Language) : 'system');
}

/** Remembers a setting for the next window's first paint. @returns whether this window speaks another language now */
export function rememberLanguage(setting: Settings['language']): boolean {
  localStorage.setItem(KEY, setting);
  return languageOf(setting) !== spoken && rememberedLanguage() === languageOf(setting);
}
