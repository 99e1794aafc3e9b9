/**
 * Formats amounts of money for display, without floats. Separate from format.ts, which imports all of the windows' UI
 * strings, so that the overlay frame loads quickly.
 */
import { fromSatoshis, isCurrencyCode } from '../../../protocol/money/money.ts';
import type { Rate } from '../../../protocol/messages/wallet-messages.ts';
import { isolateAmount, locale } from '../languages/language.ts';

/** A decimal string, which Intl formats exactly. */
export type DecimalText = Intl.StringNumericLiteral;
export type Price = Pick<Rate, 'currency' | 'price'>;

/** Formats a decimal string in a currency. Intl accepts only three-letter codes, so longer codes are appended. */
function inCurrency(text: string, currency: string, fewest: number, most: number): string {
  const digits = { minimumFractionDigits: fewest, maximumFractionDigits: most };
  if (currency.length > 3)
    return isolateAmount(`${new Intl.NumberFormat(locale(), digits).format(text as DecimalText)}\u00a0${currency}`);
  return isolateAmount(
    new Intl.NumberFormat(locale(), { style: 'currency', currency, ...digits }).format(text as DecimalText),
  );
}

function usualDigits(currency: string): number {
  if (currency.length > 3) return 2;
  return new Intl.NumberFormat(locale(), { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** Formats a requested amount without rounding: `('0.1', 'USD')` is `$0.10`. */
export function formatAmount(amount: string, currency: string): string {
  if (currency === 'BSV' || !isCurrencyCode(currency)) return isolateAmount(`${amount} ${currency}`);
  const usual = usualDigits(currency);
  const digits = Math.min(20, Math.max(usual, amount.split('.')[1]?.length ?? 0));
  return inCurrency(amount, currency, usual, digits);
}

/** Truncates a decimal string to its currency's usual digits so that a remaining amount is never rounded up. */
export function roundedDown(amount: string, currency: string): { text: string; smallest: string; isLess: boolean } {
  const usual = usualDigits(currency);
  const [whole = '0', part = ''] = amount.split('.');
  const shown = part.slice(0, usual);
  const smallest = usual === 0 ? '1' : `0.${'0'.repeat(usual - 1)}1`;
  const isLess = /[1-9]/.test(amount) && !/[1-9]/.test(whole + shown);
  return {
    text: formatAmount(shown === '' ? whole : `${whole}.${shown}`, currency),
    smallest: formatAmount(smallest, currency),
    isLess,
  };
}

/** Formats like {@link formatFiat}, but `< $0.01` below the currency's smallest unit. */
export function formatFee(satoshis: bigint, rate: Price): string {
  const { smallest, isLess } = roundedDown(fromSatoshis(satoshis, rate.price, 12), rate.currency);
  return isLess && rate.currency !== 'BSV' ? isolateAmount(`<\u00a0${smallest}`) : formatFiat(satoshis, rate);
}

/** Formats satoshis at a rate. Small amounts keep two significant digits so that a fee is never shown as zero. */
export function formatFiat(satoshis: bigint, rate: Price): string {
  const usual = usualDigits(rate.currency);
  let digits = usual;
  let text = fromSatoshis(satoshis, rate.price, digits);
  while (satoshis > 0n && digits < 10 && text.replace('.', '').replace(/^0+/, '').length < 2) {
    digits += 1;
    text = fromSatoshis(satoshis, rate.price, digits);
  }
  return inCurrency(text, rate.currency, usual, digits);
}
