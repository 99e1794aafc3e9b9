/** The languages of the wallet's windows, which of them this window speaks, and what `Intl` is to be given for it. */
import { isRightToLeft, ownName } from '../../../protocol/catalog.ts';
import { LANGUAGE_CODES, type LanguageCode } from '../../../protocol/languages.ts';
import type { Settings } from '../../../protocol/messages/wallet-messages.ts';

/** Codes and names of the languages, each named in itself: `Español`. */
export function namedLanguages(): [LanguageCode, string][] {
  return LANGUAGE_CODES.map((code) => [code, ownName(code)]);
}

const isKnown = (code: string): code is LanguageCode => (LANGUAGE_CODES as readonly string[]).includes(code);

// A copy of the setting that can be read before the first paint; the setting itself is kept by the background.
const KEY = 'language';

let spoken: LanguageCode = 'en';

export function languageOf(setting: Settings['language']): LanguageCode {
  if (setting !== 'system') return setting;
  const known = browserLanguages()
    .map((tag) => tag.split('-')[0] ?? '')
    .find(isKnown);
  return known ?? 'en';
}

/**
 * What to give `Intl`: the browser's own variant of the language that is spoken (de-CH for de), else that language.
 * Digits are 0 to 9 everywhere: amounts are copied and compared.
 */
export function locale(): string {
  const tag = browserLanguages().find((one) => one.split('-')[0] === spoken) ?? spoken;
  return isRightToLeft(spoken) ? `${tag}-u-nu-latn` : tag;
}

/**
 * An amount as it goes into text that runs from right to left: figures, sign and currency stay in their own order, from
 * left to right (isolates of Unicode Annex 9). In other text as it is.
 */
export function keepOrder(amount: string): string {
  return isRightToLeft(spoken) ? `\u2066${amount.replaceAll('\u200f', '')}\u2069` : amount;
}

/** Empty outside a browser. */
const browserLanguages = (): readonly string[] => globalThis.navigator?.languages ?? [];

/** Records this window's language, and sets it in the document. `speak` loads its texts. */
export function setLanguage(language: LanguageCode): void {
  spoken = language;
  document.documentElement.lang = language;
  document.documentElement.dir = isRightToLeft(language) ? 'rtl' : 'ltr';
}

/** The language of last time, before the background has answered. */
export function rememberedLanguage(): LanguageCode {
  const kept = localStorage.getItem(KEY);
  return languageOf(kept !== null && isKnown(kept) ? kept : 'system');
}

/** Remembers a setting for the next window's first paint. @returns whether this window speaks another language now */
export function rememberLanguage(setting: Settings['language']): boolean {
  localStorage.setItem(KEY, setting);
  return languageOf(setting) !== spoken && rememberedLanguage() === languageOf(setting);
}
