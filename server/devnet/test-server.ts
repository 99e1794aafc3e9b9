/** For tests: devnet over HTTP on a separate port, mounted as in the service. */
import express from 'express';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Devnet, openDevnet } from './devnet.ts';
import { testDirectory } from './test-ledger.ts';

/** A response: status, headers, and the body, parsed if it is JSON. */
export interface TestResponse {
  status: number;
  headers: Headers;
  // The body's shape differs per test.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface TestServer {
  url: string;
  devnet: Devnet;
  errors: unknown[];
  get(path: string): Promise<TestResponse>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<TestResponse>;
}

async function answer(response: Response): Promise<TestResponse> {
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

/** Starts a server for one test. Strings and bytes are sent unchanged, and anything else is sent as JSON. */
export async function testServer(directory?: string, blockIntervalMs = 0): Promise<TestServer> {
  const errors: unknown[] = [];
  const devnet = await openDevnet({
    directory: directory ?? (await testDirectory()),
    blockIntervalMs,
    onError: (error) => errors.push(error),
  });
  const server = express().use('/devnet', devnet.router).listen(0, '127.0.0.1');
  server.keepAliveTimeout = 0; // Node's default (5 s) could close a connection that a busy client is about to reuse.
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await devnet.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/devnet`;
  return {
    url,
    devnet,
    errors,
    get: async (path) => answer(await fetch(url + path)),
    post: async (path, body, headers = {}) => {
      const raw = typeof body === 'string' || body instanceof Uint8Array;
      return answer(
        await fetch(url + path, {
          method: 'POST',
          body: raw ? (body as BodyInit) : JSON.stringify(body),
          headers: { 'Content-Type': 'application/json', ...headers },
        }),
      );
    },
  };
}

export const WOC = '/woc/v1/bsv/test';
