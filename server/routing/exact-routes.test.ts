import { EventEmitter } from 'node:events';
import type { Request, RequestHandler, Response } from 'express';
import { describe, expect, it, vi } from 'vitest';
import { newApplication, newTokens, newUser } from '../oauth/testing.ts';
import { useService } from '../testing-service.ts';
import { TEST_METRICS_TOKEN } from '../testing.ts';
import { exactRoutes, inSequence } from './exact-routes.ts';
import { serve, type RouteFamily } from './route.ts';

describe('routes without parameters', () => {
  const { app } = useService({ network: 'testnet', baseUrl: 'https://pay.example' });
  const OWN = new Set(['date', 'x-request-id', 'content-length']);
  const lastLogged = () => JSON.parse(app.log().trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;

  async function ask(method: string, path: string, headers: Record<string, string> = {}, body?: unknown) {
    const answer = await app.send(method, path, body, { Origin: 'https://shop.example', ...headers });
    const requestId = answer.headers.get('x-request-id');
    await vi.waitFor(() => expect(lastLogged()).toMatchObject({ requestId, msg: 'request' }));
    const { status, route } = lastLogged();
    return { answer, logged: { status, route }, headers: [...answer.headers].filter(([name]) => !OWN.has(name)) };
  }

  it('the status, headers and log line are the same as with Express’s own routing', async () => {
    const exact = app.routes.filter(({ path, tag }) => !path.includes('{') && tag !== 'Devnet');
    expect(exact.length).toBeGreaterThan(30);
    for (const { method, path } of exact) {
      const body = method === 'get' || method === 'delete' ? undefined : {};
      const [found, searched] = [
        await ask(method.toUpperCase(), path, {}, body),
        await ask(method.toUpperCase(), `${path}/`, {}, body),
      ];
      expect(found.logged, path).toEqual({ status: String(found.answer.status), route: path });
      expect([searched.logged, searched.headers], path).toEqual([found.logged, found.headers]);
      if (found.answer.status >= 400 && !path.startsWith('/api/v1'))
        expect(searched.answer.body, path).toEqual(found.answer.body);
    }
  });

  it('handle tokens and token requests the same way as Express’s own routing', async () => {
    const user = await newUser(app, 'somebody');
    const application = await newApplication(app, user);
    const { access_token, refresh_token } = await newTokens(app, application, user);
    const bearer = { Authorization: `Bearer ${access_token}` };
    const identity = '/api/v1/auth/user_identity';
    const [found, searched] = [await ask('GET', identity, bearer), await ask('GET', `${identity}/`, bearer)];
    expect(found.answer.status).toBe(200);
    expect([searched.answer.body, searched.headers]).toEqual([found.answer.body, found.headers]);
    expect(Object.fromEntries(found.headers)).toMatchObject({
      'content-type': 'application/vnd.api+json',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'strict-transport-security': expect.stringContaining('max-age='),
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    for (const [token, status] of [
      [refresh_token, 200],
      ['refresh_wrong', 400],
    ] as const) {
      const form = () =>
        new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: application.oauthIdentifier,
          refresh_token: token,
        });
      const [one, other] = [
        await ask('POST', '/oauth/v1/token', {}, form()),
        await ask('POST', '/oauth/v1/token/', {}, form()),
      ];
      expect([one.answer.status, one.logged.route]).toEqual([status, '/oauth/v1/token']);
      expect(other.headers).toEqual(one.headers);
      expect(Object.fromEntries(one.headers)).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        pragma: 'no-cache',
      });
      if (status === 400)
        expect([one.answer.body.error, other.answer.body]).toEqual(['invalid_grant', one.answer.body]);
    }
  });

  it('respond as usual to HEAD, other methods and query strings, and are measured by their path', async () => {
    const head = await fetch(`${app.url}/oauth/v1/token`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([405, '']);
    expect((await app.get('/oauth/v1/token')).status).toBe(405);
    expect((await app.get('/api/v1/auth/user_identity?access_token=x')).status).toBe(401);
    expect((await app.send('DELETE', '/api/v1/auth/user_identity')).status).toBe(404);
    const metrics = (await app.get('/metrics', { Authorization: `Bearer ${TEST_METRICS_TOKEN}` })).body as string;
    expect(metrics).toContain('method="GET",route="/api/v1/auth/user_identity",status="401"');
  });
});

describe('handlers in sequence', () => {
  const run = (...handlers: RequestHandler[]) =>
    new Promise((resolve) => {
      const response = new EventEmitter() as unknown as Response;
      inSequence(handlers)({} as Request, response, (error?: unknown) => resolve(error ?? 'passed on'));
    });
  const nothing: RequestHandler = (_request, _response, next) => next();
  const never: RequestHandler = () => {
    throw new Error('called after an error');
  };

  it('run in order, some of them asynchronously', async () => {
    const order: number[] = [];
    const handlers = [1, 2, 3].map((n): RequestHandler => async (_request, _response, next) => {
      if (n === 2) await Promise.resolve();
      order.push(n);
      next();
    });
    expect(await run(...handlers)).toBe('passed on');
    expect(order).toEqual([1, 2, 3]);
  });

  it('pass on an error that one throws, rejects with or passes on, and stop', async () => {
    const error = new Error('of a handler');
    const thrower: RequestHandler = () => {
      throw error;
    };
    const rejecter: RequestHandler = async () => Promise.reject(error);
    const passer: RequestHandler = (_request, _response, next) => next(error);
    for (const one of [thrower, rejecter, passer]) expect(await run(nothing, one, never)).toBe(error);
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    expect(await run(() => Promise.reject(undefined), never)).toBeInstanceOf(Error);
  });
});

describe('a route found by its path', () => {
  const late = new Error('of the error handler');
  /** Returns the error passed to subsequent handlers, or null if they get the request without an error. */
  const passedOn = (handlers: RequestHandler[], onError?: RouteFamily['onError']) =>
    new Promise((resolve) => {
      const family = serve([{ method: 'get', path: '/x', handlers } as unknown as RouteFamily['routes'][number]]);
      const request = { method: 'GET', path: '/x' } as Request;
      const exact = exactRoutes([{ ...family, ...(onError && { onError }) }]);
      exact(request, {} as Response, (error?: unknown) => resolve(error ?? null));
    });
  const rejecter =
    (error: unknown): RequestHandler =>
    async () => {
      throw error;
    };

  it('passes on errors from its error handler, for example after the response was sent', async () => {
    const onError = () => {
      throw late;
    };
    expect(await passedOn([rejecter(new Error('first'))], onError)).toBe(late);
  });

  it('Express doesn’t try the route again after an error', async () => {
    expect(await passedOn([rejecter(0)])).toBeInstanceOf(Error);
    expect(await passedOn([(_request, _response, next) => next()])).toBeInstanceOf(Error);
  });
});
