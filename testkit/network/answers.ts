import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { passDirectly } from './in-process.ts';

export interface RecordedRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A response, given as status and body or as a handler. */
export type FakeResponse =
  | { status?: number; body?: unknown; headers?: Record<string, string> }
  | ((request: IncomingMessage, response: ServerResponse) => void);

/** Starts a server that records every request and responds with `answer`. The server stops when the test ends. */
export async function answering(
  answer: FakeResponse | ((asked: RecordedRequest) => FakeResponse),
): Promise<{ url: string; asked: RecordedRequest[] }> {
  const asked: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      asked.push(one);
      const given =
        typeof answer === 'function' && answer.length === 1
          ? (answer as (asked: RecordedRequest) => FakeResponse)(one)
          : (answer as FakeResponse);
      if (typeof given === 'function') return given(request, response);
      response.writeHead(given.status ?? 200, { 'content-type': 'application/json', ...given.headers });
      return response.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body ?? null));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  passDirectly(url, server);
  return { url, asked };
}
