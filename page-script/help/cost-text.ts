/** Formats approximate amounts. */
import { amountText, formatter, isPlain } from '../amount-text.ts';

/** `< $0.01` for less than the smallest common amount. Otherwise like {@link roundedText}. */
export function feeText(fee: string, currency: string, locale: string): string {
  const zeros = /^0\.(0*)/.exec(fee)?.[1]?.length;
  const digits = formatter(locale || navigator.language, currency, 0).resolvedOptions().maximumFractionDigits!;
  return zeros === undefined || zeros < digits || isPlain(currency)
    ? roundedText(fee, currency, locale)
    : `<\u00a0${amountText(digits ? `0.${'1'.padStart(digits, '0')}` : '1', currency, locale)}`;
}

/** An amount rounded to the currency's usual digits, or to two significant digits if that would be almost zero. */
export function roundedText(amount: string, currency: string, locale: string): string {
  const zeros = /^0\.(0*)/.exec(amount)?.[1]?.length ?? 0;
  return amountText(amount, currency, locale, currency, isPlain(currency) ? 8 : zeros > 1 ? zeros + 2 : 0);
}
