/** Compares the two sources of the exchange rate. Pure. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { parseDecimal } from '../../protocol/money/money.ts';
import type { Rate } from '../../protocol/messages/wallet-messages.ts';

/** Maximum age of a rate used to convert a payment (milliseconds). */
export const MAX_AGE_MS = 600_000;

/** Clock offset from which the clock is reported as wrong (milliseconds). No response is that old on arrival. */
const LEAST_OFFSET_MS = 300_000;
/** Maximum difference between two servers' times (milliseconds). */
const OFFSETS_AGREE_MS = 120_000;

/** Currency in which the sources are compared: the only one available from WhatsOnChain. */
const COMPARED = 'USD';

interface AnswerTime {
  /** Time reported by the source (milliseconds since 1970). */
  time: number;
  /**
   * Arrival time by this computer's clock (milliseconds since 1970); missing in responses stored by earlier versions.
   */
  receivedAt?: number;
  /** This computer's clock minus the server's (milliseconds); null if the server sent no time. */
  clockOffset?: number | null;
}

/** The last response of each source. Prices are positive decimal strings. */
export interface KnownRates {
  /** The service's prices by currency. */
  service: (AnswerTime & { prices: Record<string, string> }) | null;
  /** WhatsOnChain's price of one BSV in US dollars. */
  index: (AnswerTime & { price: string }) | null;
  /** Time of the last response from either source (milliseconds since 1970). */
  askedAt: number;
}

/** True if two prices differ by at most 5% of the smaller one. Uses exact arithmetic. */
export function agree(one: string, other: string): boolean {
  const [a, b] = [parseDecimal(one), parseDecimal(other)];
  const [x, y] = [a.units * 10n ** BigInt(b.scale), b.units * 10n ** BigInt(a.scale)];
  return x > y ? (x - y) * 20n <= y : (y - x) * 20n <= x;
}

/**
 * Returns the rate of a currency, at the service's price. WhatsOnChain can confirm only the dollar price. The dollar
 * values of other currencies come only from the service, so the rate also includes the dollar price, and allowances
 * have an additional ceiling in satoshis (wallet/allowances/decide.ts).
 * @throws ServiceError `rates-differ` (for any currency), `rate-unavailable` (no price younger than 10 minutes),
 * `clock-ahead` (no such price because this computer's clock is wrong), `invalid-currency` (not among the service's
 * prices)
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
 * Rejects a payment whose rate has become too old while its window was open.
 * @param rate the rate used for the conversion; undefined if nothing was converted
 * @throws ServiceError `rate-unavailable`
 */
export function refuseOldRate(rate: Rate | undefined, now: number): void {
  if (rate === undefined || rate.currency === 'BSV' || isYoung(rate.time, now)) return;
  throw new ServiceError('rate-unavailable', {
    message:
      'The exchange rate of this payment is older than 10 minutes. Close it and ask for it again. No money has moved.',
  });
}

/** Returns how far this clock is ahead of all servers' clocks (milliseconds), or null if it isn't clearly ahead. */
function clockAhead(sources: readonly (AnswerTime | null)[]): number | null {
  const offsets = sources.flatMap((source) => source?.clockOffset ?? []);
  const [least, most] = [Math.min(...offsets), Math.max(...offsets)];
  return offsets.length > 0 && least >= LEAST_OFFSET_MS && most - least <= OFFSETS_AGREE_MS ? least : null;
}

/** Windows parse the number and unit from this message to translate it. */
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

/** True if a time is at most the maximum age from now, in either direction, since the clock may have been set back. */
const isYoung = (time: number, now: number): boolean => Math.abs(now - time) <= MAX_AGE_MS;

const own = (prices: Record<string, string>, currency: string): string | null =>
  Object.hasOwn(prices, currency) ? (prices[currency] as string) : null;
