/** For tests of the HTTP API: an app on a free port, and a wallet that signs for it. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BSM, PrivateKey, Utils } from '@bsv/sdk';
import { HDKey } from '@scure/bip32';
import type { Express } from 'express';
import { pino } from 'pino';
import type * as z from 'zod/mini';
import type { Registration, Session } from '../protocol/http/api.ts';
import type { Network } from '../protocol/bitcoin/address.ts';
import type { createdApplicationResponse } from '../protocol/http/applications.ts';
import { createApp } from './app.ts';
import { createArcClient } from './chain/arc-client.ts';
import { createPaidScripts } from './chain/paid-scripts.ts';
import { addressesOf, readConfig } from './config.ts';
import type { OpenDatabase } from './database/connect.ts';
import { createIntake, INTAKE_LIMITS, type IntakeLimits } from './http/body-budget.ts';
import { createHttp } from './http/listen.ts';
import type { DeliveryProgress } from './http/metrics.ts';
import type { Route, RouteFamily } from './routing/route.ts';
import { openButtonStore } from './web/button-store.ts';

/** A response. The body is parsed if it is JSON, otherwise text. */
interface TestAnswer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- a type would repeat what the tests expect
  body: any;
  headers: Headers;
}

export interface TestApp {
  url: string;
  /** The app's clock, in ms since 1970. */
  clock: { ms: number };
  lifecycle: { stopping: boolean };
  deliveryProgress: DeliveryProgress;
  log(): string;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  get(path: string, headers?: Record<string, string>): Promise<TestAnswer>;
  /** Sends a request with any method, and a JSON body or form fields. Doesn't follow redirects. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  baseUrl: string;
  express: Express;
  routes: readonly Route[];
  close(): Promise<void>;
}

export const TEST_METRICS_TOKEN = 'test-metrics-token';

export interface TestAppOptions {
  arcUrl?: string;
  wocUrl?: string;
  ratesUrl?: string;
  network?: Network;
  baseUrl?: string;
  distDirectory?: string;
  dataDirectory?: string;
  trustedProxies?: string;
  rateLimits?: string;
  ownPaymailDomain?: boolean;
  intake?: Partial<IntakeLimits>;
  devnet?: RouteFamily;
  /** Additional environment variables. */
  env?: Record<string, string>;
}

/** Starts the real app with a real database on a free port. */
export async function startTestApp(database: OpenDatabase, options: TestAppOptions = {}): Promise<TestApp> {
  let text = '';
  const log = pino({ level: 'trace' }, { write: (line: string) => void (text += line) });
  // With Node's default timeouts, a test that blocks the process for five seconds would lose its connections.
  const server = createHttp().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const network = options.network ?? 'devnet';
  const config = readConfig({
    NETWORK: network,
    BASE_URL: options.baseUrl,
    ARC_URL: options.arcUrl ?? 'http://127.0.0.1:1',
    WOC_URL: options.wocUrl,
    RATES_URL: options.ratesUrl,
    ...options.env,
    METRICS_TOKEN: TEST_METRICS_TOKEN,
    TRUSTED_PROXIES: options.trustedProxies,
    RATE_LIMITS: options.rateLimits,
    PAYMAIL_DOMAIN: options.ownPaymailDomain ? `127.0.0.1:${port}` : undefined,
  });
  const clock = { ms: Date.UTC(2025, 0, 1) };
  const lifecycle = { stopping: false };
  const deliveryProgress = { caughtUpAt: new Date(clock.ms) };
  const addresses = addressesOf(config, port);
  const nowhere = fileURLToPath(new URL('./no-such-folder/', import.meta.url));
  const distDirectory = options.distDirectory ?? nowhere;
  const button = await openButtonStore(
    distDirectory,
    join(options.dataDirectory ?? nowhere, 'button'),
    (error) => log.error({ error: String(error) }, 'not kept'),
    addresses.baseUrl,
  );
  const app = createApp({
    db: database.db,
    connections: database.connections,
    fault: database.fault,
    settings: config,
    network,
    addresses,
    arc: createArcClient(addresses.arcUrl, { key: config.arcKey }),
    paidScripts: createPaidScripts(addresses.wocUrl, network, config.wocKey),
    log,
    now: () => new Date(clock.ms),
    lifecycle,
    deliveryProgress,
    shopAddress: null,
    button,
    distDirectory,
    devnet: options.devnet ?? null,
  });
  app.locals.intake = createIntake({ ...INTAKE_LIMITS, ...options.intake });
  server.on('request', app);
  const url = `http://127.0.0.1:${port}`;
  const ask = async (path: string, init: RequestInit) => {
    const response = await fetch(url + path, init);
    const answer = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, body: isJson ? JSON.parse(answer) : answer, headers: response.headers };
  };
  return {
    url,
    clock,
    lifecycle,
    deliveryProgress,
    log: () => text,
    post: (path, body, headers = {}) =>
      ask(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    get: (path, headers = {}) => ask(path, { headers }),
    send: (method, path, body, headers = {}) =>
      ask(path, {
        method,
        redirect: 'manual',
        headers: {
          ...(body !== undefined && !(body instanceof URLSearchParams) && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: body instanceof URLSearchParams ? body : JSON.stringify(body) }),
      }),
    baseUrl: addresses.baseUrl,
    express: app,
    routes: app.locals.routes as readonly Route[],
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** A wallet's identity. Signs with @bsv/sdk, an independent implementation, to test the server's verification. */
export interface TestWallet {
  publicKey: string;
  receivingXpub: string;
  sign(message: string): string;
  registration(handle: string, name?: string): Registration;
}

export function createTestWallet(): TestWallet {
  const key = PrivateKey.fromRandom();
  const seed = Uint8Array.from(PrivateKey.fromRandom().toArray('be', 32));
  const receivingXpub = HDKey.fromMasterSeed(seed).derive("m/44'/236'/2'").publicExtendedKey;
  return {
    publicKey: key.toPublicKey().toString(),
    receivingXpub,
    sign: (message) => BSM.sign(Utils.toArray(message, 'utf8'), key, 'base64') as string,
    registration: (handle, name = 'A Name') => ({ handle, name, receivingXpub }),
  };
}

export async function register(app: TestApp, wallet: TestWallet, handle: string): Promise<Session> {
  const challenge = await app.post('/api/v2/sign-in/challenges', {
    publicKey: wallet.publicKey,
    register: wallet.registration(handle),
  });
  const { nonce, message } = challenge.body;
  const created = await app.post('/api/v2/users', {
    publicKey: wallet.publicKey,
    nonce,
    signature: wallet.sign(message),
  });
  if (created.status !== 201) throw new Error(`registration failed: ${created.status} ${JSON.stringify(created.body)}`);
  return created.body;
}

export function bearer(session: Session): Record<string, string> {
  return { Authorization: `Bearer ${session.accessToken}` };
}

/** Signs a wallet in on the service's own pages. Returns the headers for the pages' requests, including `Origin`. */
export async function signInOnPages(app: TestApp, wallet: TestWallet): Promise<{ Cookie: string; Origin: string }> {
  const headers = { Origin: app.baseUrl };
  const { nonce, message } = (await app.post('/api/v2/sign-in/challenges', { publicKey: wallet.publicKey }, headers))
    .body;
  const answer = await app.post(
    '/api/v2/sign-in',
    { publicKey: wallet.publicKey, nonce, signature: wallet.sign(message) },
    headers,
  );
  const [cookie] = answer.headers.getSetCookie();
  if (cookie === undefined) throw new Error(`sign-in failed: ${answer.status} ${JSON.stringify(answer.body)}`);
  return { ...headers, Cookie: cookie.split(';')[0] as string };
}

export type TestApplication = z.infer<typeof createdApplicationResponse>['application'];

/** Creates an application that belongs to this user. Returns the owner's view, with both secrets. */
export async function registerApplication(
  app: TestApp,
  session: Session,
  details: Record<string, unknown> = {},
): Promise<TestApplication> {
  const created = await app.post(
    '/api/v2/me/applications',
    { name: 'An Application', url: 'https://app.example', ...details },
    bearer(session),
  );
  if (created.status !== 201) throw new Error(`no application: ${created.status} ${JSON.stringify(created.body)}`);
  return created.body.application;
}
