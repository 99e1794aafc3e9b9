import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../protocol/errors.ts';
import { cached } from './cached.ts';
import { createRateSource, readExchangeRate } from './rates.ts';

describe('readExchangeRate', () => {
  it('takes a number or a string', () => {
    expect(readExchangeRate({ currency: 'USD', rate: 45.12, time: 1 })).toBe('45.12');
    expect(readExchangeRate({ currency: 'USD', rate: '45.1200' })).toBe('45.1200');
  });

  it.each([{}, null, { currency: 'EUR', rate: 1 }, ...[0, -1, '0.0', '-1', '1e3', 1e-7, '', 'NaN', null].map((rate) => ({ currency: 'USD', rate }))])('refuses %j', (body) => {
    expect(() => readExchangeRate(body)).toThrowError(expect.objectContaining({ code: 'rate-unavailable' }));
  });
});

describe('rates of a public network', () => {
  let answer: () => { status: number; body: string };
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    const { status, body } = answer();
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
  });
  let wocUrl: string;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    wocUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it('are asked once a minute, and given for ten more while nobody answers', async () => {
    const clock = { ms: 1_000_000 };
    const errors: unknown[] = [];
    const rates = createRateSource({ network: 'mainnet', wocUrl, now: () => new Date(clock.ms), onError: (error) => errors.push(error) });
    answer = () => ({ status: 500, body: '' });
    await expect(rates()).rejects.toMatchObject({ code: 'rate-unavailable' });
    answer = () => ({ status: 200, body: '{"currency":"USD","rate":"50.5","time":1}' });
    requests = 0;
    const all = await Promise.all([rates(), rates(), rates()]);
    for (const one of all) expect(one).toEqual({ value: { USD: '50.5' }, time: 1_000_000 });
    clock.ms += 59_999;
    await rates();
    expect(requests).toBe(1);
    answer = () => ({ status: 200, body: '{"currency":"USD","rate":0}' });
    clock.ms = 1_000_000 + 599_999;
    expect(await rates()).toEqual({ value: { USD: '50.5' }, time: 1_000_000 });
    expect(errors).toHaveLength(1);
    clock.ms += 1;
    await expect(rates()).rejects.toMatchObject({ code: 'rate-unavailable' });
  });
});

describe('cached', () => {
  it('tries again after a failure', async () => {
    let fail = true;
    const get = cached(async () => {
      if (fail) throw new ServiceError('network-unavailable');
      return 1;
    }, { lifeMs: 10, staleMs: 20, now: () => new Date(0), onError: () => {} });
    await expect(get()).rejects.toMatchObject({ code: 'network-unavailable' });
    fail = false;
    expect((await get()).value).toBe(1);
  });
});
