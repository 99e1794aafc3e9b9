import * as z from 'zod/mini';
import type { Network } from '../../protocol/bitcoin/address.ts';
import { MAX_RETRY_AFTER_MS, retryAfterMs } from '../../protocol/network/broadcaster/outcome.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { isCurrencyCode, priceText } from '../../protocol/money/money.ts';
import { fetchJson } from '../chain/fetch-json.ts';
import { cached, type Fetched } from './cached.ts';

type Rates = Record<string, string>;

/** Devnet's coins are worthless, so fixed round prices keep examples and tests predictable. */
const DEVNET_RATES: Readonly<Rates> = {
  USD: '50',
  EUR: '45',
  GBP: '40',
  CHF: '44',
  CAD: '68',
  AUD: '76',
  JPY: '7500',
  CNY: '360',
  INR: '4200',
  BRL: '270',
  MXN: '900',
  KRW: '69000',
  BTC: '0.0005',
  LINK: '4',
};

/** Currencies requested if the source's own list is unavailable. */
export const CURRENCIES = [
  'AED',
  'ARS',
  'AUD',
  'BDT',
  'BHD',
  'BRL',
  'CAD',
  'CHF',
  'CLP',
  'CNY',
  'CZK',
  'DKK',
  'EUR',
  'GBP',
  'HKD',
  'HUF',
  'IDR',
  'ILS',
  'INR',
  'JPY',
  'KRW',
  'KWD',
  'LKR',
  'MXN',
  'MYR',
  'NGN',
  'NOK',
  'NZD',
  'PHP',
  'PKR',
  'PLN',
  'SAR',
  'SEK',
  'SGD',
  'THB',
  'TRY',
  'TWD',
  'UAH',
  'USD',
  'VND',
  'ZAR',
];

/** Units of bitcoin rather than currencies. `SATS` would be mistaken for satoshis. */
const NO_CURRENCIES = new Set(['BSV', 'BITS', 'SATS']);
/** Maximum number of requested currencies, because the request URL contains them. */
const MAX_CURRENCIES = 200;

const COIN = 'bitcoin-cash-sv';
/** Minimum time between price requests, successful or not (ms). */
const ASK_EVERY_MS = 60_000;
/** Minimum time between price requests with an API key (ms). CoinGecko's demo keys allow 10,000 per month. */
const ASK_EVERY_WITH_KEY_MS = 300_000;
/** Minimum time between successful requests for the list of currencies (ms). */
const LIST_EVERY_MS = 24 * 3600_000;
/** Minimum time before a failed request for the list is repeated (ms). */
const LIST_RETRY_MS = 3600_000;
const MAX_AGE_MS = 600_000;

const simplePrice = z.object({
  [COIN]: z.looseObject({ last_updated_at: z.int().check(z.positive()) }),
});

interface Known {
  rates: Rates;
  time: number;
}

/**
 * Parses CoinGecko's GET /simple/price with `include_last_updated_at=true`. Skips prices that aren't positive decimals.
 * @throws ServiceError `rate-unavailable` without USD, which wallets use for comparison
 */
export function readSimplePrice(body: unknown, codes: readonly string[] = CURRENCIES): Known {
  const read = simplePrice.safeParse(body);
  if (!read.success)
    throw new ServiceError('rate-unavailable', { detail: 'the rate source’s prices have an unexpected format' });
  const prices = read.data[COIN];
  const priced = codes.flatMap((code) => {
    const price = priceText(prices[code.toLowerCase()]);
    return price === null ? [] : [[code, price] as const];
  });
  const rates = Object.fromEntries(priced);
  if (rates.USD === undefined)
    throw new ServiceError('rate-unavailable', { detail: 'the rate source’s prices lack the dollar' });
  return { rates, time: prices.last_updated_at * 1000 };
}

/** Parses CoinGecko's GET /simple/supported_vs_currencies. @throws ServiceError `rate-unavailable` without USD */
export function readSupported(body: unknown): string[] {
  const listed = Array.isArray(body)
    ? body.filter((code) => typeof code === 'string').map((code) => code.toUpperCase())
    : [];
  const codes = [...new Set(listed)].filter((code) => isCurrencyCode(code) && !NO_CURRENCIES.has(code)).sort();
  if (!codes.includes('USD'))
    throw new ServiceError('rate-unavailable', { detail: 'the rate source’s list of currencies lacks the dollar' });
  return codes.slice(0, MAX_CURRENCIES).concat(codes.indexOf('USD') < MAX_CURRENCIES ? [] : 'USD');
}

/** Returns the rates and their time, which is at most 10 minutes ago. */
export interface RateSource {
  /** @throws ServiceError `rate-unavailable` */
  (): Promise<Fetched<Rates>>;
  /** Returns the time of the last known rates in ms since 1970; null before the first. */
  knownAt(): number | null;
}

/**
 * Creates a source: fixed rates for devnet, otherwise those of a CoinGecko-compatible API. WhatsOnChain isn't used,
 * because wallets compare these rates with WhatsOnChain's.
 * @param ratesUrl base URL of the API
 * @param ratesKey API key, sent like CoinGecko's demo keys
 */
export function createRateSource({
  network,
  ratesUrl,
  ratesKey = null,
  now,
  onError,
}: {
  network: Network;
  ratesUrl: string;
  ratesKey?: string | null;
  now: () => Date;
  onError: (error: unknown) => void;
}): RateSource {
  if (network === 'devnet') {
    const fixed = async () => ({ value: { ...DEVNET_RATES }, time: now().getTime() });
    return Object.assign(fixed, { knownAt: () => now().getTime() });
  }
  /** When the source's Retry-After period ends, in ms since 1970. */
  let notBefore = 0;
  const get = async (path: string) => {
    const waitMs = notBefore - now().getTime();
    // A wait longer than the maximum Retry-After means that the clock was set back.
    if (waitMs > 0 && waitMs <= MAX_RETRY_AFTER_MS)
      throw new ServiceError('rate-unavailable', { detail: 'the rate source’s Retry-After has not passed' });
    const { status, body, retryAfter } = await fetchJson(`${ratesUrl}${path}`, {
      headers: ratesKey === null ? {} : { 'x-cg-demo-api-key': ratesKey },
    });
    notBefore = now().getTime() + (retryAfterMs(retryAfter, now().getTime()) ?? 0);
    if (status !== 200)
      throw new ServiceError('rate-unavailable', { detail: `the rate source responded with ${status}` });
    return body;
  };
  const supported = cached(async () => readSupported(await get('/simple/supported_vs_currencies')), {
    lifeMs: LIST_EVERY_MS,
    staleMs: Infinity,
    retryMs: LIST_RETRY_MS,
    now,
    // Ignored here, because the price request that follows reports a failing source.
    onError: () => undefined,
  });
  const ask = cached(
    async () => {
      try {
        const codes = await supported().then(
          ({ value }) => value,
          () => CURRENCIES,
        );
        return readSimplePrice(
          await get(
            `/simple/price?ids=${COIN}&vs_currencies=${codes.join(',').toLowerCase()}&include_last_updated_at=true`,
          ),
          codes,
        );
      } catch (cause) {
        throw cause instanceof ServiceError && cause.code === 'rate-unavailable'
          ? cause
          : new ServiceError('rate-unavailable', { cause });
      }
    },
    {
      lifeMs: ratesKey === null ? ASK_EVERY_MS : ASK_EVERY_WITH_KEY_MS,
      staleMs: MAX_AGE_MS,
      retryMs: ASK_EVERY_MS,
      now,
      onError,
    },
  );
  let knownAt: number | null = null;
  const source = async () => {
    const { value, time: askedAt } = await ask();
    // Prevents a source with a fast clock from making rates look newer than their request.
    const time = Math.min(value.time, askedAt);
    knownAt = time;
    if (now().getTime() - time >= MAX_AGE_MS)
      throw new ServiceError('rate-unavailable', { detail: 'the rate source’s last update is too old' });
    return { value: value.rates, time };
  };
  return Object.assign(source, { knownAt: () => knownAt });
}
