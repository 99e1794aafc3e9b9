/** Comparison of the two sources of the exchange rate. Pure. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { parseDecimal } from '../../protocol/money/money.ts';
import type { Rate } from '../../protocol/messages/wallet-messages.ts';

/** No payment is converted with a rate older than this (milliseconds). */
export const MAX_AGE_MS = 600_000;

/**
 * A clock that differs by at least this is reported as wrong, because no rate is that old when it arrives
 * (milliseconds).
 */
const LEAST_OFFSET_MS = 300_000;
/** Maximum difference between two servers' times (milliseconds). */
const OFFSETS_AGREE_MS = 120_000;

/** The currency in which the two are compared: the only one that WhatsOnChain has. */
const COMPARED = 'USD';

interface AnswerTime {
  /** By the source's clock, milliseconds since 1970. */
  time: number;
  /** By this computer's clock, milliseconds since 1970; missing in answers stored by earlier versions. */
  receivedAt?: number;
  /** This computer's clock minus the server's, in milliseconds; null if the server gave no time. */
  clockOffset?: number | null;
}

/** The last response of each source. Prices are positive decimal texts. */
export interface KnownRates {
  /** The service's table, by currency. */
  service: (AnswerTime & { prices: Record<string, string> }) | null;
  /** The price of one BSV in dollars at WhatsOnChain. */
  index: (AnswerTime & { price: string }) | null;
  /** Time of the last response of either (milliseconds since 1970). */
  askedAt: number;
}

/** True if two prices differ by at most 5% of the smaller one. Exact. */
export function agree(one: string, other: string): boolean {
  const [a, b] = [parseDecimal(one), parseDecimal(other)];
  const [x, y] = [a.units * 10n ** BigInt(b.scale), b.units * 10n ** BigInt(a.scale)];
  return x > y ? (x - y) * 20n <= y : (y - x) * 20n <= x;
}

/**
 * The rate of a currency. The prices are the service's. The dollar has two sources if WhatsOnChain's price agrees;
 * other currencies' values in dollars come only from the service, so the rate contains the dollar too, and an
 * allowance also has a ceiling in satoshis (wallet/allowances/decide.ts).
 * @throws ServiceError `rates-differ` (of any currency), `rate-unavailable` (no price younger than 10 minutes),
 * `clock-ahead` (the same, because this computer's clock is wrong), `invalid-currency` (not in the service's table)
 */
export function agreedRate({ service, index }: KnownRates, currency: string, now: number): Rate {
  const young = <T extends AnswerTime>(source: T | null): T | null =>
    source !== null && isYoung(source.time, now) && isYoung(source.receivedAt ?? source.time, now) ? source : null;
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
  if (table) throw new ServiceError('invalid-currency');
  const ahead = clockAhead([service, index]);
  throw ahead === null ? new ServiceError('rate-unavailable') : clockError(ahead);
}

/**
 * Rejects a payment whose rate is too old, because its window was open for long.
 * @param rate the rate of the conversion; undefined if there was none
 * @throws ServiceError `rate-unavailable`
 */
export function refuseOldRate(rate: Rate | undefined, now: number): void {
  if (rate === undefined || rate.currency === 'BSV' || isYoung(rate.time, now)) return;
  throw new ServiceError('rate-unavailable', {
    message:
      'The exchange rate of this payment is older than 10 minutes. Close it and ask for it again. No money has moved.',
  });
}

/** How far this clock is ahead of all servers' (milliseconds), if that explains their old responses; else null. */
function clockAhead(sources: readonly (AnswerTime | null)[]): number | null {
  const offsets = sources.flatMap((source) => source?.clockOffset ?? []);
  const [least, most] = [Math.min(...offsets), Math.max(...offsets)];
  return offsets.length > 0 && least >= LEAST_OFFSET_MS && most - least <= OFFSETS_AGREE_MS ? least : null;
}

/** The windows parse amount and unit of this sentence to translate it. */
function clockError(ms: number): ServiceError {
  const minutes = Math.round(ms / 60_000);
  const [count, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 2880
        ? [Math.round(minutes / 60), 'hour']
        : [Math.round(minutes / 1440), 'day'];
  return new ServiceError('clock-ahead', {
    message: `Your computer's clock is ${count} ${unit}s ahead. Set it right, then try again. No money has moved.`,
  });
}

/** A time in the future means that the clock was set back since, so the age is unknown. */
const isYoung = (time: number, now: number): boolean => Math.abs(now - time) <= MAX_AGE_MS;

const own = (prices: Record<string, string>, currency: string): string | null =>
  Object.hasOwn(prices, currency) ? (prices[currency] as string) : null;
