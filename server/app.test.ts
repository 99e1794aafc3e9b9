import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { networkResponse, ratesResponse } from '../protocol/http/api.ts';
import { openTestDatabase } from './database/testing.ts';
import { TEST_METRICS_TOKEN, createTestWallet, startTestApp } from './testing.ts';
import { useService } from './testing-service.ts';

describe('the service', () => {
  const { app, arc, database } = useService();

  function raw(
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<{ status: number | undefined; body: string }> {
    return new Promise((resolve, reject) => {
      const sent = request(app.url + path, { method: body ? 'POST' : 'GET', headers }, (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => (text += chunk))
          .on('end', () => resolve({ status: response.statusCode, body: text }));
      });
      sent.on('error', reject).end(body && JSON.stringify(body));
    });
  }

  describe('the network', () => {
    it('responds with ARC’s fee, cached for a minute, and with the usual fee while ARC is down', async () => {
      arc.fault = 500;
      const first = await app.get('/api/v2/network');
      expect(networkResponse.parse(first.body)).toEqual(first.body);
      expect(first.body).toMatchObject({
        network: 'devnet',
        arcUrl: arc.url,
        feePolicy: { satoshis: 100, bytes: 1000 },
      });
      expect(first.headers.get('access-control-allow-origin')).toBe('*');
      expect(app.log()).toContain('using the usual one');
      arc.fault = null;
      expect((await app.get('/api/v2/network')).body.feePolicy).toEqual({ satoshis: 50, bytes: 1000 });
      const asked = arc.requests;
      app.clock.ms += 59_999;
      await app.get('/api/v2/network');
      expect(arc.requests).toBe(asked);
      arc.fault = 500;
      app.clock.ms += 1;
      expect((await app.get('/api/v2/network')).body.feePolicy).toEqual({ satoshis: 50, bytes: 1000 });
      arc.fault = null;
    });

    it('devnet has fixed rates, readable by pages of any site', async () => {
      const { body, headers } = await app.get('/api/v2/rates');
      expect(ratesResponse.parse(body)).toEqual(body);
      expect([headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')]).toEqual([
        '*',
        null,
      ]);
      expect(body).toMatchObject({
        rates: { USD: '50', EUR: '45', GBP: '40', JPY: '7500' },
        time: new Date(app.clock.ms).toISOString(),
      });
    });

    it('a public network has no rates while their source is unreachable', async () => {
      const mainnet = await startTestApp(database, { network: 'mainnet', ratesUrl: 'http://127.0.0.1:1' });
      const answer = await mainnet.get('/api/v2/rates');
      expect([answer.status, answer.body.error.code, answer.headers.get('access-control-allow-origin')]).toEqual([
        503,
        'rate-unavailable',
        '*',
      ]);
      await mainnet.get('/api/v2/rates');
      const lines = mainnet.log().trim().split('\n');
      expect(lines.filter((line) => line.includes('no new exchange rate'))).toHaveLength(1);
      expect(mainnet.log()).not.toContain('    at ');
      const { body: figures } = await mainnet.get('/metrics', { Authorization: `Bearer ${TEST_METRICS_TOKEN}` });
      expect(figures).toMatch(/^exchange_rates_age_seconds Nan$/m);
      await mainnet.close();
    });
  });

  describe('responses', () => {
    it('take their origin from BASE_URL, not from the Host header', async () => {
      const { body: text } = await raw(
        '/api/v2/sign-in/challenges',
        { Host: 'evil.example', 'Content-Type': 'application/json' },
        { publicKey: createTestWallet().publicKey },
      );
      expect(JSON.parse(text).message).toContain(`URI: ${app.url.replace('127.0.0.1', 'localhost')}\n`);
      expect(text).not.toContain('evil.example');
    });

    it('use each API version’s format for 404', async () => {
      const api = await app.get('/api/v2/nothing');
      expect([api.status, api.body]).toEqual([404, { error: { code: 'not-found', message: 'Not found.' } }]);
      for (const path of [
        '/nothing',
        '/assets/nothing.css',
        '/look/tokens.test.ts',
        '/look/..%2fpackage.json',
        '/assets/..%2f..%2fconfig.ts',
      ]) {
        const page = await app.get(path);
        expect([page.status, page.headers.get('content-type')], path).toEqual([404, 'text/html; charset=utf-8']);
        expect(page.body).toContain('Page not found');
      }
      for (const path of ['/%ff', '/api/v2/payments/%ff'])
        expect((await app.get(path)).status, path).toBeGreaterThanOrEqual(400);
    });

    it('a style sheet contains the ones that it imports', async () => {
      const { status, headers, body } = await app.get('/look/components.css');
      expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
      expect(body).not.toContain('@import');
      expect(String(body).indexOf('.button {')).toBeLessThan(String(body).indexOf('.table {'));
      expect(body).toContain('.button {');
      // Without `Cache-Control`, fetch adds `no-cache` to conditional requests.
      const cached = { 'If-None-Match': String(headers.get('etag')), 'Cache-Control': 'max-age=0' };
      expect((await app.get('/look/components.css', cached)).status).toBe(304);
    });

    it('the API and the token endpoint never respond with a page, for any spelling of the path', async () => {
      for (const path of [
        '/API/v2/nothing',
        '/Api/V1/auth/user_identity',
        '/api/v2/me',
        '/Oauth/V1/token/more',
        '/OAUTH/v1/token',
      ]) {
        const { headers } = await app.get(path, { Accept: 'text/html' });
        expect([path, headers.get('content-type')]).toEqual([path, expect.stringContaining('json')]);
        expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
      }
    });

    it('carry a strict content security policy, and no CORS headers on pages', async () => {
      for (const path of [
        '/',
        '/shop',
        '/nothing',
        '/sign-in',
        '/account',
        '/oauth/v1/authorize',
        '/oauth/v1/introspect',
      ]) {
        const { headers } = await app.get(path, { Origin: 'https://evil.example' });
        const policy = headers.get('content-security-policy') ?? '';
        expect(policy).toContain("default-src 'none'");
        expect(policy).toContain("script-src 'self'");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toMatch(/unsafe|\*/);
        expect(headers.get('access-control-allow-origin')).toBeNull();
        expect(headers.get('x-powered-by')).toBeNull();
        expect(headers.get('strict-transport-security')).toBeNull();
      }
    });
  });

  describe('a client’s address', () => {
    const from = async (url: string, address: string) =>
      (await fetch(`${url}/api/v2/handles/somebody`, { headers: { 'X-Forwarded-For': address } })).status;

    it('comes from X-Forwarded-For only if our own proxy sends it', async () => {
      const [direct, proxied] = await Promise.all(
        [undefined, '127.0.0.1'].map((trustedProxies) =>
          startTestApp(database, { rateLimits: '0.02', ...(trustedProxies ? { trustedProxies } : {}) }),
        ),
      );
      try {
        // With this low limit, the 40 requests succeed only if each is attributed to the client in the header.
        const statuses = async (url = '') =>
          new Set(await Promise.all(Array.from({ length: 40 }, (_, i) => from(url, `203.0.113.${i}`))));
        expect(await statuses(proxied?.url)).toEqual(new Set([200]));
        expect(await statuses(direct?.url)).toContain(429);
      } finally {
        await Promise.all([direct?.close(), proxied?.close()]);
      }
    });
  });

  describe('pages', () => {
    it.each(['/', '/shop', '/gallery'])('%s runs no inline code, and all its files exist', async (path) => {
      const { status, body } = await app.get(path);
      expect(status).toBe(200);
      expect(body).toMatch(/^<!DOCTYPE html>/);
      expect(body).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/);
      expect(body).not.toContain('undefined');
      for (const [, file = ''] of body.matchAll(/(?:src|href)="(\/(?:assets|look)\/[^"]+)"/g))
        expect((await app.get(file)).status, file).toBe(200);
    });
  });

  it.each([
    ['/oauth/v1/authorize', null],
    ['/oauth/v1/authorize?client_id=unknown', null],
    ['/sign-in', null],
    ['/sign-in?return=%2Faccount', null],
    ['/', 'same-origin'],
    ['/gallery', 'same-origin'],
    ['/sign-install', 'same-origin'],
  ])('keeps a popup’s opener only during sign-in: %s', async (path, policy) => {
    const { headers } = await app.get(path, { Accept: 'text/html' });
    expect(headers.get('cross-origin-opener-policy')).toBe(policy);
  });

  describe('health', () => {
    it('metrics use the route template, never the caller’s path', async () => {
      await app.get('/api/v2/handles/private-name?private=query');
      const { body, headers } = await app.get('/metrics', { Authorization: `Bearer ${TEST_METRICS_TOKEN}` });
      expect(headers.get('content-type')).toContain('text/plain');
      expect(body).toContain('route="/api/v2/handles/:handle"');
      expect(body).toContain('process_cpu_seconds_total');
      expect(body + app.log()).not.toMatch(/private/);
    });

    it('counts a request without a response as unanswered, in metrics and log', async () => {
      const measured = async () =>
        (await app.get('/metrics', { Authorization: `Bearer ${TEST_METRICS_TOKEN}` })).body as string;
      const abandoned = request(`${app.url}/api/v2/sign-in/challenges`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Content-Length': '10', Expect: '100-continue' },
      });
      abandoned.on('error', () => undefined);
      abandoned.flushHeaders();
      await once(abandoned, 'continue');
      abandoned.destroy();
      const counted = /http_request_duration_seconds_count\{method="POST",route="[^"]*",status="unanswered"\} 1/;
      await expect.poll(measured).toMatch(counted);
      expect(app.log()).toMatch(/"method":"POST","route":"[^"]*","status":"unanswered"/);
    });

    it('shows metrics only with the token', async () => {
      for (const Authorization of [
        '',
        'Bearer',
        `Bearer ${TEST_METRICS_TOKEN}x`,
        TEST_METRICS_TOKEN,
        `Basic ${TEST_METRICS_TOKEN}`,
      ]) {
        const { status, body } = await app.get('/metrics', Authorization ? { Authorization } : {});
        expect([status, body.includes('process_cpu')], Authorization).toEqual([404, false]);
      }
    });

    it('the service is ready while the database answers, and not during a shutdown', async () => {
      expect((await app.get('/healthz')).status).toBe(200);
      expect((await app.get('/readyz')).status).toBe(200);
      app.lifecycle.stopping = true;
      const stopping = await app.get('/readyz');
      expect([stopping.status, stopping.body.status, stopping.headers.get('connection')]).toEqual([
        503,
        'stopping',
        'close',
      ]);
      app.lifecycle.stopping = false;
      const broken = await openTestDatabase();
      await broken.close();
      const cut = await startTestApp(broken);
      expect((await cut.get('/healthz')).status).toBe(200);
      expect((await cut.get('/readyz')).body).toEqual({ status: 'database-unavailable' });
      const { body: figures } = await cut.get('/metrics', { Authorization: `Bearer ${TEST_METRICS_TOKEN}` });
      expect(figures).toMatch(/^webhooks_pending Nan$/m);
      expect(figures).toMatch(/^process_cpu_seconds_total /m);
      const failed = await cut.get('/api/v2/handles/anybody');
      expect([failed.status, failed.body]).toEqual([
        500,
        { error: { code: 'internal', message: 'Something went wrong on our side.' } },
      ]);
      await cut.close();
    });
  });
});
