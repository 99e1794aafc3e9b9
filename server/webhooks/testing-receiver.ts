import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  type: string;
  paymentId: string;
}

export interface TestReceiver {
  url: string;
  received: Received[];
  /** Returns a response's status, which can be delayed. 200 by default. */
  answer: (request: Received) => number | Promise<number>;
  headers: Record<string, string>;
  close(): Promise<void>;
}

export async function startTestReceiver(): Promise<TestReceiver> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      const {
        type = '',
        data,
        payment,
      } = JSON.parse(body) as { type?: string; data?: { payment: { id: string } }; payment?: { id: string } };
      const received = {
        path: request.url ?? '',
        headers: request.headers,
        body,
        type,
        paymentId: (data?.payment ?? payment)?.id ?? '',
      };
      receiver.received.push(received);
      response.writeHead(await receiver.answer(received), receiver.headers).end('an answer');
    })().catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  server.keepAliveTimeout = 0; // Node's default (5 s) could close a connection that a busy client is about to reuse.
  await once(server, 'listening');
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answer: () => 200,
    headers: {},
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return receiver;
}
