/** Formats numbers, amounts, days and times in a page's language. Pure. */
import { isRightToLeft } from '../../protocol/catalog.ts';
import type { LanguageCode } from '../../protocol/languages.ts';

/** An exact number to format: an integer, or a decimal string, whose decimals are preserved. */
export type Written = number | bigint | Intl.StringNumericLiteral;

/** Returns the locale for `Intl`. All languages use the digits 0 to 9, because amounts are copied and compared. */
export function localeOf(language: LanguageCode): string {
  if (language === 'en') return 'en-GB';
  return isRightToLeft(language) ? `${language}-u-nu-latn` : language;
}

/** Cached formatters, because creating one costs far more than using it. */
const kept = new Map<string, unknown>();
function once<T>(name: string, make: () => T): T {
  if (!kept.has(name)) kept.set(name, make());
  return kept.get(name) as T;
}

/** Formats a number: `12,345.60` */
export function numberText(value: Written, language: LanguageCode): string {
  const digits = typeof value === 'string' ? Math.min(20, value.split('.')[1]?.length ?? 0) : 0;
  return once(
    `number ${language} ${digits}`,
    () => new Intl.NumberFormat(localeOf(language), { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  ).format(value);
}

/**
 * Formats an amount: `12,345.60 USD`. Bidirectional isolates (Unicode Annex 9) keep the order in right-to-left text.
 * @param number from {@link numberText}
 */
export const moneyText = (number: string, currency: string, language: LanguageCode) =>
  isRightToLeft(language) ? `\u2066${number} ${currency}\u2069` : `${number} ${currency}`;

const DAY = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
const MINUTE = { ...DAY, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Formats a day in UTC: `21 Nov 2026` */
export const dayText = (at: Date | number, language: LanguageCode) =>
  once(`day ${language}`, () => new Intl.DateTimeFormat(localeOf(language), DAY)).format(at);

/** Formats a time in UTC, to the minute: `21 Nov 2026, 05:13` */
export const minuteText = (at: Date, language: LanguageCode) =>
  once(`minute ${language}`, () => new Intl.DateTimeFormat(localeOf(language), MINUTE)).format(at);

/** Returns the name of a currency or language, or null if the page's language has none. */
export function nameOf(type: 'currency' | 'language', code: string, language: LanguageCode): string | null {
  const names = once(
    `${type} ${language}`,
    () => new Intl.DisplayNames(localeOf(language), { type, fallback: 'none' }),
  );
  try {
    return names.of(code) ?? null;
  } catch {
    return null;
  }
}
