/** Currencies that amounts may be in. */
import { CURRENCIES } from '../network/rates.ts';

/** A currency: its code and its English name. */
export interface Currency {
  code: string;
  name: string;
}

const names = new Intl.DisplayNames('en', { type: 'currency' });

/** The money of states that rates are asked for. */
export const FIAT: readonly Currency[] = CURRENCIES.map((code) => ({ code, name: names.of(code) ?? code }));
/** What is paid with. */
export const CRYPTO: readonly Currency[] = [{ code: 'BSV', name: 'Bitcoin SV' }];

const CODES: ReadonlySet<string> = new Set([...FIAT, ...CRYPTO].map(({ code }) => code));

/** Is it one of them? */
export function isKnownCurrency(code: string): boolean {
  return CODES.has(code);
}

/** How many digits an amount of a currency has behind the point (ISO 4217). */
export function digitsOf(code: string): number {
  return code === 'BSV' ? 8 : (new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits ?? 2);
}
