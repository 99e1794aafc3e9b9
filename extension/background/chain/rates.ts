/** What one BSV costs. The service's table first; its dollar price from WhatsOnChain where the service is down. */
import * as z from 'zod/mini';
import { ratesResponse } from '../../../protocol/api.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import type { Rate } from '../../../protocol/wallet-messages.ts';
import { readKey, writeKey } from '../database.ts';
import { parseJson, send } from './http.ts';
import { networkInfo } from './network.ts';

/** Rates younger than this are used without asking again (milliseconds). */
const FRESH_MS = 30_000;
/** No payment is converted with a rate older than this (milliseconds). */
export const MAX_AGE_MS = 600_000;

const exchangeRate = z.object({ currency: z.string(), rate: z.union([z.number(), z.string()]), time: z.optional(z.number()) });
const price = z.string().check(z.regex(/^\d{1,12}(?:\.\d{1,18})?$/));

// When this worker last had the service's whole table: what is not in it need not be asked for again at once.
let wholeTableAt = 0;

// Many pages may ask at the same moment: one look answers them all.
let fetching: ReturnType<typeof fetchOnce> | undefined;

/** The rates, and whether they are the service's whole table. */
function fetchRates(): ReturnType<typeof fetchOnce> {
  fetching ??= fetchOnce().finally(() => (fetching = undefined));
  return fetching;
}

async function fetchOnce(): Promise<{ fetched: Rate[]; whole: boolean }> {
  const { serviceUrl, wocUrl } = await networkInfo();
  try {
    const answer = await send(`${serviceUrl}/api/v2/rates`, { timeoutMs: 5000, maxBytes: 100_000 });
    const { rates, time } = ratesResponse.parse(parseJson(answer.text));
    const at = Date.parse(time);
    if (Number.isNaN(at)) throw new ServiceError('rate-unavailable', { detail: 'rates of no time' });
    const fetched = Object.entries(rates)
      .filter(([code, value]) => /^[A-Z]{3}$/.test(code) && price.safeParse(value).success)
      .map(([currency, value]) => ({ currency, price: value, time: Math.min(at, Date.now()) }));
    return { fetched, whole: true };
  } catch {
    const answer = await send(`${wocUrl}/exchangerate`, { timeoutMs: 5000, maxBytes: 10_000 });
    const parsed = exchangeRate.safeParse(parseJson(answer.text));
    const value = parsed.success ? price.safeParse(String(parsed.data.rate)) : null;
    if (!parsed.success || !value?.success || parsed.data.currency !== 'USD') throw new ServiceError('rate-unavailable');
    return { fetched: [{ currency: 'USD', price: value.data, time: Date.now() }], whole: false };
  }
}

/**
 * What one BSV costs in a currency now; 1 for BSV itself.
 * @throws ServiceError `rate-unavailable` (no price younger than 10 minutes), `invalid-currency` (not in the service's table)
 */
export async function rateOf(currency: string): Promise<Rate> {
  if (currency === 'BSV') return { currency, price: '1', time: Date.now() };
  let rates = (await readKey('rates')) ?? [];
  let whole = false;
  const known = rates.find((one) => one.currency === currency);
  if (!known && rates.length > 0 && Date.now() - wholeTableAt < FRESH_MS) throw new ServiceError('invalid-currency');
  if (!known || Date.now() - known.time > FRESH_MS) {
    try {
      const answer = await fetchRates();
      const { fetched } = answer;
      whole = answer.whole;
      if (whole) wholeTableAt = Date.now();
      rates = [...fetched, ...rates.filter((old) => fetched.every((rate) => rate.currency !== old.currency))];
      await writeKey('rates', rates);
    } catch {
      // what is known may still be young enough
    }
  }
  const rate = rates.find((one) => one.currency === currency);
  if (!rate) throw new ServiceError(whole ? 'invalid-currency' : 'rate-unavailable');
  if (Date.now() - rate.time > MAX_AGE_MS) throw new ServiceError('rate-unavailable');
  return rate;
}

/** The same, or null where it is not to be had: for what is shown, never for what is paid. */
export async function rateOrNull(currency: string): Promise<Rate | null> {
  return rateOf(currency).catch(() => null);
}
