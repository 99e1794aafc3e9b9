import { fromSatoshis, satoshisToBsv } from '../../protocol/money/money.ts';
import { digitsOf } from '../rates/currencies.ts';

export interface Amount {
  amount: string;
  currency: string;
  satoshis: string;
}

/** Converts satoshis to BSV, or to a currency at its exchange rate; null if the rate is unknown. */
export function amountIn(currency: 'BSV', satoshis: bigint, rates: Readonly<Record<string, string>>): Amount;
export function amountIn(currency: string, satoshis: bigint, rates: Readonly<Record<string, string>>): Amount | null;
export function amountIn(currency: string, satoshis: bigint, rates: Readonly<Record<string, string>>): Amount | null {
  if (currency === 'BSV') return { amount: satoshisToBsv(satoshis), currency, satoshis: String(satoshis) };
  const rate = Object.hasOwn(rates, currency) ? rates[currency] : undefined;
  return rate === undefined
    ? null
    : { amount: fromSatoshis(satoshis, rate, digitsOf(currency)), currency, satoshis: String(satoshis) };
}
