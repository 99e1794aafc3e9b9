import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { asset } from '../../../protocol/assets/assets.ts';
import { balanceMessage } from '../../../protocol/signed-messages/balance-message.ts';
import { createTestMint } from '../../assets/testing-mint.ts';
import { paymentDestinationMessage } from '../../../protocol/http/paymail.ts';
import { arcCallbackToken } from '../payments/arc-callback.ts';
import { authorizeQuery, basic, newApplication, newTokens, type TestUser } from '../../oauth/testing.ts';
import { accessTokens } from '../../database/schema.ts';
import { newToken } from '../../identity/tokens.ts';
import { createSignedReport } from '../../payment-reports/testing-report.ts';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { parseTransaction } from '../../../protocol/bitcoin/transaction.ts';
import { openDevnet, type Devnet } from '../../devnet/devnet.ts';
import { bytesOf, testKey } from '../../devnet/test-ledger.ts';
import { writeTokenScript } from '../../../protocol/assets/bsv21/token.ts';
import { createTestDelivery } from '../../received/testing-delivery.ts';
import { createTestWallet, register, signInOnPages, type TestApplication } from '../../testing.ts';
import { useService } from '../../testing-service.ts';

export type Json = Record<string, any>;
const ADDRESS = 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8';
const OF_ALICE = { paymail: 'alice@localhost' };
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const SCOPES =
  'auth.user_identity:read users.profiles:read users.balance:read payments:read users.asset:read users.asset:write';

export interface Call {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  form?: Record<string, string>;
  headers?: Record<string, string>;
}

/** Sets up a service with a shop and a devnet, and provides one real call per route, keyed by the route's ID. */
export function useCalls() {
  let devnet: Devnet;
  let directory: string;
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
    const { user, accessToken } = await register(app, wallet, 'alice');
    alice = { id: user.id, handle: 'alice', accessToken, cookie: (await signInOnPages(app, wallet)).Cookie };
    shop = await newApplication(app, alice, { webhookUrl: 'http://127.0.0.1:9/hook' });
    tokens = await newTokens(app, shop, alice, SCOPES);
    for (const { id, method, path } of app.routes.filter(({ id }) =>
      ['reportPayment', 'publishBalance'].includes(id),
    )) {
      const { body, headers }: Call = (await CALLS[id]?.()) ?? {};
      expect((await app.send(method.toUpperCase(), path, body, headers)).status, id).toBeLessThan(300);
    }
  });

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

  const minted = async () => {
    const owner = testKey();
    const { txid } = (await app.post('/devnet/faucet', { address: owner.address, satoshis: 1000 })).body;
    const coin = { txid, vout: 0, satoshis: 1000n, lockingScript: owner.script };
    const lockingScript = writeTokenScript({ op: 'deploy+mint', amt: 1000n, dec: 2, sym: 'GOLD' }, owner.script);
    const rawTx = toHex(bytesOf({ coins: [coin], owner, outputs: [{ satoshis: 1n, lockingScript }] }));
    return { address: owner.address, id: `${(await app.post('/devnet/arc/v1/tx', { rawTx })).body.txid}_0` };
  };

  const paid = async () => {
    const { txid } = (await app.post('/devnet/faucet', { address: ADDRESS, satoshis: 1000 })).body;
    return { txid, hex: (await app.get(`/devnet/woc/v1/bsv/test/tx/${txid}/hex`)).body as string };
  };
  const newAsset = { name: 'Garden hours', initialSupply: 100, protocol: 'bsv-21' };
  const createAsset = async () => asset.parse((await app.post('/api/v2/me/assets', newAsset, ofWallet())).body);
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
      // The token expires after 100 ms, which closes the event stream.
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
        'form-token': 'of no signed-in user',
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
    readChaintracksTip: () => ({}),
    readChaintracksHeight: () => ({ path: { height: '0' } }),
    readChaintracksHash: async () => ({ path: { hash: (await app.get('/devnet/chaintracks/v2/tip')).body.hash } }),
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
    async listStackOutputs() {
      return { path: { owner: (await minted()).address }, query: { limit: '1' } };
    },
    async readStackTokenOutput() {
      const { id } = await minted();
      return { path: { id, outpoint: id.replace('_', '.') } };
    },
    readStackToken: async () => ({ path: { id: (await minted()).id } }),
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

  return { app, CALLS, shop: () => shop, devnet: () => devnet };
}
