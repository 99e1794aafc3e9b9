import { asc, eq } from 'drizzle-orm';
import { PrivateKey } from '@bsv/sdk';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { p2pkhScript, writeAddress } from '../../protocol/bitcoin/address.ts';
import type { Session } from '../../protocol/http/api.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { createArcClient } from '../chain/arc-client.ts';
import { createTransactionSource } from '../chain/transaction-source.ts';
import { paymentSums, webhookEvents } from '../database/schema.ts';
import { spend, startTestNetwork, type TestNetwork } from '../paymail/testing-network.ts';
import { createTestReport, proveReport } from '../payment-reports/testing-report.ts';
import { verifyPayment, VerificationError } from '../sdk/index.ts';
import { bearer, createTestWallet, register, registerApplication, type TestApplication } from '../testing.ts';
import { useService } from '../testing-service.ts';
import { storedBody } from '../webhooks/outbox.ts';
import { followDue } from './follow.ts';

const PAYMENTS = '/api/v2/payments';
const HOUR_MS = 3600_000;

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
afterAll(() => network.close());

const { app, database } = useService(() => ({ arcUrl: network.arcUrl, wocUrl: network.wocUrl, rateLimits: 'off' }));
const wallet = createTestWallet();
let [payer, keeper, shop] = [{} as Session, {} as Session, {} as TestApplication];
beforeAll(async () => {
  payer = await register(app, wallet, 'payer');
  keeper = await register(app, createTestWallet(), 'keeper');
  shop = await registerApplication(app, keeper, { webhookUrl: 'https://shop.example/hook' });
});

async function pay(version = 2, isReported = true) {
  const coin = await network.coin(300_000);
  const hash = Uint8Array.from(PrivateKey.fromRandom().toPublicKey().toHash() as number[]);
  const [script, to] = [toHex(p2pkhScript(hash)), writeAddress(hash, 'devnet')];
  const transaction = await spend(coin, [{ script, satoshis: 200_000 }], version);
  await network.broadcast(transaction);
  const reportOf = (rawtx: string) => {
    const { inputProof: _, ...report } = createTestReport([200_000n], wallet.publicKey).report;
    const scripts = [{ script, satoshis: '200000' }];
    const outputs = report.outputs.map((output) => ({ ...output, to, address: to, scripts }));
    const { clientIdentifier } = shop;
    return proveReport({ ...report, rawtx, outputs, clientIdentifier }, wallet.publicKey, coin.key);
  };
  const report = reportOf(transaction.toHex());
  if (isReported) expect((await app.post(PAYMENTS, report, bearer(payer))).status).toBe(201);
  return { transaction, coin, to, report, reportOf, id: report.id };
}

let later = 0;
const follow = async (source = createTransactionSource(network.wocUrl)) => {
  later += 7 * HOUR_MS;
  const context = {
    db: database.db,
    arc: createArcClient(network.arcUrl),
    source,
    now: () => new Date(app.clock.ms + later),
    log: pino({ level: 'silent' }),
    maxDelayMs: HOUR_MS,
    callback: null,
  };
  while ((await followDue(context)) > 0);
};
const shown = async (id: string) => (await app.get(`${PAYMENTS}/${id}`, bearer(payer))).body.payment;
const eventsOf = async (id: string) => {
  const events = await database.db
    .select({ body: storedBody })
    .from(webhookEvents)
    .where(eq(webhookEvents.paymentId, id))
    .orderBy(asc(webhookEvents.sequence));
  return events.map(({ body }) => JSON.parse(body)).map(({ type, data }) => [type, data.payment.txid]);
};
const salesNow = async () => {
  const sums = await database.db.select().from(paymentSums).where(eq(paymentSums.button, ''));
  return sums.reduce((sum, { payments }) => sum + payments, 0);
};
const verify = ({ id, to }: { id: string; to: string }) => {
  const { clientIdentifier, clientSecret } = shop;
  const wanted = { to, amount: '0.10', currency: 'USD' };
  return verifyPayment({ apiUrl: app.url, clientIdentifier, clientSecret, paymentId: id, expect: wanted }).then(
    ({ txid }) => txid,
    (error: unknown) => (error instanceof VerificationError ? error.code : error),
  );
};
const rawOf = async (txid: string) => (await fetch(`${network.wocUrl}/tx/${txid}/hex`)).text();

it('a payment is completed under the id that a third party gave its transaction', async () => {
  const before = await salesNow();
  const made = await pay();
  const first = made.transaction.id('hex');
  const txid = await network.alter(made.transaction);
  await follow();
  expect(await shown(made.id)).toMatchObject({ status: 'RECEIVED', network: 'seen', txid: first });
  expect(await verify(made)).toBe('not-paid');
  await network.mine();
  await follow();
  const rawtx = await rawOf(txid);
  expect(await shown(made.id)).toMatchObject({ status: 'COMPLETED', network: 'seen', txid, rawtx });
  expect(await eventsOf(made.id)).toEqual([
    ['payment.received', first],
    ['payment.completed', txid],
  ]);
  expect([await verify(made), await salesNow()]).toEqual([txid, before + 1]);
  // The original report still matches.
  const again = await app.post(PAYMENTS, made.report, bearer(payer));
  expect([again.status, again.body.payment.txid]).toEqual([200, txid]);
});

it('a failed payment is completed once a block contains its transaction under a different ID', async () => {
  const made = await pay();
  const rival = await network.alter(made.transaction);
  // The operators don't have the original transaction, and the index returns no spender.
  for (let i = 0; i < 12; i += 1) await follow({ transaction: async () => null, spender: async () => null });
  expect(await shown(made.id)).toMatchObject({ status: 'FAILED' });
  await network.mine();
  await follow();
  expect(await shown(made.id)).toMatchObject({ status: 'COMPLETED', txid: rival });
});

it('the same transaction under a different id is not a second payment', async () => {
  const made = await pay();
  const txid = await network.alter(made.transaction);
  const again = await app.post(PAYMENTS, made.reportOf(await rawOf(txid)), bearer(payer));
  expect([again.status, again.body.error.code]).toEqual([409, 'payment-conflict']);
});

it('a payment fails if a block contains a transaction with different outputs', async () => {
  const made = await pay();
  const script = toHex(p2pkhScript(new Uint8Array(20)));
  await network.replace(made.transaction, await spend(made.coin, [{ script, satoshis: 200_000 }], 2));
  await network.mine();
  for (let i = 0; i < 12; i += 1) await follow();
  expect(await shown(made.id)).toMatchObject({ status: 'FAILED', txid: made.transaction.id('hex') });
});

it('an ordinary payment is verified before a block contains it', async () => {
  const made = await pay(1);
  expect(await verify(made)).toBe(made.transaction.id('hex'));
});

it('a delivery by paymail under a different id is the same payment', async () => {
  const asked = await app.post(`/bsvalias/p2p-payment-destination/${keeper.user.paymail}`, { satoshis: 2_500 });
  const { outputs, reference } = asked.body;
  const transaction = await spend(await network.coin(10_000), outputs, 2);
  const deliver = async (hex: string) =>
    (await app.post(`/bsvalias/receive-transaction/${keeper.user.paymail}`, { hex, reference })).status;
  expect(await deliver(transaction.toHex())).toBe(200);
  const txid = await network.alter(transaction);
  expect(await deliver(await rawOf(txid))).toBe(200);
  await network.mine();
  await follow();
  const { received } = (await app.get('/api/v2/me/received', bearer(keeper))).body;
  expect(received).toMatchObject([{ txid, rawtx: await rawOf(txid) }]);
  const { payments } = (await app.get('/api/v2/me/payments', bearer(keeper))).body;
  expect(payments.map((one: { txid: string; status: string }) => [one.txid, one.status])).toEqual([
    [txid, 'COMPLETED'],
  ]);
});
