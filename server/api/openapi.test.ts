import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { asset } from '../../protocol/assets.ts';
import { balanceMessage } from '../../protocol/balance-message.ts';
import { createTestMint } from '../assets/testing-mint.ts';
import { paymentDestinationMessage } from '../../protocol/paymail.ts';
import { arcCallbackToken } from './arc-callback.ts';
import { authorizeQuery, basic, newApplication, newTokens, type TestUser } from '../oauth/testing.ts';
import { accessTokens } from '../database/schema.ts';
import { newToken } from '../identity/tokens.ts';
import { createSignedReport } from '../payment-reports/testing-report.ts';
import { fromHex, toHex } from '../../protocol/bytes.ts';
import { parseTransaction } from '../../protocol/transaction.ts';
import { openDevnet, type Devnet } from '../devnet/devnet.ts';
import { bytesOf, testKey } from '../devnet/test-ledger.ts';
import { writeTokenScript } from '../../protocol/bsv21/token.ts';
import { html } from '../page/html.ts';
import { createTestDelivery } from '../received/testing-delivery.ts';
import { createTestWallet, register, signInOnPages, type TestApplication } from '../testing.ts';
import { useService } from '../testing-service.ts';
import { type Route } from '../routing/route.ts';
import { MEANINGS } from './reference/meanings.ts';
import { codeSamples } from './reference/code-samples.ts';
import { type Json, ADDRESS, OF_ALICE, CHALLENGE, SCOPES } from './testing-openapi.ts';

/** Below these everything that Express serves must be declared. */
const DECLARED = /^\w+ \/(?:api\/v[12]|oauth|bsvalias|\.well-known)\//;

/** Every route of a router, `get /a/{b}`. */
function routesOf({ stack }: { stack: any[] }): string[] {
  return stack.flatMap(({ route, handle }) => {
    if (!route) return handle?.stack ? routesOf(handle) : [];
    const methods = [...new Set<string>(route.stack.map((layer: any) => layer.method ?? 'all'))];
    return [route.path]
      .flat()
      .flatMap((path: string) => methods.map((method) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`));
  });
}

describe('the OpenAPI document', () => {
  let devnet: Devnet;
  let directory: string;
  let document: Json;
  let alice: TestUser;
  let shop: TestApplication;
  let tokens: { access_token: string; refresh_token: string };
  const wallet = createTestWallet();

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'openapi-'));
    devnet = await openDevnet({ directory, blockIntervalMs: 0 });
    await mkdir(join(directory, 'extension'));
    await writeFile(join(directory, 'extension/manifest.json'), '{"version":"0.2.0"}');
  });
  afterAll(async () => {
    await devnet.close();
    await rm(directory, { recursive: true });
  });
  const { app, arc, database } = useService(() => ({ devnet, distDirectory: directory }));
  beforeAll(async () => {
    document = (await app.get('/api/openapi.json')).body;
    const { user, accessToken } = await register(app, wallet, 'alice');
    alice = { id: user.id, handle: 'alice', accessToken, cookie: (await signInOnPages(app, wallet)).Cookie };
    shop = await newApplication(app, alice, { webhookUrl: 'http://127.0.0.1:9/hook' });
    tokens = await newTokens(app, shop, alice, SCOPES);
    // What other calls read: each test makes them in an order of its own.
    for (const { id, method, path } of app.routes.filter(({ id }) =>
      ['reportPayment', 'publishBalance'].includes(id),
    )) {
      const { body, headers }: Call = (await CALLS[id]?.()) ?? {};
      expect((await app.send(method.toUpperCase(), path, body, headers)).status, id).toBeLessThan(300);
    }
  });

  it('describes every route that is served, and no other', () => {
    const served = routesOf(app.express.router).filter((route) => DECLARED.test(route) && !route.startsWith('all '));
    // Express does not tell where a router is mounted: the devnet's own tests find theirs below these paths.
    const mounts = ['/devnet/woc/v1/bsv/test', '/devnet/arcade', '/devnet/arc', '/devnet/ordinals', '/devnet'];
    const ofDevnet = devnet.routes.map(
      ({ method, path }) => `${method} ${mounts.reduce((rest, one) => rest.replace(one, ''), path)}`,
    );
    expect(routesOf(devnet.router as any).sort()).toEqual(ofDevnet.sort());
    const others = app.routes.filter(({ tag }) => tag !== 'Devnet');
    expect(served.sort()).toEqual(others.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('is valid by the specification’s own schema', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('is OpenAPI 3.1, with every reference in it', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: app.baseUrl }] });
    const text = JSON.stringify(document);
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
      expect(document.components.schemas, name).toHaveProperty(name);
    for (const { id, method, path } of app.routes) expect(document.paths[path][method].operationId).toBe(id);
    expect(new Set(app.routes.map(({ id }) => id)).size).toBe(app.routes.length);
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
    schema.anyOf
      ? { ...schema, anyOf: schema.anyOf.map(schemaOf) }
      : typeof schema.$ref === 'string'
        ? document.components.schemas[schema.$ref.split('/').at(-1) as string]
        : schema;
  /** The fields of a value that do not fit, and why: `payments.0.userId: Invalid input`. */
  const misfits = (schema: Json, value: unknown): string[] =>
    (z.fromJSONSchema(closed(schemaOf(schema))).safeParse(value).error?.issues ?? []).map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    );

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
  let registered = 0;
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

  const delivery = (sender = 'alice@localhost') =>
    createTestDelivery(database.db, Number(alice.id), sender, new Date(app.clock.ms));

  /** A token, and the address that holds all of it. */
  const minted = async () => {
    const owner = testKey();
    const { txid } = (await app.post('/devnet/faucet', { address: owner.address, satoshis: 1000 })).body;
    const coin = { txid, vout: 0, satoshis: 1000n, lockingScript: owner.script };
    const lockingScript = writeTokenScript({ op: 'deploy+mint', amt: 1000n, dec: 2, sym: 'GOLD' }, owner.script);
    const rawTx = toHex(bytesOf({ coins: [coin], owner, outputs: [{ satoshis: 1n, lockingScript }] }));
    return { address: owner.address, id: `${(await app.post('/devnet/arc/v1/tx', { rawTx })).body.txid}_0` };
  };

  /** A transaction of the faucet, hex. */
  const paid = async () => {
    const { txid } = (await app.post('/devnet/faucet', { address: ADDRESS, satoshis: 1000 })).body;
    return { txid, hex: (await app.get(`/devnet/woc/v1/bsv/test/tx/${txid}/hex`)).body as string };
  };
  const newAsset = { name: 'Garden hours', initialSupply: 100, protocol: 'bsv-21' };
  const createAsset = async () => asset.parse((await app.post('/api/v2/me/assets', newAsset, ofWallet())).body);
  /** An asset, and the report of its mint, which the network has accepted. */
  const mint = async () => {
    const made = await createAsset();
    const { txid, report } = createTestMint(made, wallet.publicKey);
    arc.statuses.set(txid, 'SEEN_ON_NETWORK');
    return { path: { id: made.id }, body: report };
  };
  const asked = () =>
    authorizeQuery(shop, { code_challenge: CHALLENGE, code_challenge_method: 'S256' }) as Record<string, string>;

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
    createAsset: () => ({ headers: { ...ofUser(), 'Idempotency-Key': randomUUID() }, body: newAsset }),
    listAssets: () => ({ headers: ofUser(), query: { limit: '10' } }),
    readAsset: async () => ({ headers: ofUser(), path: { id: (await createAsset()).id } }),
    changeAsset: async () => ({
      headers: ofUser(),
      path: { id: (await createAsset()).id },
      body: { description: 'Changed.', avatar: null },
    }),
    deleteAsset: async () => ({ headers: ofUser(), path: { id: (await createAsset()).id } }),
    reportMint: async () => ({ headers: ofWallet(), ...(await mint()) }),
    async findAsset() {
      const { path, body } = await mint();
      await app.post(`/api/v2/me/assets/${path.id}/mint`, body, ofWallet());
      return { path: { name: body.tokenId } };
    },
    listAssetDocuments: () => ({ headers: ofUser(), path: { id: alice.id }, query: { 'page[size]': '5' } }),
    createAssetDocument: () => ({
      headers: { ...ofUser(), 'Content-Type': 'application/vnd.api+json' },
      path: { id: alice.id },
      body: {
        data: {
          type: 'assets',
          attributes: { name: 'Garden hours', 'initial-supply': '100', protocol: 'bsv-21' },
        },
      },
    }),
    readAssetDocument: async () => ({ headers: ofUser(), path: { id: (await createAsset()).id } }),
    deleteAssetDocument: async () => ({ headers: ofUser(), path: { id: (await createAsset()).id } }),
    async changeAssetDocument() {
      const { id } = await createAsset();
      const body = { data: { id, type: 'assets', attributes: { name: 'Garden days' } } };
      return { headers: ofUser(), path: { id }, body };
    },
    listCurrencies: () => ({}),
    readNetwork: () => ({}),
    readRates: () => ({}),
    readWalletRelease: () => ({}),
    issueToken: () => ({
      headers: basic(shop.clientIdentifier, shop.clientSecret),
      form: { grant_type: 'client_credentials', scope: 'application_access:write' },
    }),
    refreshToken: async () => ({
      body: { grant_type: 'refresh_token', refresh_token: (await newTokens(app, shop, alice)).refresh_token },
    }),
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
    replaceWebhookSecret: async () => ({
      headers: once(),
      path: { id: await newApplicationId() },
      body: { previousExpiresIn: 60 },
    }),
    listWebhookEvents: () => ({ headers: ofWallet(), path: { id: shop.id }, query: { limit: '5' } }),
    endPreviousWebhookSecret: async () => ({ headers: once(), path: { id: await newApplicationId() } }),
    sendTestWebhookEvent: () => ({ headers: ofWallet(), path: { id: shop.id } }),
    resendWebhookEvent: async () => ({ headers: ofWallet(), path: { id: shop.id, eventId: await eventId() } }),
    deleteApplication: async () => ({ headers: once(), path: { id: await newApplicationId() } }),
    createChallenge: () => ({ body: { publicKey: createTestWallet().publicKey } }),
    createUser: async () => ({ body: await challengeFor(createTestWallet(), `somebody-${(registered += 1)}`) }),
    signIn: async () => ({ body: await challengeFor(wallet) }),
    checkHandle: () => ({ path: { handle: 'nobody-yet' } }),
    changeProfile: () => ({ headers: once(), body: { bio: 'Hello.' } }),
    readBalanceWanted: () => ({ headers: ofWallet() }),
    listConnections: () => ({ headers: ofWallet() }),
    listRecords: () => ({ headers: ofWallet(), query: { txids: 'ab'.repeat(32) } }),
    readAvatar: () => ({ headers: ofWallet(), body: { paymail: 'nobody@nowhere.invalid' } }),
    listRefunds: () => ({ headers: ofWallet() }),
    appendAppLogBlock: () => ({
      headers: ofWallet(),
      body: { writer: 'ab'.repeat(8), sequence: 1, block: 'c2VhbGVk', replaces: false },
    }),
    listAppLogBlocks: () => ({ headers: ofWallet(), query: { after: '0' } }),
    removeAppLogBlocks: () => ({ headers: ofWallet(), body: { through: 0 } }),
    removeConnection: () => ({ headers: ofWallet(), path: { id: randomUUID() } }),
    async readReceived() {
      await (await delivery()).deliver();
      return { headers: ofWallet() };
    },
    async acknowledgeReceived() {
      await (await delivery()).deliver();
      return {
        headers: ofWallet(),
        body: { ids: [(await app.get('/api/v2/me/received', ofWallet())).body.received[0].id] },
      };
    },
    async listenReceived() {
      // A token that ends at once: so does the stream.
      const { token, row } = newToken('wallet', new Date(app.clock.ms - 3_599_900));
      await database.db.insert(accessTokens).values({ ...row, userId: Number(alice.id) });
      return { headers: { Authorization: `Bearer ${token}` } };
    },
    readUserPaymail: () => ({ path: { id: alice.id } }),
    receiveArcCallback: async () => ({
      headers: { Authorization: `Bearer ${await arcCallbackToken(database.db, new Date(app.clock.ms))}` },
      body: { txid: '00'.repeat(32) },
    }),
    authorize: () => ({ query: asked() }),
    decideAuthorization: () => ({
      form: {
        ...asked(),
        decision: 'allow',
        'form-token': 'of nobody who is signed in',
      },
    }),
    readServerMetadata: () => ({}),
    async payFromFaucet() {
      return { body: { address: ADDRESS, satoshis: 100_000 } };
    },
    mineBlocks: () => ({ body: { blocks: 1 } }),
    submitTransaction: async () => ({ body: { rawTx: (await paid()).hex } }),
    submitTransactions: async () => ({ body: [{ rawTx: (await paid()).hex }, { rawTx: '00' }] }),
    readTransactionStatus: async () => ({ path: { txid: (await paid()).txid } }),
    readPolicy: () => ({}),
    readHealth: () => ({}),
    setFaults: () => ({ body: { at: 'arc', faults: [{ name: 'slow', times: 1, seconds: 0 }] } }),
    submitToArcade: async () => ({ body: { rawTx: (await paid()).hex } }),
    readArcadeTransaction: async () => ({ path: { txid: (await paid()).txid } }),
    readArcadePolicy: () => ({}),
    readArcadePolicyAsArc: () => ({}),
    readArcadeHealth: () => ({}),
    listCoins: () => ({ path: { address: ADDRESS } }),
    listHistoryOfMany: () => ({ body: { addresses: [ADDRESS] } }),
    listCoinsOfMany: () => ({ body: { addresses: [ADDRESS] } }),
    listConfirmedCoins: () => ({ path: { address: ADDRESS }, query: { limit: '1' } }),
    listConfirmedHistory: () => ({ path: { address: ADDRESS }, query: { limit: '1' } }),
    listUnconfirmedHistory: () => ({ path: { address: ADDRESS } }),
    listConfirmedCoinsOfMany: () => ({ body: { addresses: [ADDRESS] } }),
    listUnconfirmedCoins: () => ({ path: { address: ADDRESS } }),
    listUnconfirmedCoinsOfMany: () => ({ body: { addresses: [ADDRESS] } }),
    isAddressUsed: () => ({ path: { address: ADDRESS } }),
    readRawTransaction: async () => ({ path: { txid: (await paid()).txid } }),
    async readMerkleProof() {
      const { txid } = await paid();
      await app.post('/devnet/mine', { blocks: 1 });
      return { path: { txid } };
    },
    async readSpender() {
      const [input] = parseTransaction(fromHex((await paid()).hex)).inputs;
      return { path: { txid: input?.txid ?? '', vout: String(input?.vout) } };
    },
    listTransactionStates: async () => ({ body: { txids: [(await paid()).txid] } }),
    async listSpenders() {
      const [input] = parseTransaction(fromHex((await paid()).hex)).inputs;
      return { body: { utxos: [{ txid: input?.txid ?? '', vout: input?.vout ?? 0 }] } };
    },
    broadcastRawTransaction: async () => ({ body: { txhex: (await paid()).hex } }),
    listHeaders: () => ({}),
    readHeader: () => ({ path: { id: '1' } }),
    readChainInfo: () => ({}),
    readExchangeRate: () => ({}),
    async listOneSatOutputs() {
      return { path: { address: (await minted()).address }, query: { bsv20: 'true', limit: '1' } };
    },
    readTokenOutput: async () => ({ path: { outpoint: (await minted()).id } }),
    readToken: async () => ({ path: { id: (await minted()).id } }),
    discoverPaymail: () => ({}),
    readPaymailKey: () => ({ path: OF_ALICE }),
    readPaymailProfile: () => ({ path: OF_ALICE }),
    verifyPaymailKey: () => ({ path: { ...OF_ALICE, pubkey: wallet.publicKey } }),
    createPaymentDestination() {
      const said = { senderHandle: 'alice@localhost', dt: new Date(app.clock.ms).toISOString(), amount: 1000 };
      const signature = wallet.sign(paymentDestinationMessage(said));
      return { path: OF_ALICE, body: { ...said, signature, pubkey: wallet.publicKey } };
    },
    createP2pDestination: () => ({ path: OF_ALICE, body: { satoshis: 1000 } }),
    createOrdinalDestination: () => ({ path: OF_ALICE, body: { ordinals: 2 } }),
    async deliverTransaction() {
      const { received } = await delivery();
      // This ARC has it already.
      arc.refusesTransactions = true;
      arc.statuses.set(received.txid, 'SEEN_ON_NETWORK');
      return { path: OF_ALICE, body: { hex: toHex(received.rawtx), reference: received.reference } };
    },
    async deliverOrdinal() {
      const { received } = await delivery();
      arc.refusesTransactions = true;
      arc.statuses.set(received.txid, 'SEEN_ON_NETWORK');
      return { path: OF_ALICE, body: { hex: toHex(received.rawtx), reference: received.reference } };
    },
    async deliverBeef() {
      const { received } = await delivery();
      arc.statuses.set(received.txid, 'SEEN_ON_NETWORK');
      return {
        path: OF_ALICE,
        body: { beef: `0100beef0001${toHex(received.rawtx)}00`, reference: received.reference },
      };
    },
  };

  it('has an example of every body and answer, and every example fits its schema', () => {
    const all = [...Object.entries<Json>(document.paths), ...Object.entries<Json>(document.webhooks)];
    for (const [path, { parameters: _, ...methods }] of all) {
      for (const [method, { parameters = [], requestBody, responses }] of Object.entries<Json>(methods)) {
        const route = app.routes.find((one) => one.path === path && one.method === method);
        const hold = (what: string, { schema, example, examples }: Json) => {
          const values = examples ? Object.values<Json>(examples).map(({ value }) => value) : [example];
          for (const value of values) expect(misfits(schema, value), `${method} ${path}: ${what}`).toEqual([]);
        };
        for (const one of parameters) if ('example' in one) hold(one.name, one);
        const [body] = Object.values<Json>(requestBody?.content ?? {});
        if (body) hold('body', body);
        const [type, answer] = Object.entries<Json>(Object.values<Json>(responses)[0]?.content ?? {})[0] ?? [];
        if (route && type?.includes('json') && answer) hold('answer', answer);
      }
    }
  });

  it('agrees with what each call accepts and answers', async () => {
    const documented = new Map(app.routes.map((route) => [route.id, route]));
    expect(Object.keys(CALLS).sort()).toEqual([...documented.keys()].sort());
    for (const [id, make] of Object.entries(CALLS)) {
      const { method, path } = documented.get(id) as (typeof app.routes)[number];
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
        expect(misfits(allowed.get(name) ?? { not: {} }, value), `${id}: ${name}`).toEqual([]);
      const requestSchema = Object.values<Json>(described.requestBody?.content ?? {})[0]?.schema;
      if (requestSchema) expect(misfits(requestSchema, body ?? form), `${id}: body`).toEqual([]);
      else expect(body ?? form, `${id}: body`).toBeUndefined();

      const address =
        path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? '')) +
        (Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '');
      const answer = await app.send(method.toUpperCase(), address, form ? new URLSearchParams(form) : body, headers);
      expect([answer.status < 400, answer.status < 400 ? '' : answer.body], id).toEqual([true, '']);
      const response = described.responses[String(answer.status)];
      expect(response, `${id}: ${answer.status}`).toBeDefined();
      const [type, content] = Object.entries<Json>(response.content ?? {})[0] ?? [];
      if (type === undefined || !content) {
        expect(answer.body, id).toBe('');
        continue;
      }
      expect(answer.headers.get('content-type')?.split(';')[0], id).toBe(type);
      expect(misfits(content.schema, answer.body), `${id}: answer`).toEqual([]);
    }
  });

  it('says what every field and every parameter means', () => {
    const unsaid = (where: string, schema: Json): string[] => [
      ...(schema.anyOf ?? []).flatMap((one: Json) => unsaid(where, one)),
      ...(schema.items ? unsaid(where, schema.items) : []),
      ...Object.entries<Json>(schema.properties ?? {}).flatMap(([name, value]) => [
        ...(value.description ? [] : [`${where}: ${name}`]),
        ...unsaid(`${where}: ${name}`, value),
      ]),
    ];
    const ofRoutes = Object.values<Json>(document.paths).flatMap((methods) =>
      Object.values<Json>(methods).flatMap(({ operationId, parameters, requestBody, responses }) => [
        ...parameters.flatMap((one: Json) =>
          one.description || one.schema.description ? [] : [`${operationId}: ${one.name}`],
        ),
        ...[requestBody, ...Object.values<Json>(responses)].flatMap((one) =>
          Object.values<Json>(one?.content ?? {}).flatMap(({ schema }) => unsaid(operationId, schema)),
        ),
      ]),
    );
    const shared = Object.entries<Json>(document.components.schemas).flatMap(([name, one]) => unsaid(name, one));
    expect([...new Set([...ofRoutes, ...shared])]).toEqual([]);

    const said = JSON.stringify(document);
    const unused = Object.entries(MEANINGS).filter(([, meaning]) => !said.includes(JSON.stringify(meaning)));
    expect(unused).toEqual([]);
  });

  it('agrees with the answers to unauthorised and malformed calls', async () => {
    for (const { id, method, path, by } of app.routes) {
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
      expect(misfits((content as Json).schema, answer.body), `${id}: answer`).toEqual([]);
    }
  });

  it('is shown to people with every call, without inline code', async () => {
    const { status, body, headers } = await app.get('/api/reference');
    expect([status, headers.get('content-security-policy')?.includes("default-src 'none'")]).toEqual([200, true]);
    expect(body).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|undefined|\[object/);
    for (const { id, path, summary } of app.routes) {
      expect(body, id).toContain(`id="${id}"`);
      expect(body, id).toContain(`>${path}<`);
      expect(body, id).toContain(html`${summary}`.toString());
      const route = app.routes.find((one) => one.id === id) as Route;
      for (const code of Object.values(codeSamples(route, app.baseUrl) ?? {}))
        expect(body, id).toContain(html`${code}`.toString());
    }
    expect(body.indexOf('id="api-v2"')).toBeLessThan(body.indexOf('id="api-v1"'));
    for (const file of ['reference.css', 'reference.js', 'copy-code.js'])
      expect((await app.get(`/assets/${file}`)).status, file).toBe(200);
    // Every link within the page leads somewhere.
    for (const [, target] of body.matchAll(/href="#([^"]+)"/g)) expect(body, target).toContain(`id="${target}"`);
  });
});
