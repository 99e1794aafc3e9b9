import { describe, expect, it } from 'vitest';
import { openTestDatabase } from '../database/testing.ts';
import { bearer, createTestWallet, register, startTestApp } from '../testing.ts';
import { useService } from '../testing-service.ts';

/** Paths open to pages: the API, and OAuth endpoints that don't require a client secret. */
const OPEN = /^\/(?:api\/v[12]\/|oauth\/v1\/(?:token|revoke|auth-proxy\/token)$|\.well-known\/oauth)/;
const ORIGIN = { Origin: 'https://shop.example' };

describe('pages of other origins', () => {
  const { app, database } = useService();
  const corsOf = ({ headers }: { headers: Headers }) => [
    headers.get('access-control-allow-origin'),
    headers.get('access-control-allow-credentials'),
  ];

  it('can make every call, because the preflight allows it and any response is readable', async () => {
    const calls = app.routes.filter(({ path }) => OPEN.test(path));
    expect(calls.length).toBeGreaterThan(40);
    for (const route of calls) {
      const path = route.path.replaceAll(/\{\w+\}/g, '75101');
      const method = route.method.toUpperCase();
      const asked = {
        ...ORIGIN,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
      };
      const preflight = await app.send('OPTIONS', path, undefined, asked);
      expect([preflight.status, preflight.body, ...corsOf(preflight)]).toEqual([204, '', '*', null]);
      expect(preflight.headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
      expect(preflight.headers.get('access-control-allow-headers')).toBe(
        'Authorization, Content-Type, Idempotency-Key, Prefer',
      );
      expect(Number(preflight.headers.get('access-control-max-age'))).toBeGreaterThan(0);
      const answer = await app.send(method, path, method === 'GET' || method === 'DELETE' ? undefined : {}, ORIGIN);
      expect(corsOf(answer)).toEqual(['*', null]);
      expect(answer.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
    }
  });

  it('can read every error: not found, too large, rate limited and internal', async () => {
    const errors: [string, number, { status: number; headers: Headers }][] = [];
    errors.push(['nothing', 404, await app.get('/api/v2/nothing', ORIGIN)]);
    errors.push(['malformed', 400, await app.post('/api/v2/sign-in', '{', ORIGIN)]);
    errors.push(['large', 413, await app.post('/api/v2/sign-in', { text: 'x'.repeat(200_000) }, ORIGIN)]);
    errors.push(['token', 401, await app.get('/api/v1/payments', { ...ORIGIN, Authorization: 'Bearer user_unknown' })]);
    errors.push(['method', 405, await app.get('/oauth/v1/token', ORIGIN)]);
    const limited = await startTestApp(database, { rateLimits: '0.001' });
    while ((await limited.get('/api/v2/rates', ORIGIN)).status === 200);
    errors.push(['often', 429, await limited.get('/api/v2/rates', ORIGIN)]);
    // Preflights aren't rate limited, because pages couldn't read the 429 with its Retry-After.
    expect((await limited.send('OPTIONS', '/api/v2/rates', undefined, ORIGIN)).status).toBe(204);
    await limited.close();
    const closed = await openTestDatabase();
    const broken = await startTestApp(closed);
    const session = await register(broken, createTestWallet(), 'somebody');
    await closed.close();
    errors.push(['fault', 500, await broken.get('/api/v2/me', { ...ORIGIN, ...bearer(session) })]);
    await broken.close();
    for (const [what, status, answer] of errors)
      expect([answer.status, ...corsOf(answer)], what).toEqual([status, '*', null]);
    expect(errors.find(([what]) => what === 'often')?.[2].headers.get('access-control-expose-headers')).toContain(
      'Retry-After',
    );
  });

  it('can’t read the service’s own pages or introspection', async () => {
    for (const path of [
      '/',
      '/account',
      '/oauth/v1/authorize',
      '/oauth/v1/introspect',
      '/sign-out',
      '/metrics',
      '/healthz',
    ]) {
      expect(
        corsOf(await app.send('OPTIONS', path, undefined, { ...ORIGIN, 'Access-Control-Request-Method': 'POST' })),
        path,
      ).toEqual([null, null]);
    }
  });
});
