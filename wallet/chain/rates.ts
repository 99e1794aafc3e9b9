/** The exchange rate of BSV, requested from the service and from WhatsOnChain. A rate is accepted if both agree. */
import * as z from 'zod/mini';
import { ratesResponse } from '../../protocol/http/api.ts';
import { ServiceError, toWireError } from '../../protocol/errors/service-error.ts';
import { fromSatoshis, isCurrencyCode, parseDecimal, priceText } from '../../protocol/money/money.ts';
import type { Overview, Rate } from '../../protocol/messages/wallet-messages.ts';
import { keyIn, keyTransaction, putKeyIn, readKey } from '../store/database.ts';
import { readSettings, settingsIn } from '../settings.ts';
import type { ResponseTime, KnownRates } from './known-rates.ts';
import { parseJson, send, type HttpResponse } from './http.ts';
import { keyHeaders } from './index-requests.ts';
import { networkInfo } from './network.ts';
import { operatorKey } from './operator-keys.ts';
import { part, type Wallet } from '../platform.ts';

/** How long a response is cached (milliseconds). */
const FRESH_MS = 30_000;
/** Maximum age of an event to which the current price applies (milliseconds). */
const RECENT_MS = 10 * 60_000;
/** Timeout per source (milliseconds), short because a window may be waiting. */
const TIMEOUT_MS = 5000;

/** Maximum age of a rate used to convert a payment (milliseconds). */
export const MAX_AGE_MS = 600_000;

/** Minimum offset of a clock that is reported as wrong (milliseconds): more than any response's delay. */
const MIN_CLOCK_OFFSET_MS = 300_000;
/** Maximum difference between the clock offsets computed from two servers' times (milliseconds). */
const OFFSETS_AGREE_MS = 120_000;

/** Currency in which the sources are compared: the only one available from WhatsOnChain. */
const COMPARED = 'USD';

const exchangeRate = z.object({ currency: z.literal('USD'), rate: z.unknown(), time: z.optional(z.unknown()) });

const NOTHING: KnownRates = { service: null, index: null, askedAt: 0 };

const memoryOf = part(() => ({
  // Concurrent requests from many pages share one query.
  asking: undefined as Promise<KnownRates> | undefined,
}));

/** Returns the rates of both sources, at most 30 seconds old if a source responds. */
async function knownRates(wallet: Wallet): Promise<KnownRates> {
  const memory = memoryOf(wallet);
  const known = { ...NOTHING, ...(await readKey(wallet, 'rates')) };
  const age = wallet.now() - known.askedAt;
  if (age >= 0 && age <= FRESH_MS) return known;
  memory.asking ??= ask(wallet).finally(() => (memory.asking = undefined));
  return memory.asking;
}

/**
 * Queries both sources. If one fails, its previous response remains in use. Queries again if the user has chosen a
 * different service or index in the meantime.
 */
async function ask(wallet: Wallet): Promise<KnownRates> {
  const before = await readSettings(wallet);
  const [service, index] = await Promise.all([
    tableOfService(wallet).catch(() => null),
    dollarOfIndex(wallet).catch(() => null),
  ]);
  if (service === null && index === null) return { ...NOTHING, ...(await readKey(wallet, 'rates')) };
  const tx = await keyTransaction(wallet);
  const known = { ...NOTHING, ...(await keyIn(tx, 'rates')) };
  const news = { service: service ?? known.service, index: index ?? known.index, askedAt: wallet.now() };
  const { serviceUrl, wocUrl } = await settingsIn(wallet, tx);
  const isCurrent = serviceUrl === before.serviceUrl && wocUrl === before.wocUrl;
  if (isCurrent) await putKeyIn(tx, 'rates', news);
  await tx.done;
  return isCurrent ? news : ask(wallet);
}

/** Caps a source's time at the current time so that a source clock ahead of ours can't keep a price fresh longer. */
const notLater = (wallet: Wallet, time: number): number => Math.min(time, wallet.now());

/** Returns the arrival time of a response, and this clock's lead over the server's (milliseconds). */
function received(wallet: Wallet, { date }: HttpResponse): { receivedAt: number; clockOffset: number | null } {
  const receivedAt = wallet.now();
  return { receivedAt, clockOffset: date === null ? null : receivedAt - date };
}

async function tableOfService(wallet: Wallet): Promise<KnownRates['service']> {
  const { serviceUrl } = await readSettings(wallet);
  const answer = await send(wallet, `${serviceUrl}/api/v2/rates`, { timeoutMs: TIMEOUT_MS, maxBytes: 100_000 });
  const { rates, time } = ratesResponse.parse(parseJson(answer.text));
  const at = Date.parse(time);
  if (answer.status !== 200 || Number.isNaN(at)) return null;
  const prices = Object.fromEntries(
    Object.entries(rates).filter(([code, price]) => isCurrencyCode(code) && priceText(price) !== null),
  );
  return { prices, time: notLater(wallet, at), ...received(wallet, answer) };
}

async function dollarOfIndex(wallet: Wallet): Promise<KnownRates['index']> {
  const { wocUrl } = await networkInfo(wallet);
  const headers = keyHeaders(await operatorKey(wallet, wocUrl));
  const answer = await send(wallet, `${wocUrl}/exchangerate`, { headers, timeoutMs: TIMEOUT_MS, maxBytes: 10_000 });
  const { rate, time } = exchangeRate.parse(parseJson(answer.text));
  const price = priceText(rate);
  if (answer.status !== 200 || price === null) return null;
  // WhatsOnChain's time, if present, is in seconds.
  return {
    price,
    time: notLater(wallet, typeof time === 'number' ? time * 1000 : wallet.now()),
    ...received(wallet, answer),
  };
}

/**
 * Returns the current price of one BSV in a currency; 1 for BSV itself, without a request.
 * @throws ServiceError `rate-unavailable` (no price younger than 10 minutes), `clock-ahead` (no such price because this
 * computer's clock is wrong), `rates-differ` (the sources differ by more than 5%), `invalid-currency` (not among the
 * service's prices)
 */
export async function rateOf(wallet: Wallet, currency: string): Promise<Rate> {
  if (currency === 'BSV') return { currency, price: '1', time: wallet.now(), sources: 2 };
  return agreedRate(await knownRates(wallet), currency, wallet.now());
}

/** Returns the current rate, or null if unavailable: for display, never for payments. */
export async function rateOrNull(wallet: Wallet, currency: string): Promise<Rate | null> {
  return rateOf(wallet, currency).catch(() => null);
}

/** Returns the price to store with received money, in the user's currency; null if none is reliable. */
export async function priceNow(wallet: Wallet): Promise<{ currency: string; price: string; time: number } | null> {
  const { currency } = await readSettings(wallet);
  const rate = currency === 'BSV' ? null : await rateOrNull(wallet, currency);
  return rate && { currency, price: rate.price, time: wallet.now() };
}

/** True if the current price applies to an event. @param time milliseconds since 1970 */
export const isRecent = (wallet: Wallet, time: number): boolean => wallet.now() - time <= RECENT_MS;

/** Returns the price in the user's currency from stored rates, without a request; null if none is recent enough. */
export async function cachedPrice(wallet: Wallet): Promise<{ currency: string; price: string; time: number } | null> {
  const { currency } = await readSettings(wallet);
  const price = currency === 'BSV' ? null : await storedPrice(wallet, currency);
  return price === null ? null : { currency, price, time: wallet.now() };
}

/**
 * Converts satoshis to USD (decimal string, two to eight decimals) with stored rates; null if none is recent enough.
 */
export async function inDollars(wallet: Wallet, satoshis: bigint): Promise<string | null> {
  const price = await storedPrice(wallet, 'USD');
  return price === null ? null : fromSatoshis(satoshis, price, 8).replace(/0{1,6}$/, '');
}

async function storedPrice(wallet: Wallet, currency: string): Promise<string | null> {
  try {
    return agreedRate({ ...NOTHING, ...(await readKey(wallet, 'rates')) }, currency, wallet.now()).price;
  } catch {
    return null;
  }
}

/** Returns the current rate, or the reason why it is unavailable, for display. */
export async function rateOrProblem(wallet: Wallet, currency: string): Promise<Pick<Overview, 'rate' | 'rateProblem'>> {
  return rateOf(wallet, currency).then(
    (rate) => ({ rate, rateProblem: null }),
    (error: unknown) => ({ rate: null, rateProblem: toWireError(error).code }),
  );
}

/** True if two prices differ by at most 5% of the smaller one. Uses exact arithmetic. */
export function agree(one: string, other: string): boolean {
  const [a, b] = [parseDecimal(one), parseDecimal(other)];
  const [x, y] = [a.units * 10n ** BigInt(b.scale), b.units * 10n ** BigInt(a.scale)];
  return x > y ? (x - y) * 20n <= y : (y - x) * 20n <= x;
}

/**
 * Returns the rate for a currency, at the service's price. WhatsOnChain can confirm only the dollar price. The dollar
 * values of other currencies come only from the service, so the rate also includes the dollar price, and allowances
 * have an additional ceiling in satoshis (wallet/allowances/decide.ts).
 * @throws ServiceError `rates-differ` (for any currency), `rate-unavailable` (no price younger than 10 minutes),
 * `clock-ahead` (no such price because this computer's clock is wrong), `invalid-currency` (not among the service's
 * prices)
 */
export function agreedRate({ service, index }: KnownRates, currency: string, now: number): Rate {
  const young = <T extends ResponseTime>(source: T | null): T | null =>
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
 * Rejects a payment if its rate has become too old while its window was open.
 * @param rate the rate used for the conversion; undefined if nothing was converted
 * @throws ServiceError `rate-unavailable`
 */
export function refuseOldRate(rate: Rate | undefined, now: number): void {
  if (rate === undefined || rate.currency === 'BSV' || isYoung(rate.time, now)) return;
  throw new ServiceError('rate-unavailable', {
    message:
      'The exchange rate of this payment is older than 10 minutes. Close it and start again. No money has moved.',
  });
}

/** Returns how far this clock is ahead of all servers' clocks (milliseconds), or null if it isn't clearly ahead. */
function clockAhead(sources: readonly (ResponseTime | null)[]): number | null {
  const offsets = sources.flatMap((source) => source?.clockOffset ?? []);
  const [least, most] = [Math.min(...offsets), Math.max(...offsets)];
  return offsets.length > 0 && least >= MIN_CLOCK_OFFSET_MS && most - least <= OFFSETS_AGREE_MS ? least : null;
}

/** The wallet's windows parse the number and unit from this message to translate it. */
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

/**
 * True if a time is at most the maximum age from now, in either direction, because the clock may have been set back.
 */
const isYoung = (time: number, now: number): boolean => Math.abs(now - time) <= MAX_AGE_MS;

const own = (prices: Record<string, string>, currency: string): string | null =>
  Object.hasOwn(prices, currency) ? (prices[currency] as string) : null;
