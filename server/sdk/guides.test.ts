/** Runs the server guides' code, and checks their payment object, as published. */
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { storedPayment } from '../../protocol/http/api.ts';
import { WEBHOOK_EVENTS } from '../../protocol/payments/payment-types.ts';
import { PAYMENT } from '../api/openapi/samples.ts';
import { checkPayment, VerificationError, type Payment } from './index.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const EXPECTED = { to: 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb', amount: '0.10', currency: 'USD', buttonId: 'order-1001' };
const MODULES: [string, string][] = [
  ["'service-button/server'", new URL('index.ts', import.meta.url).href],
  ["'express'", import.meta.resolve('express')],
];

let directory: string;
let example: Payment;
const paid = vi.fn();
const unpaid = vi.fn();

const guide = (name: string) => readFile(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8');

/** Imports a guide's module by the file name in the module's first line. */
const load = (name: string): Promise<Record<string, unknown>> =>
  import(/* @vite-ignore */ pathToFileURL(join(directory, name)).href) as Promise<Record<string, unknown>>;

beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'guides-')));
  vi.stubGlobal('testOrders', { paid, unpaid });
  await writeFile(
    join(directory, 'orders.js'),
    `export const findOrder = async (id) => id === 'order-1001' ? { id, to: '${EXPECTED.to}', amount: '0.10' } : null;
    export const markPaid = async (...values) => testOrders.paid(...values);
    export const markUnpaid = async (...values) => testOrders.unpaid(...values);`,
  );
  for (const text of [await guide('verify-payments'), await guide('webhooks')]) {
    for (const [, name = '', code = ''] of text.matchAll(/^```js\n\/\/ (?:.*\/)?([\w-]+\.js)\n([^]*?)^```$/gm))
      await writeFile(
        join(directory, name),
        MODULES.reduce((changed, [from, to]) => changed.replaceAll(from, `'${to}'`), code),
      );
  }
  example = JSON.parse(/```json\n([^]*?)```/.exec(await guide('verify-payments'))?.[1] ?? '') as Payment;
});
beforeEach(() => {
  paid.mockReset();
  unpaid.mockReset();
  vi.stubEnv('WEBHOOK_SECRET', SECRET);
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  vi.unstubAllGlobals();
  await rm(directory, { recursive: true });
});

describe('the payment object', () => {
  test('the example has all fields that the service returns, and no others', () => {
    expect(Object.keys(example).toSorted()).toEqual(Object.keys(PAYMENT).toSorted());
    expect(Object.keys(example.outputs[0]!).toSorted()).toEqual(Object.keys(PAYMENT.outputs[0]!).toSorted());
    expect(storedPayment.safeParse(example).error).toBeUndefined();
  });

  test('pays for the guide’s order, and for no other', () => {
    expect(() => checkPayment(example, EXPECTED)).not.toThrow();
    expect(() => checkPayment(example, { ...EXPECTED, amount: '0.20' })).toThrow(VerificationError);
  });
});

test('verifyOrder sends the credential to the service, and returns the payment', async () => {
  const requests: string[] = [];
  const service = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const isToken = request.url === '/oauth/v1/token';
    response.end(JSON.stringify(isToken ? { access_token: 'token', expires_in: 3600 } : { payment: example }));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  vi.stubEnv('SERVICE_URL', `http://127.0.0.1:${(service.address() as AddressInfo).port}`);
  vi.stubEnv('CLIENT_IDENTIFIER', 'shop');
  vi.stubEnv('CLIENT_SECRET', 'secret');
  const { verifyOrder } = (await load('verify.js')) as {
    verifyOrder: (id: string, order: string) => Promise<Payment>;
  };
  expect(await verifyOrder(example.id, 'order-1001')).toEqual(example);
  await expect(verifyOrder(example.id, 'order-1002')).rejects.toMatchObject({ code: 'mismatch' });
  expect(requests.slice(0, 2)).toEqual(['POST /oauth/v1/token', `GET /api/v2/payments/${example.id}`]);
  service.closeAllConnections();
  service.close();
});

function signed(type: string, payment: Payment): { headers: Record<string, string>; body: string } {
  // Formatted differently from JSON.stringify so that a handler that verifies a reserialized body fails.
  const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data: { payment } }, null, 3);
  const now = new Date();
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(SECRET).sign('msg_1', now, body),
    },
    body,
  };
}
type Message = ReturnType<typeof signed>;

async function statusFrom(server: Server | RequestListener, { headers, body }: Message): Promise<number> {
  const listening = (typeof server === 'function' ? createServer(server) : server).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/webhook`;
  const { status } = await fetch(address, { method: 'POST', headers, body });
  listening.closeAllConnections();
  await new Promise((closed) => listening.close(closed));
  return status;
}
const requestOf = ({ headers, body }: Message) =>
  new Request('https://shop.example/webhook', { method: 'POST', headers, body });

const HANDLERS: Record<string, (module: Record<string, unknown>, message: Message) => Promise<number>> = {
  'express.js': ({ app }, message) => statusFrom(app as RequestListener, message),
  'node.js': ({ server }, message) => statusFrom(server as Server, message),
  'route.js': async ({ POST }, message) => (await (POST as typeof fetch)(requestOf(message))).status,
  'worker.js': async ({ default: worker }, message) =>
    (await (worker as { fetch: typeof fetch }).fetch(requestOf(message))).status,
  'lambda.js': async ({ handler }, { headers, body }) => {
    const event = { headers, body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
    return (await (handler as (given: object) => Promise<{ statusCode: number }>)(event)).statusCode;
  },
};

describe.each(Object.entries(HANDLERS))('the guide’s handler %s', (name, send) => {
  test('accepts a signed body, and marks the order as paid', async () => {
    expect(await send(await load(name), signed('payment.received', example))).toBe(204);
    expect(paid.mock.calls).toEqual([['order-1001', example.txid]]);
  });

  test('marks the order of a failed payment as unpaid', async () => {
    expect(await send(await load(name), signed('payment.failed', example))).toBe(204);
    expect(unpaid.mock.calls).toEqual([['order-1001', example.txid]]);
  });

  test('accepts a body with a large transaction', async () => {
    const large = { ...example, rawtx: '00'.repeat(1_000_000) };
    expect(await send(await load(name), signed('payment.completed', large))).toBe(204);
    expect(paid).not.toHaveBeenCalled(); // The transaction isn't the payment's.
  });

  test('rejects a changed body', async () => {
    const { headers, body } = signed('payment.received', example);
    expect(await send(await load(name), { headers, body: body.replace('0.10', '9.10') })).toBe(400);
    expect(paid).not.toHaveBeenCalled();
  });

  test('acknowledges other events and payments without marking an order as paid', async () => {
    const module = await load(name);
    const others: [string, Payment][] = [
      ['payment.contested', example],
      ['payment.later-version', example],
      ['payment.received', { ...example, buttonId: 'order-1002' }],
      ['payment.received', { ...example, status: 'FAILED' }],
    ];
    for (const [type, payment] of others) expect(await send(module, signed(type, payment)), type).toBe(204);
    expect(paid).not.toHaveBeenCalled();
  });
});

test('docs/reference/events.md lists every event', async () => {
  const text = await readFile(fileURLToPath(new URL('../../docs/reference/events.md', import.meta.url)), 'utf8');
  expect([...text.matchAll(/^\| `([a-z]+\.[a-z]+)`/gm)].map(([, name]) => name)).toEqual([...WEBHOOK_EVENTS]);
});
