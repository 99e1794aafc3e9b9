import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { cached } from './cached.ts';
import { createCurrencySource } from './currencies.ts';
import { createRateSource, readSimplePrice, readSupported } from './rates.ts';

const simplePrice = (prices: Record<string, unknown>) => ({
  'bitcoin-cash-sv': { last_updated_at: 1_740_000_000, ...prices },
});
const unavailable = expect.objectContaining({ code: 'rate-unavailable' });

describe('readSimplePrice', () => {
  it('returns every price as the decimal text of its number, with the source’s time', () => {
    expect(
      readSimplePrice(
        JSON.parse(
          '{"bitcoin-cash-sv":{"usd":16.53,"eur":15.1234567890123,"jpy":2.5e3,"vnd":420000,"krw":"23000.50","last_updated_at":1740000000}}',
        ),
      ),
    ).toEqual({
      rates: { USD: '16.53', EUR: '15.1234567890123', JPY: '2500', VND: '420000', KRW: '23000.50' },
      time: 1_740_000_000_000,
    });
  });

  it('ignores values that aren’t positive decimals, and unrequested currencies', () => {
    const odd = {
      usd: 16,
      eur: 0,
      gbp: -1,
      chf: 1e-7,
      cad: 1e21,
      aud: null,
      jpy: '1e3',
      cny: 'NaN',
      inr: '',
      brl: [5],
      mxn: { valueOf: 1 },
      btc: 0.0002,
      usd_market_cap: 5,
      constructor: 7,
    };
    expect(readSimplePrice(simplePrice(odd)).rates).toEqual({ USD: '16' });
    expect(readSimplePrice(simplePrice(odd), ['USD', 'BTC']).rates).toEqual({ USD: '16', BTC: '0.0002' });
  });

  it.each([
    null,
    [],
    {},
    'x',
    { bitcoin: { usd: 1, last_updated_at: 1 } },
    { 'bitcoin-cash-sv': { usd: 1 } },
    simplePrice({}),
    simplePrice({ usd: 0 }),
    simplePrice({ eur: 1 }),
    simplePrice({ usd: 1, last_updated_at: '1740000000' }),
    simplePrice({ usd: 1, last_updated_at: -1 }),
    { status: { error_code: 429 } },
  ])('rejects %j', (body) => {
    expect(() => readSimplePrice(body)).toThrowError(unavailable);
  });
});

describe('readSupported', () => {
  it('accepts codes of three to five letters, once each, except those read as satoshis', () => {
    expect(
      readSupported([
        'usd',
        'link',
        'matic',
        'BTC',
        'eur',
        'usd',
        'bsv',
        'sats',
        'bits',
        'us',
        'toolong',
        'u$d',
        5,
        null,
      ]),
    ).toEqual(['BTC', 'EUR', 'LINK', 'MATIC', 'USD']);
  });

  it('requests as many as fit into a URL, including the dollar', () => {
    const many = readSupported([
      ...Array.from({ length: 600 }, (_, i) => `a${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}`),
      'usd',
    ]);
    expect([many.length, many.includes('USD')]).toEqual([201, true]);
  });

  it.each([null, {}, [], ['eur'], 'usd'])('rejects %j', (body) =>
    expect(() => readSupported(body)).toThrowError(unavailable),
  );
});

describe('rates of a public network', () => {
  let answer: { status: number; body: string; headers?: Record<string, string> };
  /** The source's list of currencies; null if the source has no such endpoint. */
  let supported: string[] | null = null;
  let asked: string[] = [];
  let keys: unknown[] = [];
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/simple/supported_vs_currencies')) {
      response.writeHead(supported ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(supported));
      return;
    }
    asked.push(request.url ?? '');
    keys.push(request.headers['x-cg-demo-api-key']);
    response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers }).end(answer.body);
  });
  let base: string;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  const START = 1_740_000_000_000;
  function source(ratesKey: string | null = null) {
    const clock = { ms: START };
    const errors: unknown[] = [];
    asked = [];
    keys = [];
    const rates = createRateSource({
      network: 'mainnet',
      ratesUrl: `${base}/api/v3`,
      ratesKey,
      now: () => new Date(clock.ms),
      onError: (error) => errors.push(error),
    });
    return { clock, errors, rates };
  }
  const told = (usd: unknown, secondsBefore = 0) => ({
    status: 200,
    body: JSON.stringify(simplePrice({ usd, last_updated_at: START / 1000 - secondsBefore })),
  });

  it('the service requests them in CoinGecko’s format, once a minute for all callers', async () => {
    const { clock, rates } = source();
    answer = told(50.5, 30);
    for (const one of await Promise.all([rates(), rates(), rates()]))
      expect(one).toEqual({ value: { USD: '50.5' }, time: START - 30_000 });
    clock.ms += 59_999;
    await rates();
    expect(asked).toHaveLength(1);
    clock.ms += 1;
    await rates();
    expect(asked).toHaveLength(2);
    const url = new URL(asked[0] as string, base);
    expect(url.pathname).toBe('/api/v3/simple/price');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      ids: 'bitcoin-cash-sv',
      vs_currencies: expect.stringMatching(/^(?:[a-z]{3},)+[a-z]{3}$/),
      include_last_updated_at: 'true',
    });
    expect(url.searchParams.get('vs_currencies')?.split(',')).toEqual(
      expect.arrayContaining(['usd', 'eur', 'gbp', 'jpy', 'aud', 'brl', 'cad', 'chf', 'cny', 'inr']),
    );
  });

  it('the service requests and lists every currency that the source lists', async () => {
    supported = ['usd', 'link', 'btc', 'isk'];
    const { clock, rates } = source();
    const currencies = createCurrencySource(rates);
    answer = { status: 200, body: JSON.stringify(simplePrice({ usd: 50, link: 4, btc: 0.0005, isk: 7000, eur: 45 })) };
    expect((await rates()).value).toEqual({ USD: '50', LINK: '4', BTC: '0.0005', ISK: '7000' });
    expect(new URL(asked[0] as string, base).searchParams.get('vs_currencies')).toBe('btc,isk,link,usd');
    const known = {
      crypto: [
        { code: 'BSV', name: 'Bitcoin SV' },
        { code: 'BTC', name: 'Bitcoin' },
        { code: 'LINK', name: 'Chainlink' },
      ],
      fiat: [
        { code: 'ISK', name: 'Icelandic Króna' },
        { code: 'USD', name: 'US Dollar' },
      ],
    };
    expect(await currencies()).toEqual(known);
    // Known currencies remain listed while rates are unavailable.
    answer = { status: 500, body: '' };
    clock.ms += 3600_000;
    await expect(rates()).rejects.toMatchObject({ code: 'rate-unavailable' });
    expect(await currencies()).toEqual(known);
    supported = null;
  });

  it('the service doesn’t request them again within a minute of a failure', async () => {
    const { clock, rates } = source();
    answer = { status: 429, body: '{"status":{"error_code":429}}' };
    for (let i = 0; i < 3; i += 1) await expect(rates()).rejects.toMatchObject({ code: 'rate-unavailable' });
    expect(asked).toHaveLength(1);
    clock.ms += 60_000;
    answer = told(50);
    expect((await rates()).value).toEqual({ USD: '50' });
  });

  it('the service doesn’t request them before the source’s Retry-After', async () => {
    const { clock, errors, rates } = source();
    answer = { status: 429, body: '{}', headers: { 'Retry-After': '300' } };
    await expect(rates()).rejects.toMatchObject({ code: 'rate-unavailable' });
    for (clock.ms += 60_000; clock.ms < START + 300_000; clock.ms += 60_000)
      await expect(rates()).rejects.toMatchObject({ code: 'rate-unavailable' });
    expect(asked).toHaveLength(1);
    // One error per scheduled attempt, not per request to the service.
    expect(errors).toHaveLength(5);
    answer = told(50);
    expect((await rates()).value).toEqual({ USD: '50' });
    expect(rates.knownAt()).toBe(START);
  });

  it('the service requests them at most every five minutes with a key, which is sent in a header', async () => {
    const { clock, rates } = source('demo-key');
    answer = told(50);
    await rates();
    clock.ms += 299_999;
    await rates();
    expect(keys).toEqual(['demo-key']);
    expect(asked[0]).not.toContain('demo-key');
    clock.ms += 1;
    await rates();
    expect(keys).toHaveLength(2);
  });

  it('the service serves them for ten minutes after the source’s time, and no longer', async () => {
    const { clock, errors, rates } = source();
    answer = told(50, 60);
    await rates();
    answer = told(0);
    clock.ms = START + 540_000 - 1;
    expect(await rates()).toEqual({ value: { USD: '50' }, time: START - 60_000 });
    expect(errors).toHaveLength(1);
    clock.ms += 1;
    await expect(rates()).rejects.toMatchObject({ code: 'rate-unavailable' });
  });

  it('outdated rates aren’t served, and a future time counts as the time of the response', async () => {
    const { clock, rates } = source();
    answer = told(50, 600);
    await expect(rates()).rejects.toMatchObject({ code: 'rate-unavailable' });
    clock.ms += 60_000;
    answer = told(51, -3600);
    expect(await rates()).toEqual({ value: { USD: '51' }, time: START + 60_000 });
  });
});

describe('cached', () => {
  it('tries again after a failure', async () => {
    let fail = true;
    const get = cached(
      async () => {
        if (fail) throw new ServiceError('network-unavailable');
        return 1;
      },
      { lifeMs: 10, staleMs: 20, now: () => new Date(0), onError: () => {} },
    );
    await expect(get()).rejects.toMatchObject({ code: 'network-unavailable' });
    fail = false;
    expect((await get()).value).toBe(1);
  });

  it('loads a value again, and tries again, after the clock was set back', async () => {
    const hour = 3_600_000;
    let now = 3 * hour;
    let load: () => number = () => 50;
    const get = cached(async () => load(), {
      lifeMs: 60_000,
      staleMs: 600_000,
      retryMs: 60_000,
      now: () => new Date(now),
      onError: () => {},
    });
    expect((await get()).value).toBe(50);
    now -= 2 * hour;
    load = () => {
      throw new ServiceError('network-unavailable');
    };
    // The clock is now earlier than when the value was loaded, so the cached value isn't used.
    await expect(get()).rejects.toMatchObject({ code: 'network-unavailable' });
    now -= hour;
    load = () => 30;
    expect((await get()).value).toBe(30);
  });
});
