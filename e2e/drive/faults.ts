/** A proxy between the wallet and the service that simulates network faults by path. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

/**
 * The proxy's reaction to a request: forwards it, refuses the connection, holds it, drops the response (`swallow`), or
 * returns a status.
 */
export type Fault = 'pass' | 'refuse' | 'hold' | 'swallow' | { status: number; body?: unknown };

export interface Faults {
  url: string;
  /**
   * Sets the fault for requests whose method and path match. The latest matching rule applies.
   * @param after number of matching requests to forward first
   */
  when(pattern: RegExp, fault: Fault, after?: number): void;
  /** Removes all rules and releases held requests. */
  clear(): void;
  /** Requests seen so far, as `METHOD /path`. */
  seen: string[];
  bearers: Set<string>;
  /** Waits for the next request that matches. */
  next(pattern: RegExp): Promise<string>;
  stop(): Promise<void>;
}

/** Headers that apply only to one connection (RFC 9110, section 7.6.1) or to a compressed body. */
const OWN_HEADERS = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-encoding',
  'content-length',
  'set-cookie',
]);

/** Starts a proxy to the origin `target`, on the given port or a free one. */
export async function startFaults(target: string, port = 0): Promise<Faults> {
  let rules: { pattern: RegExp; fault: Fault; after: number }[] = [];
  let held: (() => void)[] = [];
  let watchers: { pattern: RegExp; found: (line: string) => void }[] = [];
  const seen: string[] = [];
  const bearers = new Set<string>();

  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy());
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const line = `${request.method} ${request.url}`;
    seen.push(line);
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (bearer) bearers.add(bearer);
    const rule = rules.findLast(({ pattern }) => pattern.test(line));
    const fault = rule && rule.after <= 0 ? rule.fault : 'pass';
    if (rule) rule.after -= 1;
    for (const watcher of watchers.filter(({ pattern }) => pattern.test(line))) watcher.found(line);
    watchers = watchers.filter(({ pattern }) => !pattern.test(line));
    if (fault === 'refuse') return void request.socket.destroy();
    if (fault === 'hold') await new Promise<void>((release) => held.push(release));
    if (typeof fault === 'object') {
      response.writeHead(fault.status, { 'content-type': 'application/json' }).end(JSON.stringify(fault.body ?? {}));
      return;
    }
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers as Record<string, string>;
    const answer = await fetch(target + request.url, {
      // Each request uses a new connection, because the service might close an idle connection just as it is reused.
      method: request.method ?? 'GET',
      headers: { ...headers, connection: 'close' },
      redirect: 'manual',
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    // Headers that describe this connection aren't forwarded. Neither are those that describe the compressed body,
    // because fetch has decompressed it.
    const passed = Object.fromEntries([...answer.headers].filter(([name]) => !OWN_HEADERS.has(name)));
    if (fault !== 'swallow' && answer.body && answer.headers.get('content-type')?.startsWith('text/event-stream')) {
      response.writeHead(answer.status, passed).flushHeaders();
      return pipeline(answer.body, response);
    }
    const body = Buffer.from(await answer.arrayBuffer());
    if (fault === 'swallow') return void request.socket.destroy();
    response.writeHead(answer.status, { ...passed, 'set-cookie': answer.headers.getSetCookie() }).end(body);
  }

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const releaseHeld = () => {
    for (const release of held) release();
    held = [];
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    bearers,
    when: (pattern, fault, after = 0) => void rules.push({ pattern, fault, after }),
    clear() {
      rules = [];
      releaseHeld();
    },
    next: (pattern) => new Promise((found) => watchers.push({ pattern, found })),
    stop: () =>
      new Promise((stopped) => {
        releaseHeld();
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
}
