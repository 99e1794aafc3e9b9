/** What one BSV costs, as decimal text by currency code. */
import * as z from 'zod/mini';
import type { Network } from '../../protocol/address.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { parseDecimal } from '../../protocol/money.ts';
import { fetchJson } from '../chain/fetch-json.ts';
import { cached, type Fetched } from './cached.ts';

/** Prices by currency code. */
type Rates = Record<string, string>;

/** Devnet's coins are worth nothing: fixed, round prices, so that examples and tests can say what comes out. */
const DEVNET_RATES: Readonly<Rates> = {
  USD: '50', EUR: '45', GBP: '40', CHF: '44', CAD: '68', AUD: '76', JPY: '7500', CNY: '360', INR: '4200', BRL: '270', MXN: '900', KRW: '69000',
};

const exchangeRate = z.object({ currency: z.literal('USD'), rate: z.union([z.number(), z.string()]) });

/**
 * The price in WhatsOnChain's GET /exchangerate, which is a number or a string, as decimal text.
 * @throws ServiceError `rate-unavailable`
 */
export function readExchangeRate(body: unknown): string {
  const read = exchangeRate.safeParse(body);
  if (!read.success) throw new ServiceError('rate-unavailable', { detail: 'an exchange rate of unexpected form' });
  const price = String(read.data.rate);
  try {
    if (parseDecimal(price).units > 0n) return price;
  } catch {
    // Negative, exponential or no number at all: as useless as zero.
  }
  throw new ServiceError('rate-unavailable', { detail: 'an exchange rate that is no positive decimal number' });
}

/** Gives the rates and when they were known, at most 10 minutes ago. @throws ServiceError `rate-unavailable` */
export type RateSource = () => Promise<Fetched<Rates>>;

/** Devnet's fixed table; elsewhere the dollar's price from WhatsOnChain, asked at most once a minute. */
export function createRateSource({ network, wocUrl, now, onError }: {
  network: Network;
  wocUrl: string;
  now: () => Date;
  onError: (error: unknown) => void;
}): RateSource {
  if (network === 'devnet') return async () => ({ value: { ...DEVNET_RATES }, time: now().getTime() });
  return cached(async () => {
    try {
      const { status, body } = await fetchJson(`${wocUrl}/exchangerate`);
      if (status !== 200) throw new ServiceError('rate-unavailable', { detail: `WhatsOnChain answered ${status}` });
      return { USD: readExchangeRate(body) };
    } catch (cause) {
      throw cause instanceof ServiceError && cause.code === 'rate-unavailable' ? cause : new ServiceError('rate-unavailable', { cause });
    }
  }, { lifeMs: 60_000, staleMs: 600_000, now, onError });
}
