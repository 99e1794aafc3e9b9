import { randomUUID } from 'node:crypto';
import type { Router } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { balanceMessage } from '../../protocol/balance-message.ts';
import { applicationRoutes } from './application-routes.ts';
import { balanceRoutes } from './balance-routes.ts';
import { startTestArc, type TestArc } from '../chain/testing-arc.ts';
import type { OpenDatabase } from '../database/connect.ts';
import { openTestDatabase } from '../database/testing.ts';
import { identityRoutes } from './sign-in-routes.ts';
import { networkRoutes } from './network-routes.ts';
import { oauthRoutes } from '../oauth/routes.ts';
import { basic, newApplication, newTokens, type TestUser } from '../oauth/testing.ts';
import { accessTokens } from '../database/schema.ts';
import { newToken } from '../identity/tokens.ts';
import { paymentRoutes } from './report-routes.ts';
import { createSignedReport } from '../reports/testing-report.ts';
import { receivedRoutes } from './received-routes.ts';
import { createTestDelivery } from '../received/testing-delivery.ts';
import {
  createTestWallet,
  register,
  signInOnPages,
  startTestApp,
  type TestApp,
  type TestApplication,
} from '../testing.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { OPERATIONS } from './operations.ts';
import { v1Routes } from './v1-routes.ts';
import { v2Routes } from './v2-routes.ts';

type Json = Record<string, any>;
const SCOPES = 'auth.user_identity:read users.profiles:read users.balance:read payments:read users.asset:read';

/** Every declared route of a router, `get /a/{b}`. */
function routesOf(router: Router): string[] {
  return (router.stack as any[]).flatMap(({ route, handle }) => {
    if (handle?.stack && !route) return routesOf(handle);
    if (!route) return [];
    const methods = [...new Set<string>(route.stack.map((layer: any) => layer.method ?? 'all'))];
    return [route.path]
      .flat()
      .flatMap((path: string) => methods.map((method) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`));
  });
}

describe('the OpenAPI document', () => {
  let database: OpenDatabase;
  let arc: TestArc;
  let app: TestApp;
  let document: Json;
  let alice: TestUser;
  let shop: TestApplication;
  let tokens: { access_token: string; refresh_token: string };
  const wallet = createTestWallet();

  beforeAll(async () => {
    [database, arc] = await Promise.all([openTestDatabase(), startTestArc()]);
    app = await startTestApp(database, { arcUrl: arc.url });
    document = (await app.get('/api/openapi.json')).body;
    const { user, accessToken } = await register(app, wallet, 'alice');
    alice = { id: user.id, handle: 'alice', accessToken, cookie: (await signInOnPages(app, wallet)).Cookie };
    shop = await newApplication(app, alice, { webhookUrl: 'http://127.0.0.1:9/hook' });
    tokens = await newTokens(app, shop, alice, SCOPES);
  });
  afterAll(async () => {
    await Promise.all([app.close(), arc.close()]);
    await database.close();
  });

  it('names every route and no other', () => {
    const context = { addresses: { baseUrl: 'https://pay.example' }, settings: {} } as never;
    const routers = [
      identityRoutes,
      applicationRoutes,
      webhookRoutes,
      paymentRoutes,
      receivedRoutes,
      balanceRoutes,
      v1Routes,
      v2Routes,
      networkRoutes,
      oauthRoutes,
    ];
    // The flow in the browser is described by the specification, and metadata by RFC 8414.
    const others = new Set([
      'get /oauth/v1/authorize',
      'post /oauth/v1/authorize',
      'get /.well-known/oauth-authorization-server',
    ]);
    const declared = routers
      .flatMap((routes) => routesOf(routes(context)))
      .filter((route) => !route.startsWith('all ') && !others.has(route));
    expect(declared.sort()).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('is OpenAPI 3.1, with every reference in it', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: app.baseUrl }] });
    const text = JSON.stringify(document);
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
      expect(document.components.schemas, name).toHaveProperty(name);
    for (const { id, method, path } of OPERATIONS) expect(document.paths[path][method].operationId).toBe(id);
    expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
    expect(Object.keys(document.components.securitySchemes.oauth.flows.authorizationCode.scopes)).toHaveLength(6);
  });

  /** With a member that is not documented, an answer does not fit. */
  const closed = (schema: Json): Json => {
    if (Array.isArray(schema)) return schema.map(closed) as Json;
    if (typeof schema !== 'object' || schema === null) return schema;
    const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
    return schema.type === 'object' && schema.properties && schema.additionalProperties === undefined
      ? { ...inner, additionalProperties: false }
      : inner;
  };
  const schemaOf = (schema: Json): Json =>
    typeof schema.$ref === 'string' ? document.components.schemas[schema.$ref.split('/').at(-1) as string] : schema;
  const fits = (schema: Json, value: unknown) => z.fromJSONSchema(closed(schemaOf(schema))).safeParse(value);

  /** What each call takes: parameters of the path and the query, a body, headers. */
  interface Call {
    path?: Record<string, string>;
    query?: Record<string, string>;
    body?: unknown;
    form?: Record<string, string>;
    headers?: Record<string, string>;
  }
  const ofWallet = () => ({ Authorization: `Bearer ${alice.accessToken}` });
  const ofUser = () => ({ Authorization: `Bearer ${tokens.access_token}` });
  const once = () => ({ ...ofWallet(), 'Idempotency-Key': `"${randomUUID()}"` });
  const newApplicationId = async () => (await newApplication(app, alice)).id;
  let paymentId = '';
  const challengeFor = async (who = createTestWallet(), handle?: string) => {
    const { nonce, message } = (
      await app.post('/api/v2/sign-in/challenges', {
        publicKey: who.publicKey,
        ...(handle !== undefined && { register: who.registration(handle) }),
      })
    ).body;
    return { publicKey: who.publicKey, nonce, signature: who.sign(message) };
  };
  const eventId = async () =>
    (await app.get(`/api/v2/me/applications/${shop.id}/webhook-events`, ofWallet())).body.events[0].id as string;

  const CALLS: Record<string, () => Call | Promise<Call>> = {
    async reportPayment() {
      const { report, txid } = await createSignedReport(200_000n, 1_000_000n, wallet.publicKey);
      arc.statuses.set(txid, 'SEEN_ON_NETWORK');
      paymentId = report.id;
      return { headers: ofWallet(), body: { ...report, clientIdentifier: shop.clientIdentifier } };
    },
    publishBalance() {
      const said = { satoshis: '150000000', time: new Date(app.clock.ms).toISOString() };
      return {
        headers: ofWallet(),
        body: { ...said, signature: wallet.sign(balanceMessage({ origin: app.baseUrl, userId: alice.id, ...said })) },
      };
    },
    readIdentity: () => ({ headers: ofUser() }),
    readUserDocument: () => ({ headers: ofUser(), path: { id: alice.id } }),
    readProfileDocument: () => ({ headers: ofUser(), path: { id: alice.id } }),
    readBalanceDocument: () => ({ headers: ofUser(), path: { id: alice.id } }),
    listUserPayments: () => ({
      headers: ofUser(),
      path: { id: alice.id },
      query: { 'page[number]': '1', 'page[size]': '10', 'filter[status]': 'RECEIVED', sort: '-created-at' },
    }),
    listPaymentDocuments: () => ({
      headers: ofUser(),
      query: { limit: '10', offset: '0', 'filter[button-id]': 'invoice-1' },
    }),
    readPaymentDocument: () => ({ headers: ofUser(), path: { id: paymentId } }),
    listCryptoCurrencies: () => ({}),
    listFiatCurrencies: () => ({}),
    readMe: () => ({ headers: ofUser() }),
    readProfile: () => ({ headers: ofUser() }),
    readBalances: () => ({ headers: ofUser() }),
    readWalletBalances: () => ({ headers: ofUser() }),
    listOwnPayments: () => ({ headers: ofUser(), query: { limit: '10', status: 'RECEIVED', sort: 'createdAt' } }),
    readOwnPayment: () => ({ headers: ofUser(), path: { id: paymentId } }),
    listPayments: () => ({ headers: ofUser(), query: { buttonId: 'invoice-1' } }),
    readPayment: () => ({ headers: ofUser(), path: { id: paymentId } }),
    listAssets: () => ({ headers: ofUser() }),
    listCurrencies: () => ({}),
    readNetwork: () => ({}),
    readRates: () => ({}),
    issueToken: () => ({
      headers: basic(shop.clientIdentifier, shop.clientSecret),
      form: { grant_type: 'client_credentials', scope: 'application_access:write' },
    }),
    refreshToken: () => ({ body: { grant_type: 'refresh_token', refresh_token: tokens.refresh_token } }),
    introspectToken: () => ({
      headers: basic(shop.clientIdentifier, shop.clientSecret),
      form: { token: tokens.access_token },
    }),
    revokeToken: async () => ({
      form: { token: (await newTokens(app, shop, alice)).access_token, client_id: shop.oauthIdentifier },
    }),
    createApplication: () => ({
      headers: once(),
      body: { name: 'Another', url: 'https://another.example', requirePkce: true },
    }),
    listApplications: () => ({ headers: ofWallet() }),
    readApplication: () => ({ headers: ofWallet(), path: { id: shop.id } }),
    changeApplication: async () => ({
      headers: once(),
      path: { id: await newApplicationId() },
      body: { description: 'Changed.' },
    }),
    replaceClientSecret: async () => ({ headers: once(), path: { id: await newApplicationId() } }),
    replaceWebhookSecret: async () => ({ headers: once(), path: { id: await newApplicationId() } }),
    listWebhookEvents: () => ({ headers: ofWallet(), path: { id: shop.id }, query: { limit: '5' } }),
    resendWebhookEvent: async () => ({ headers: ofWallet(), path: { id: shop.id, eventId: await eventId() } }),
    deleteApplication: async () => ({ headers: once(), path: { id: await newApplicationId() } }),
    createChallenge: () => ({ body: { publicKey: createTestWallet().publicKey } }),
    createUser: async () => ({ body: await challengeFor(createTestWallet(), 'somebody') }),
    signIn: async () => ({ body: await challengeFor(wallet) }),
    checkHandle: () => ({ path: { handle: 'nobody-yet' } }),
    changeProfile: () => ({ headers: once(), body: { bio: 'Hello.' } }),
    readBalanceWanted: () => ({ headers: ofWallet() }),
    async readReceived() {
      await (
        await createTestDelivery(database.db, Number(alice.id), 'alice@127.0.0.1', new Date(app.clock.ms))
      ).deliver();
      return { headers: ofWallet() };
    },
    acknowledgeReceived: async () => ({
      headers: ofWallet(),
      body: { ids: [(await app.get('/api/v2/me/received', ofWallet())).body.received[0].id] },
    }),
    async listenReceived() {
      // A token that ends at once: so does the stream.
      const { token, row } = newToken('wallet', new Date(app.clock.ms - 3_599_900));
      await database.db.insert(accessTokens).values({ ...row, userId: Number(alice.id) });
      return { headers: { Authorization: `Bearer ${token}` } };
    },
    readUserPaymail: () => ({ path: { id: alice.id } }),
  };

  it('is what each call takes and answers', async () => {
    const documented = new Map(OPERATIONS.map((operation) => [operation.id, operation]));
    expect(Object.keys(CALLS).sort()).toEqual([...documented.keys()].sort());
    for (const [id, make] of Object.entries(CALLS)) {
      const { method, path } = documented.get(id) as (typeof OPERATIONS)[number];
      const described: Json = document.paths[path]?.[method];
      const { path: inPath = {}, query = {}, body, form, headers = {} } = await make();

      const allowed = new Map<string, Json>(
        described.parameters.map((one: Json) => [`${one.in} ${one.name}`, one.schema]),
      );
      const given = [
        ...Object.entries(inPath).map(([name, value]) => [`path ${name}`, value]),
        ...Object.entries(query).map(([name, value]) => [`query ${name}`, value]),
      ];
      if (headers['Idempotency-Key'] !== undefined) given.push(['header Idempotency-Key', headers['Idempotency-Key']]);
      for (const [name = '', value] of given)
        expect(fits(allowed.get(name) ?? { not: {} }, value).success, `${id}: ${name}`).toBe(true);
      const requestSchema = Object.values<Json>(described.requestBody?.content ?? {})[0]?.schema;
      if (requestSchema) expect(fits(requestSchema, body ?? form).error, `${id}: body`).toBeUndefined();
      else expect(body ?? form, `${id}: body`).toBeUndefined();

      const address =
        path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? '')) +
        (Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '');
      const answer = await app.send(method.toUpperCase(), address, form ? new URLSearchParams(form) : body, headers);
      expect([answer.status < 300, answer.status < 300 ? '' : answer.body], id).toEqual([true, '']);
      const response = described.responses[String(answer.status)];
      expect(response, `${id}: ${answer.status}`).toBeDefined();
      const [type, content] = Object.entries<Json>(response.content ?? {})[0] ?? [];
      if (type === undefined || !content) {
        expect(answer.body, id).toBe('');
        continue;
      }
      expect(answer.headers.get('content-type')?.split(';')[0], id).toBe(type);
      expect(fits(content.schema, answer.body).error, `${id}: answer`).toBeUndefined();
    }
  });

  it('is what each call answers that nobody may make, or that is wrong', async () => {
    for (const { id, method, path, by } of OPERATIONS) {
      if (by === 'anybody') continue;
      const address = path.replaceAll(/\{\w+\}/g, randomUUID());
      const answer = await app.send(
        method.toUpperCase(),
        address,
        method === 'get' || method === 'delete'
          ? undefined
          : path.startsWith('/oauth/')
            ? new URLSearchParams({ token: 'x' })
            : {},
      );
      expect([400, 401], id).toContain(answer.status);
      const response = document.paths[path][method].responses[String(answer.status)];
      const [type, content] = Object.entries<Json>(response.content)[0] ?? ['', {}];
      expect(answer.headers.get('content-type')?.split(';')[0], id).toBe(type);
      expect(fits((content as Json).schema, answer.body).error, id).toBeUndefined();
    }
  });

  it('is shown to people with every call, without inline code', async () => {
    const { status, body, headers } = await app.get('/api/reference');
    expect([status, headers.get('content-security-policy')?.includes("default-src 'none'")]).toEqual([200, true]);
    expect(body).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|undefined|\[object/);
    for (const { id, path, summary } of OPERATIONS) {
      expect(body, id).toContain(`id="${id}"`);
      expect(body, id).toContain(`>${path}<`);
      expect(body, id).toContain(summary.replaceAll('&', '&amp;'));
    }
    expect((await app.get('/assets/reference.css')).status).toBe(200);
  });
});
