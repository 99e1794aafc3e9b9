import { afterEach, describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { answering, type RecordedRequest } from '../../testkit/network/answers.ts';
import { endAllWorkerRuns, Profile } from '../../testkit/wallet/worker-run.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);
const ownFetch = globalThis.fetch;
const NOW = Date.parse('2026-03-01T12:00:00Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Responses from the two sources. A source without a response fails. */
interface Prices {
  /** The `Date` header of both sources. */
  date?: number;
  rates?: unknown;
  time?: unknown;
  serviceStatus?: number;
  exchangeRate?: unknown;
}

/** Starts a wallet whose service and index report these prices. `at` sets the clock. */
async function wallet(prices: Prices) {
  const headers = () => prices.date !== undefined && { headers: { date: new Date(prices.date).toUTCString() } };
  const { url, asked } = await answering((one: RecordedRequest) => {
    if (one.url === '/api/v2/network')
      return {
        body: {
          network: 'devnet',
          arcUrl: `${url}/arc`,
          wocUrl: `${url}/woc`,
          feePolicy: { satoshis: 1, bytes: 1000 },
        },
      };
    if (one.url === '/api/v2/rates')
      return {
        status: prices.serviceStatus ?? (prices.rates ? 200 : 503),
        ...headers(),
        body: { rates: prices.rates ?? {}, time: prices.time ?? new Date(NOW).toISOString() },
      };
    return prices.exchangeRate === undefined ? { status: 500 } : { body: prices.exchangeRate, ...headers() };
  });
  await new Profile(url).start();
  // Replaces the test worker's `fetch`, because it advances `Date`, but these tests stop the clock.
  vi.stubGlobal('fetch', ownFetch);
  const at = (time: number) => void vi.mocked(Date.now).mockReturnValue(time);
  at(NOW);
  return {
    ...(await import('./rates.ts')),
    at,
    asks: () => asked.map((a) => a.url).filter((path) => path !== '/api/v2/network'),
  };
}

const dollar = (rate: unknown, time: unknown = NOW / 1000) => ({ currency: 'USD', rate, time });

describe('the rate', () => {
  test('the rate of BSV itself is one, without a request', async () => {
    const { rateOf, asks } = await wallet({});
    expect(await rateOf(current, 'BSV')).toMatchObject({ currency: 'BSV', price: '1', sources: 2 });
    expect(asks()).toEqual([]);
  });

  test('the rate is requested from both sources, once for many callers, and again after half a minute', async () => {
    const prices: Prices = { rates: { USD: '50.5', EUR: '45' }, exchangeRate: dollar(50) };
    const { rateOf, at, asks } = await wallet(prices);
    const [usd, eur] = await Promise.all([rateOf(current, 'USD'), rateOf(current, 'EUR')]);
    expect(usd).toEqual({ currency: 'USD', price: '50.5', dollar: '50.5', time: NOW, sources: 2 });
    expect(eur).toMatchObject({ price: '45', sources: 2 });
    at(NOW + 30 * SECOND);
    expect(await codeOf(rateOf(current, 'ZZZ'))).toBe('invalid-currency');
    expect(asks().sort()).toEqual(['/api/v2/rates', '/woc/exchangerate']);
    at(NOW + 30 * SECOND + 1);
    Object.assign(prices, { rates: { USD: '60' }, exchangeRate: dollar('60.1') });
    expect(await rateOf(current, 'USD')).toMatchObject({ price: '60', sources: 2 });
    expect(asks()).toHaveLength(4);
  });

  test('the rate is as old as the older of the two prices, by their own clocks', async () => {
    const { rateOf } = await wallet({
      rates: { USD: '50' },
      time: new Date(NOW - MINUTE).toISOString(),
      exchangeRate: dollar(50, (NOW - 3 * MINUTE) / 1000),
    });
    expect(await rateOf(current, 'USD')).toMatchObject({ time: NOW - 3 * MINUTE, sources: 2 });
  });

  test.each([
    [15 * MINUTE, '15 minutes'],
    [3 * 60 * MINUTE, '3 hours'],
    [365 * 24 * 60 * MINUTE, '365 days'],
  ])('the rate is missing because of the clock if the clock is %d ms ahead', async (ahead, words) => {
    const { rateOf, rateOrProblem, at } = await wallet({
      rates: { USD: '50' },
      time: new Date(NOW - 20 * SECOND).toISOString(),
      exchangeRate: dollar(50, NOW / 1000 - 30),
      date: NOW,
    });
    at(NOW + ahead);
    await expect(rateOf(current, 'USD')).rejects.toMatchObject({
      code: 'clock-ahead',
      message: `Your computer's clock is ${words} ahead. Set it right, then try again. No money has moved.`,
    });
    expect(await rateOrProblem(current, 'USD')).toEqual({ rate: null, rateProblem: 'clock-ahead' });
    expect(await rateOf(current, 'BSV')).toMatchObject({ price: '1' });
    // After the clock is corrected, the sources are queried again.
    at(NOW + 40 * SECOND);
    expect(await rateOf(current, 'USD')).toMatchObject({ price: '50', sources: 2 });
  });

  test("a rate that is old by its own server's clock isn't blamed on this computer", async () => {
    const { rateOf } = await wallet({
      rates: { USD: '50' },
      time: new Date(NOW - 15 * MINUTE).toISOString(),
      date: NOW,
    });
    expect(await codeOf(rateOf(current, 'USD'))).toBe('rate-unavailable');
  });

  test('the rate is unavailable while the two prices differ, and available again once they agree', async () => {
    const prices: Prices = { rates: { USD: '50', EUR: '45' }, exchangeRate: dollar('52.51') };
    const { rateOf, rateOrNull, rateOrProblem, at } = await wallet(prices);
    expect(await codeOf(rateOf(current, 'USD'))).toBe('rates-differ');
    expect(await codeOf(rateOf(current, 'EUR'))).toBe('rates-differ');
    expect(await rateOrNull(current, 'EUR')).toBeNull();
    expect(await rateOrProblem(current, 'EUR')).toEqual({ rate: null, rateProblem: 'rates-differ' });
    expect(await rateOf(current, 'BSV')).toMatchObject({ price: '1' });
    at(NOW + MINUTE);
    prices.exchangeRate = dollar('52.5');
    expect(await rateOf(current, 'EUR')).toMatchObject({ price: '45', sources: 2 });
    expect(await rateOrProblem(current, 'EUR')).toEqual({
      rate: expect.objectContaining({ price: '45' }),
      rateProblem: null,
    });
  });

  test('the rate comes from one source if the other doesn’t respond or has only old prices', async () => {
    const alone = await wallet({ rates: { USD: '50', EUR: '45' } });
    expect(await alone.rateOf(current, 'EUR')).toMatchObject({ price: '45', sources: 1 });
    endAllWorkerRuns();
    const index = await wallet({ exchangeRate: dollar(47) });
    expect(await index.rateOf(current, 'USD')).toMatchObject({ price: '47', sources: 1 });
    expect(await codeOf(index.rateOf(current, 'EUR'))).toBe('rate-unavailable');
    endAllWorkerRuns();
    const stale = await wallet({ rates: { USD: '50' }, exchangeRate: dollar(99, (NOW - 11 * MINUTE) / 1000) });
    expect(await stale.rateOf(current, 'USD')).toMatchObject({ price: '50', sources: 1 });
  });

  test('a known rate is used for ten minutes while no source responds, and no longer', async () => {
    const prices: Prices = { rates: { USD: '50' }, exchangeRate: dollar(50) };
    const { rateOf, rateOrProblem, at } = await wallet(prices);
    await rateOf(current, 'USD');
    Object.assign(prices, { rates: undefined, exchangeRate: undefined });
    at(NOW + 10 * MINUTE);
    expect(await rateOf(current, 'USD')).toMatchObject({ price: '50', time: NOW, sources: 2 });
    at(NOW + 10 * MINUTE + 1);
    expect(await codeOf(rateOf(current, 'USD'))).toBe('rate-unavailable');
    expect(await rateOrProblem(current, 'USD')).toEqual({ rate: null, rateProblem: 'rate-unavailable' });
  });

  test('the price of an unresponsive source ages while the other stays fresh', async () => {
    const prices: Prices = { rates: { USD: '50' }, exchangeRate: dollar(50) };
    const { rateOf, at } = await wallet(prices);
    await rateOf(current, 'USD');
    prices.exchangeRate = undefined;
    prices.time = new Date(NOW + 9 * MINUTE).toISOString();
    at(NOW + 9 * MINUTE);
    expect(await rateOf(current, 'USD')).toMatchObject({ time: NOW, sources: 2 });
    at(NOW + 11 * MINUTE);
    prices.time = new Date(NOW + 11 * MINUTE).toISOString();
    expect(await rateOf(current, 'USD')).toMatchObject({ time: NOW + 11 * MINUTE, sources: 1 });
  });

  test("a rate from the future doesn't stay fresh for longer", async () => {
    const prices: Prices = {
      rates: { USD: '50' },
      time: '2100-01-01T00:00:00Z',
      exchangeRate: dollar(50, 4_102_444_800),
    };
    const { rateOf, at } = await wallet(prices);
    expect((await rateOf(current, 'USD')).time).toBe(NOW);
    Object.assign(prices, { rates: undefined, exchangeRate: undefined });
    at(NOW + 10 * MINUTE + 1);
    expect(await codeOf(rateOf(current, 'USD'))).toBe('rate-unavailable');
  });

  test.each(['', 'now', 'yesterday', '2026-13-45'])('a rate with the time %j is ignored', async (time) => {
    const { rateOf } = await wallet({ rates: { USD: '50' }, time });
    expect(await codeOf(rateOf(current, 'USD'))).toBe('rate-unavailable');
  });

  test('rates that arrive after the user has chosen another service aren’t used', async () => {
    const { rateOf } = await wallet({ rates: { USD: '50', EUR: '5' }, exchangeRate: dollar(50) });
    const { url } = await answering((one: RecordedRequest) =>
      one.url === '/api/v2/rates'
        ? { body: { rates: { USD: '50', EUR: '45' }, time: new Date(NOW).toISOString() } }
        : { status: 404 },
    );
    const { writeSettings } = await import('../settings.ts');
    vi.stubGlobal('fetch', async (...args: Parameters<typeof fetch>) => {
      const response = await ownFetch(...args);
      if (String(args[0]).endsWith('/api/v2/rates')) await writeSettings(current, { serviceUrl: url });
      return response;
    });
    expect(await rateOf(current, 'EUR')).toMatchObject({ price: '45' });
    expect(await rateOf(current, 'EUR')).toMatchObject({ price: '45' });
  });

  test('a rate in a service’s error response is ignored', async () => {
    const { rateOf } = await wallet({ rates: { USD: '50' }, serviceStatus: 500 });
    expect(await codeOf(rateOf(current, 'USD'))).toBe('rate-unavailable');
  });

  test.each([
    ['a number', dollar(47.5), '47.5'],
    ['a text', dollar('47.5'), '47.5'],
    ['a number with all its digits', dollar(47.123456789012344), '47.123456789012344'],
    ['a whole number', dollar(47), '47'],
    ['without a time', { currency: 'USD', rate: 47 }, '47'],
    ['with an invalid time', dollar(47, 'now'), '47'],
  ])('the index’s dollar rate is parsed in each form: %s', async (_, exchangeRate, price) => {
    const { rateOf } = await wallet({ exchangeRate });
    expect(await rateOf(current, 'USD')).toMatchObject({ currency: 'USD', price });
  });

  test.each([
    {},
    'x',
    { currency: 'EUR', rate: 5 },
    { currency: 'USD' },
    dollar(-5),
    dollar(0),
    dollar(''),
    dollar('NaN'),
    dollar(1e-9),
    dollar('1e3'),
    dollar(null),
  ])('the response %j is not accepted as a rate', async (exchangeRate) => {
    const { rateOf } = await wallet({ exchangeRate });
    expect(await codeOf(rateOf(current, 'USD'))).toBe('rate-unavailable');
  });

  test('the rate of an unlisted currency is unavailable, and malformed prices are left out', async () => {
    const { rateOf } = await wallet({
      rates: { USD: '50', EUR: '-1', GBP: '1e5', CHF: '0', CAD: '007', eur: '5', toolong: '5' },
      exchangeRate: dollar(50),
    });
    for (const currency of ['EUR', 'GBP', 'CHF', 'CAD', 'eur', 'toolong', 'ZZZ'])
      expect(await codeOf(rateOf(current, currency))).toBe('invalid-currency');
    expect(await rateOf(current, 'USD')).toMatchObject({ price: '50' });
  });

  test('a rate stored by an earlier version is dropped', async () => {
    const { rateOf } = await wallet({});
    const { writeKey } = await import('../store/database.ts');
    await writeKey(current, 'rates', [{ currency: 'USD', price: '50', time: NOW }] as never);
    expect(await codeOf(rateOf(current, 'USD'))).toBe('rate-unavailable');
  });
});
