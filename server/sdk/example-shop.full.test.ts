/** Runs examples/shop, an application that sells content, as described in its README. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pino } from 'pino';
import type { PaymentReport, Session } from '../../protocol/http/api.ts';
import { p2pkhScript, readAddress } from '../../protocol/bitcoin/address.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { createShop, PRICE } from '../../examples/shop/server.ts';
import { createTestReport, proveReport } from '../payment-reports/testing-report.ts';
import { bearer, createTestWallet, register, registerApplication, type TestApplication } from '../testing.ts';
import { startDelivery } from '../webhooks/deliver.ts';
import { useService } from '../testing-service.ts';

const { app, arc, database } = useService();
let payer: Session;
let application: TestApplication;
let server: Server;
let shop: string;
const wallet = createTestWallet();

beforeAll(async () => {
  app.clock.ms = Date.now();
  payer = await register(app, wallet, 'payer');
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  shop = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  application = await registerApplication(app, await register(app, createTestWallet(), 'keeper'), {
    webhookUrl: `${shop}/webhooks`,
  });
  server.on('request', createShop({ serviceUrl: app.url, ...application }));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ask = async (path: string, method = 'POST', body?: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(shop + path, {
    method,
    headers,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
};
const order = async () => (await ask('/orders')).body.order as string;

async function pay(
  buttonId: string,
  change: { satoshis?: bigint; to?: string; clientIdentifier?: string | null } = {},
): Promise<string> {
  const { satoshis = 200_000n, to = PRICE.to, clientIdentifier = application.clientIdentifier } = change;
  const made = createTestReport([satoshis], wallet.publicKey);
  const lockingScript = p2pkhScript(readAddress(to)?.hash ?? new Uint8Array());
  const transaction = {
    ...made.transaction,
    outputs: made.transaction.outputs.map((output, i) => (i === 0 ? { ...output, lockingScript } : output)),
  };
  const bytes = serializeTransaction(transaction);
  const amount = `0.00${satoshis.toString().padStart(6, '0')}`;
  const report: PaymentReport = {
    ...made.report,
    rawtx: toHex(bytes),
    amount,
    currency: 'BSV',
    clientIdentifier,
    buttonId,
    outputs: made.report.outputs.map((output) => ({
      ...output,
      to,
      address: to,
      amount,
      currency: 'BSV',
      scripts: [{ script: toHex(lockingScript), satoshis: satoshis.toString() }],
    })),
  };
  arc.statuses.set(txidOf(bytes), 'SEEN_ON_NETWORK');
  const answer = await app.post('/api/v2/payments', proveReport(report, wallet.publicKey, made.key), bearer(payer));
  expect([answer.status, answer.body.error]).toEqual([201, undefined]);
  return report.id;
}

it('delivers paid content, and withholds unpaid content', async () => {
  const id = await order();
  expect((await ask(`/orders/${id}/print.svg`, 'GET')).status).toBe(402);
  const paymentId = await pay(id);
  expect((await ask(`/orders/${id}/payment`, 'POST', { paymentId })).body).toEqual({
    print: `/orders/${id}/print.svg`,
  });
  expect(await ask(`/orders/${id}/print.svg`, 'GET')).toEqual({
    status: 200,
    body: expect.stringContaining('<title>Dunes at six</title>'),
  });

  const second = await order();
  const other = { to: 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8' };
  for (const payment of [paymentId, await pay(second, { satoshis: 199_999n }), await pay(second, other)]) {
    expect((await ask(`/orders/${second}/payment`, 'POST', { paymentId: payment })).status, payment).toBe(402);
  }
  expect((await ask(`/orders/${second}/payment`, 'POST', { paymentId: { $ne: '' } })).status).toBe(402);
  expect((await ask(`/orders/${second}/payment`, 'POST', 'nonsense')).status).toBe(400);
  expect((await ask(`/orders/${second}/print.svg`, 'GET')).status).toBe(402);
  expect((await ask(`/orders/00000000-0000-4000-8000-000000000000/payment`, 'POST', { paymentId })).status).toBe(404);
});

it('receives a payment by webhook if the visitor has closed the page, and rejects a forged one', async () => {
  const [paid, cheated, forged] = [await order(), await order(), await order()];
  await pay(paid);
  await pay(cheated, { satoshis: 1_000n });
  const delivery = startDelivery({
    progress: { caughtUpAt: new Date() },
    db: database.db,
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    allowPrivate: true,
  });
  await expect.poll(async () => (await ask(`/orders/${paid}/print.svg`, 'GET')).status).toBe(200);
  await delivery.stop();
  expect((await ask(`/orders/${cheated}/print.svg`, 'GET')).status).toBe(402);

  const payment = { id: 'x', status: 'COMPLETED', buttonId: forged, outputs: [] };
  const answer = await notify('payment.received', payment, Buffer.alloc(32));
  expect([answer.status, (await ask(`/orders/${forged}/print.svg`, 'GET')).status]).toEqual([400, 402]);
});

it('delivers an order that was paid twice even if one of the payments fails, but not if both fail', async () => {
  const id = await order();
  const ids = [await pay(id), await pay(id)];
  for (const paymentId of ids) expect((await ask(`/orders/${id}/payment`, 'POST', { paymentId })).status).toBe(200);
  const key = Buffer.from(application.webhookSecret.replace('whsec_', ''), 'base64');
  const statuses = [];
  for (const paymentId of ids.toReversed()) {
    const { payment } = (await app.get(`/api/v2/payments/${paymentId}`, bearer(payer))).body;
    expect((await notify('payment.failed', { ...payment, status: 'FAILED' }, key)).status).toBe(204);
    statuses.push((await ask(`/orders/${id}/print.svg`, 'GET')).status);
  }
  expect(statuses).toEqual([200, 402]);
});

/** Sends a webhook that is signed with the given key. */
function notify(type: string, payment: object, key: Buffer) {
  const body = JSON.stringify({ type, timestamp: '', data: { payment } });
  const time = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', key).update(`msg_1.${time}.${body}`).digest('base64');
  return ask('/webhooks', 'POST', body, {
    'webhook-id': 'msg_1',
    'webhook-timestamp': time,
    'webhook-signature': `v1,${signature}`,
  });
}
