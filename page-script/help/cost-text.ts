/** Amounts that are about right, as people read them. */
import { amountText, formatter, isPlain } from '../amount-text.ts';

/** `< $0.01` for what is less than the smallest amount that people name; else as {@link roundedText}. */
export function feeText(fee: string, currency: string, locale: string): string {
  const zeros = /^0\.(0*)/.exec(fee)?.[1]?.length;
  const digits = formatter(locale || navigator.language, currency, 0).resolvedOptions().maximumFractionDigits!;
  return zeros === undefined || zeros < digits || isPlain(currency)
    ? roundedText(fee, currency, locale)
    : `<\u00a0${amountText(digits ? `0.${'1'.padStart(digits, '0')}` : '1', currency, locale)}`;
}

/**
 * An amount, rounded to what the currency usually shows, or to two significant digits where that would be next to
 * nothing.
 */
export function roundedText(amount: string, currency: string, locale: string): string {
  const zeros = /^0\.(0*)/.exec(amount)?.[1]?.length ?? 0;
  return amountText(amount, currency, locale, currency, isPlain(currency) ? 8 : zeros > 1 ? zeros + 2 : 0);
}
