/** The shop's server, which delivers the print only to visitors who have paid for it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
// In your own project, import from 'service-button/server'.
import {
  checkPayment,
  verifyPayment,
  verifyWebhook,
  VerificationError,
  type Expectation,
  type Payment,
} from '../../server/sdk/index.ts';

/**
 * The shop's price. A price in BSV must match to the satoshi. Prices in other currencies are compared at the current
 * rate.
 */
export const PRICE = { to: 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb', amount: '0.002', currency: 'BSV' };

const PRINT = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 352 200"><title>Dunes at six</title><rect width="352" height="200" fill="#f7d9b0"/><circle cx="262" cy="72" r="26" fill="#fff3d6"/><path d="M0 132c60-40 110-40 166-8s120 24 186-20v96H0z" fill="#d99a5b"/><path d="M0 176c80-40 150-34 206-14s96 16 146-6v44H0z" fill="#a8642f"/></svg>`;

/** The credentials of a new application, from the service's dashboard or its API. */
export interface Credentials {
  serviceUrl: string;
  clientIdentifier: string;
  clientSecret: string;
  webhookSecret: string;
}

/** `originalUrl` is the whole URL if the shop is mounted at a path in another server (connect, Express). */
type ShopRequest = IncomingMessage & { originalUrl?: string | undefined };

/** Maximum number of orders in memory. A real shop stores them in its database. */
const MAX_ORDERS = 10_000;
const MAX_UPLOAD_BYTES = 30_000_000;

/**
 * - POST /orders: creates an order, `{order, clientIdentifier, price}`. The order's ID is also the button's ID, which
 * is stored with the payment. The ID serves as the visitor's receipt: anyone who has the ID gets the print.
 * - POST /orders/{order}/payment `{paymentId}`: verifies that payment. 200 `{print}`, 402 `{problem}`.
 * - GET /orders/{order}/print.svg: the print, or 402 until the order is paid.
 * - POST /webhooks: receives payment events from the service, even if the visitor has closed the page.
 */
export function createShop({
  serviceUrl,
  clientIdentifier,
  clientSecret,
  webhookSecret,
}: Credentials): (request: ShopRequest, response: ServerResponse) => void {
  /** The IDs of each order's payments. An order can be paid twice, and one of its payments can fail. */
  const orders = new Map<string, Set<string>>();
  const expectation = (order: string): Expectation => ({ ...PRICE, buttonId: order });

  const routes: [
    string,
    RegExp,
    (request: IncomingMessage, response: ServerResponse, order: string) => Promise<void> | void,
  ][] = [
    [
      'POST',
      /^\/orders$/,
      (_request, response) => {
        const order = randomUUID();
        orders.set(order, new Set());
        const [oldest] = orders.keys();
        if (orders.size > MAX_ORDERS && oldest !== undefined) orders.delete(oldest);
        answer(response, 200, { order, clientIdentifier, price: PRICE });
      },
    ],
    [
      'POST',
      /^\/orders\/([0-9a-f-]{36})\/payment$/,
      async (request, response, order) => {
        const payments = orders.get(order);
        if (!payments) return answer(response, 404, { problem: 'There is no such order.' });
        const { paymentId = '' } = (JSON.parse((await body(request)).toString()) ?? {}) as { paymentId?: string };
        const payment = await lookTwice(() =>
          verifyPayment({ apiUrl: serviceUrl, clientIdentifier, clientSecret, paymentId, expect: expectation(order) }),
        );
        payments.add(payment.id);
        answer(response, 200, { print: `/orders/${order}/print.svg` });
      },
    ],
    [
      'GET',
      /^\/orders\/([0-9a-f-]{36})\/print\.svg$/,
      (_request, response, order) => {
        if (!orders.get(order)?.size) return answer(response, 402, { problem: 'This order is not paid.' });
        response.writeHead(200, { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'private, no-store' }).end(PRINT);
      },
    ],
    [
      'POST',
      /^\/webhooks$/,
      async (request, response) => {
        const { type, payment } = verifyWebhook(request.headers, await body(request), webhookSecret);
        // Unknown types from newer services are acknowledged, because the service would otherwise retry them for days.
        if (payment === null) return void response.writeHead(204).end();
        const order = payment.buttonId ?? '';
        const isGone =
          type === 'payment.failed' ||
          type === 'payment.contested' ||
          (type === 'payment.refunded' && BigInt(payment.refundedSatoshis ?? 0) >= BigInt(payment.satoshis));
        const isPaid = type === 'payment.received' || type === 'payment.completed';
        if (isGone) orders.get(order)?.delete(payment.id);
        else if (isPaid && pays(payment, expectation(order))) orders.get(order)?.add(payment.id);
        // Every event is acknowledged so that the service doesn't retry.
        response.writeHead(204).end();
      },
    ],
  ];

  return (request, response) => {
    const path = (request.originalUrl ?? request.url ?? '').split('?')[0] ?? '';
    const found = routes.find(([method, pattern]) => method === request.method && pattern.test(path));
    if (!found) return answer(response, 404, { problem: 'Not found.' });
    const [, pattern, route] = found;
    void Promise.resolve()
      .then(() => route(request, response, pattern.exec(path)?.[1] ?? ''))
      .catch((error: unknown) => {
        // The shop is configured incorrectly, for example without a secret.
        if (error instanceof TypeError) {
          console.error(error);
          return answer(response, 500, { problem: 'The shop has a problem. Nothing is lost: try again later.' });
        }
        if (!(error instanceof VerificationError))
          return answer(response, 400, { problem: 'The request is malformed.' });
        if (error.code === 'invalid-signature')
          return answer(response, 400, { problem: 'The signature of this webhook is not valid.' });
        if (error.code === 'unavailable')
          return answer(response, 503, {
            problem: 'The payment cannot be checked right now. Nothing is lost: try again in a minute.',
          });
        return answer(response, path === '/webhooks' ? 400 : 402, {
          problem: 'The service knows no such payment for this order.',
        });
      });
  };
}

/** True if a reported payment is the expected one. Anyone can name your application in a payment to themselves. */
export function pays(payment: Payment, expected: Expectation): boolean {
  try {
    checkPayment(payment, expected);
    return true;
  } catch (error) {
    if (error instanceof VerificationError) return false;
    throw error;
  }
}

/** Retries for two seconds, because the page can receive a payment a moment before the service does. */
export async function lookTwice(look: () => Promise<Payment>): Promise<Payment> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await look();
    } catch (error) {
      const mayCome =
        error instanceof VerificationError && (error.code === 'not-found' || error.code === 'unavailable');
      if (!mayCome || tries === 5) throw error;
      await new Promise((wake) => setTimeout(wake, 500));
    }
  }
}

async function body(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? Number.NaN) <= MAX_UPLOAD_BYTES) return buffer(request);
  throw new Error('too large, or of unknown length');
}

function answer(response: ServerResponse, status: number, content: object): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    .end(JSON.stringify(content));
}
