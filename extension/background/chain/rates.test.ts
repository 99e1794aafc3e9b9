import { afterEach, describe, expect, test, vi } from 'vitest';
import { answering, type Asked } from '../testing/answers.ts';
import { endAllLives, Profile } from '../testing/life.ts';

afterEach(endAllLives);
const codeOf = (promise: Promise<unknown>) => promise.then(() => 'none', (error: { code?: string }) => error.code ?? error);
const NOW = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;

interface Prices {
  rates?: unknown;
  time?: unknown;
  exchangeRate?: unknown;
  serviceDown?: boolean;
}

/** A wallet whose service and index give these prices; `at` sets the clock. */
async function wallet(prices: Prices) {
  const { url, asked } = await answering((one: Asked) => {
    if (one.url === '/api/v2/network') return { body: { network: 'devnet', arcUrl: `${url}/arc`, wocUrl: `${url}/woc`, feePolicy: { satoshis: 1, bytes: 1000 } } };
    if (one.url === '/api/v2/rates') return prices.serviceDown ? { status: 503 } : { body: { rates: prices.rates ?? {}, time: prices.time ?? new Date(NOW).toISOString() } };
    return prices.exchangeRate === undefined ? { status: 500 } : { body: prices.exchangeRate };
  });
  await new Profile(url).start();
  const at = (time: number) => void vi.mocked(Date.now).mockReturnValue(time);
  at(NOW);
  return { ...(await import('./rates.ts')), at, asks: (path: string) => asked.filter((a) => a.url === path).length };
}

describe('the rate', () => {
  test('of BSV itself is one, and asks nobody', async () => {
    const { rateOf, asks } = await wallet({});
    expect(await rateOf('BSV')).toMatchObject({ currency: 'BSV', price: '1' });
    expect(asks('/api/v2/rates')).toBe(0);
  });

  test("is the service's, asked for again after half a minute", async () => {
    const prices: Prices = { rates: { USD: '50.5', EUR: '45' } };
    const { rateOf, at, asks } = await wallet(prices);
    expect(await rateOf('USD')).toEqual({ currency: 'USD', price: '50.5', time: NOW });
    at(NOW + 30_000);
    expect(await rateOf('EUR')).toMatchObject({ price: '45' });
    expect(asks('/api/v2/rates')).toBe(1);
    at(NOW + 30_001);
    Object.assign(prices, { rates: { USD: '60' }, time: new Date(NOW + 30_001).toISOString() });
    expect(await rateOf('USD')).toMatchObject({ price: '60' });
    expect(asks('/api/v2/rates')).toBe(2);
  });

  test('known from before is used for ten minutes while nobody answers, and not a moment longer', async () => {
    const prices: Prices = { rates: { USD: '50' } };
    const { rateOf, rateOrNull, at } = await wallet(prices);
    await rateOf('USD');
    prices.serviceDown = true;
    at(NOW + 10 * MINUTE);
    expect(await rateOf('USD')).toMatchObject({ price: '50' });
    at(NOW + 10 * MINUTE + 1);
    expect(await codeOf(rateOf('USD'))).toBe('rate-unavailable');
    expect(await rateOrNull('USD')).toBeNull();
  });

  test('that the service itself calls old is not used', async () => {
    const { rateOf } = await wallet({ rates: { USD: '50' }, time: new Date(NOW - 10 * MINUTE - 1).toISOString() });
    expect(await codeOf(rateOf('USD'))).toBe('rate-unavailable');
  });

  test('of the future does not stay young for longer', async () => {
    const prices: Prices = { rates: { USD: '50' }, time: '2100-01-01T00:00:00Z' };
    const { rateOf, at } = await wallet(prices);
    expect((await rateOf('USD')).time).toBe(NOW);
    prices.serviceDown = true;
    at(NOW + 10 * MINUTE + 1);
    expect(await codeOf(rateOf('USD'))).toBe('rate-unavailable');
  });

  test.each(['', 'now', 'yesterday', '2026-13-45'])('of the time %j is not used', async (time) => {
    const { rateOf } = await wallet({ rates: { USD: '50' }, time });
    expect(await codeOf(rateOf('USD'))).toBe('rate-unavailable');
  });

  test.each([['a number', 47.5, '47.5'], ['a text', '47.5', '47.5'], ['a number with all its digits', 47.123456789012344, '47.123456789012344'], ['a whole number', 47, '47']])(
    'of the dollar is the index\'s while the service is down: %s', async (_, rate, price) => {
      const { rateOf } = await wallet({ serviceDown: true, exchangeRate: { currency: 'USD', rate, time: 1 } });
      expect(await rateOf('USD')).toMatchObject({ currency: 'USD', price });
    });

  test.each([{}, 'x', { currency: 'EUR', rate: 5 }, { currency: 'USD' }, { currency: 'USD', rate: -5 }, { currency: 'USD', rate: '' }, { currency: 'USD', rate: 'NaN' }, { currency: 'USD', rate: 1e-9 }, { currency: 'USD', rate: null }])(
    'is not %j', async (exchangeRate) => {
      const { rateOf } = await wallet({ serviceDown: true, exchangeRate });
      expect(await codeOf(rateOf('USD'))).toBe('rate-unavailable');
    });

  test('of a currency in no table is none, and prices of no form are left out', async () => {
    const { rateOf } = await wallet({ rates: { USD: '50', EUR: '-1', GBP: '1e5', eur: '5', toolong: '5' } });
    for (const currency of ['EUR', 'GBP', 'eur', 'toolong', 'ZZZ']) expect(await codeOf(rateOf(currency))).toBe('invalid-currency');
    expect(await rateOf('USD')).toMatchObject({ price: '50' });
  });

  test('of a currency that only the service knows is not to be had while it is down: that does not make it unknown', async () => {
    const { rateOf } = await wallet({ serviceDown: true, exchangeRate: { currency: 'USD', rate: 50 } });
    expect(await codeOf(rateOf('EUR'))).toBe('rate-unavailable');
  });
});
