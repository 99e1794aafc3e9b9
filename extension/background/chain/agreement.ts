/** What two sources of the exchange rate say together. Pure. */
import { ServiceError } from '../../../protocol/errors.ts';
import { parseDecimal } from '../../../protocol/money.ts';
import type { Rate } from '../../../protocol/wallet-messages.ts';

/** No payment is converted with a rate older than this (milliseconds). */
export const MAX_AGE_MS = 600_000;

/** The currency in which the two are compared: the only one that WhatsOnChain has. */
const COMPARED = 'USD';

/** The last answer of each source, with its own time (milliseconds since 1970). Prices are positive decimal texts. */
export interface KnownRates {
  /** The service's table, by currency. */
  service: { prices: Record<string, string>; time: number } | null;
  /** What WhatsOnChain says one BSV costs in dollars. */
  index: { price: string; time: number } | null;
  /** When one of them last answered (milliseconds since 1970). */
  askedAt: number;
}

/** Do two prices differ by at most 5% of the smaller one? Exact. */
export function agree(one: string, other: string): boolean {
  const [a, b] = [parseDecimal(one), parseDecimal(other)];
  const [x, y] = [a.units * 10n ** BigInt(b.scale), b.units * 10n ** BigInt(a.scale)];
  return x > y ? (x - y) * 20n <= y : (y - x) * 20n <= x;
}

/**
 * The rate of a currency. The prices are the service's; it has two sources if its dollar and WhatsOnChain's agree. Only
 * the dollar is compared: the value of another currency in dollars is the service's statement alone. Therefore the rate
 * contains the dollar too, and payments without a window are limited in another way (allowances/ceiling.ts).
 * @throws ServiceError `rates-differ` (of any currency), `rate-unavailable` (no price younger than 10 minutes),
 * `invalid-currency` (not in the service's table)
 */
export function agreedRate({ service, index }: KnownRates, currency: string, now: number): Rate {
  const young = <T extends { time: number }>(source: T | null): T | null =>
    source !== null && isYoung(source.time, now) ? source : null;
  const table = young(service);
  const dollar = young(index);
  const ownDollar = table && own(table.prices, COMPARED);
  if (ownDollar !== null && dollar !== null && !agree(ownDollar, dollar.price)) throw new ServiceError('rates-differ');
  const price = table && own(table.prices, currency);
  if (table && price !== null) {
    const two = ownDollar !== null && dollar !== null;
    return {
      currency,
      price,
      time: two ? Math.min(table.time, dollar.time) : table.time,
      sources: two ? 2 : 1,
      ...(ownDollar !== null && { dollar: ownDollar }),
    };
  }
  if (currency === COMPARED && dollar !== null)
    return { currency, price: dollar.price, time: dollar.time, sources: 1, dollar: dollar.price };
  throw new ServiceError(table ? 'invalid-currency' : 'rate-unavailable');
}

/**
 * Lets nothing be paid any more that was turned into satoshis by too old a rate: a window may have waited long.
 * @param rate by which it was; undefined where there was none
 * @throws ServiceError `rate-unavailable`
 */
export function refuseOldRate(rate: Rate | undefined, now: number): void {
  if (rate === undefined || rate.currency === 'BSV' || isYoung(rate.time, now)) return;
  throw new ServiceError('rate-unavailable', {
    message:
      'The exchange rate of this payment is older than 10 minutes. Close it and ask for it again. No money has moved.',
  });
}

/** A time in the future means that the clock was set back since: the age is unknown. */
const isYoung = (time: number, now: number): boolean => Math.abs(now - time) <= MAX_AGE_MS;

const own = (prices: Record<string, string>, currency: string): string | null =>
  Object.hasOwn(prices, currency) ? (prices[currency] as string) : null;
