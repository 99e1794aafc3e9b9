/** Lists the languages of the wallet's windows, and stores this window's language and its locale for `Intl`. */
import { isRightToLeft, nativeName } from '../../../protocol/catalog.ts';
import { LANGUAGE_CODES, type LanguageCode } from '../../../protocol/languages.ts';
import type { Settings } from '../../../protocol/messages/wallet-messages.ts';

/** Returns the codes and names of all languages. Each name is in its own language: `Español`. */
export function namedLanguages(): [LanguageCode, string][] {
  return LANGUAGE_CODES.map((code) => [code, nativeName(code)]);
}

const isKnown = (code: string): code is LanguageCode => (LANGUAGE_CODES as readonly string[]).includes(code);

// Local storage key for a copy of the setting, for the first paint. The background stores the setting itself.
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
 * Returns the locale for `Intl`: the browser's variant of the current language (de-CH for de), otherwise the language.
 * Digits are always 0 to 9, because amounts are copied and compared.
 */
export function locale(): string {
  const tag = browserLanguages().find((one) => one.split('-')[0] === spoken) ?? spoken;
  return isRightToLeft(spoken) ? `${tag}-u-nu-latn` : tag;
}

/**
 * Isolates an amount in right-to-left text so that the digits, the sign and the currency stay in left-to-right order
 * (Unicode Annex 9). In other languages, returns it unchanged.
 */
export function isolateAmount(amount: string): string {
  return isRightToLeft(spoken) ? `\u2066${amount.replaceAll('\u200f', '')}\u2069` : amount;
}

/** Returns the browser's languages, or none outside a browser. */
const browserLanguages = (): readonly string[] => globalThis.navigator?.languages ?? [];

/** Sets the language of this window and its document. Unlike `speak`, doesn't load the UI strings. */
export function setLanguage(language: LanguageCode): void {
  spoken = language;
  document.documentElement.lang = language;
  document.documentElement.dir = isRightToLeft(language) ? 'rtl' : 'ltr';
}

/** Returns the last known language, for use before the background has responded. */
export function rememberedLanguage(): LanguageCode {
  const kept = localStorage.getItem(KEY);
  return languageOf(kept !== null && isKnown(kept) ? kept : 'system');
}

/** Stores a setting for the next window's first paint. @returns true if it differs from this window's language */
export function rememberLanguage(setting: Settings['language']): boolean {
  localStorage.setItem(KEY, setting);
  return languageOf(setting) !== spoken && rememberedLanguage() === languageOf(setting);
}
