/**
 * A shop at one of the services. Both the shop's page and a webhook report each payment to the server, regardless of
 * the payer's account.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PublicKey, Transaction } from '@bsv/sdk';
import express, { type ErrorRequestHandler, type Express, type Response } from 'express';
// In your own project, import from 'service-button/server'.
import {
  verifyPayment,
  verifyWebhook,
  VerificationError,
  type Expectation,
  type Payment,
  type WebhookEvent,
} from '../../server/sdk/index.ts';
import { lookTwice, pays, type Credentials } from '../shop/server.ts';
import { refundPage, shopPage, type NamedService } from './pages.ts';

const PRICE = { amount: '0.002', currency: 'BSV' };

export interface ShopService extends NamedService {
  /** Registers the shop, as its owner does in the dashboard. */
  register(shop: string, webhookUrl: string): Promise<Credentials>;
}

/** The data that the shop has received about a payment for one of its orders. */
export interface Learned {
  /** The source: `verifyPayment` if a page reported the payment, otherwise the type of the webhook event. */
  by: 'verifyPayment' | WebhookEvent['type'];
  payment: Payment;
}

export interface Shop {
  url: string;
  service: ShopService;
  learned: readonly Learned[];
  close(): Promise<void>;
}

/**
 * Starts a shop.
 * @param port 0 for any free port
 * @param onLearned called with the data that the shop has received about a payment
 */
export async function openShop(
  service: ShopService,
  port: number,
  onLearned: (learned: Learned) => void,
): Promise<Shop> {
  const app = express().disable('x-powered-by');
  const server = createServer(app).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const learned: Learned[] = [];
  const learn = (one: Learned) => {
    learned.push(one);
    onLearned(one);
  };
  addRoutes(app, service, await service.register(`The shop at ${service.name}`, `${url}/webhooks`), learn);
  return {
    url,
    service,
    learned,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function addRoutes(
  app: Express,
  service: ShopService,
  { webhookSecret, ...credential }: Credentials,
  learn: (learned: Learned) => void,
): void {
  /** The payment for each order. Null until the order is paid. Each visit is an order. A real shop uses a database. */
  const orders = new Map<string, Payment | null>();
  // The button's service resolves the user ID. At the other service, the same user ID belongs to a different user.
  const button = { to: service.keeper.id, ...PRICE };
  const expectation = (order: string): Expectation => ({ ...button, buttonId: order });

  app.get('/', (_request, response) => {
    const order = randomUUID();
    orders.set(order, null);
    const { clientIdentifier } = credential;
    response.send(shopPage(service, { ...button, label: 'Buy the record', buttonId: order, clientIdentifier }));
  });

  // The page's report proves nothing, so the shop gets the payment from the service and checks its transaction.
  app.post('/orders/:order', express.json(), async (request, response) => {
    const { order } = request.params;
    if (!orders.has(order)) return problem(response, 404, 'There is no such order.');
    const { paymentId } = request.body as { paymentId: string };
    const payment = await lookTwice(() =>
      verifyPayment({ apiUrl: service.url, ...credential, paymentId, expect: expectation(order) }),
    );
    orders.set(order, payment);
    learn({ by: 'verifyPayment', payment });
    const { userId, senderPaymail, rawtx } = payment;
    response.json({ userId, senderPaymail, refundAddress: refundAddressOf(rawtx) });
  });

  app.post('/webhooks', express.raw({ type: '*/*', limit: '30mb' }), (request, response) => {
    const { type, payment } = verifyWebhook(request.headers, request.body as Buffer, webhookSecret);
    if (payment === null) return response.sendStatus(204);
    // The service also reports other payments to the owner, which aren't for this shop's orders.
    const order = payment.buttonId ?? '';
    const isPaid = type === 'payment.received' || type === 'payment.completed';
    if (isPaid && orders.has(order) && pays(payment, expectation(order))) {
      orders.set(order, payment);
      learn({ by: type, payment });
    }
    return response.sendStatus(204);
  });

  // Shows a button with which the shopkeeper can refund the money, with any wallet.
  app.get('/orders/:order/refund', (request, response) => {
    const payment = orders.get(request.params.order);
    const to = payment ? refundAddressOf(payment.rawtx) : null;
    if (!payment || to === null) return problem(response, 404, 'There is nothing to give back.');
    response.send(refundPage(service, { to, ...PRICE, label: 'Give the money back', refundOf: payment.id }));
  });

  app.use(showProblem);
}

const showProblem: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error);
  if (!(error instanceof VerificationError)) return problem(response, 400, 'The request is malformed.');
  problem(response, error.code === 'unavailable' ? 503 : 402, `The payment was not accepted: ${error.code}.`);
};

function problem(response: Response, status: number, text: string): void {
  response.status(status).json({ problem: text });
}

/**
 * Returns the refund address for a payer without a paymail: the address of the transaction's first input. The service
 * accepts a report only if it is signed with that address's key, so the address belongs to the payer.
 * @param rawtx the transaction, hex
 * @returns the address; null if that input doesn't spend a P2PKH output
 */
export function refundAddressOf(rawtx: string): string | null {
  const [signature, key, ...more] = Transaction.fromHex(rawtx).inputs[0]?.unlockingScript?.chunks ?? [];
  if (!signature?.data || key?.data?.length !== 33 || more.length > 0) return null;
  return PublicKey.fromDER([...key.data]).toAddress('testnet');
}
