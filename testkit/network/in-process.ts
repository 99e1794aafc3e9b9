/**
 * Passes requests to the test servers of this process without sockets. Over sockets, requests took a quarter of the
 * wallet tests' processor time. The server still runs all of Node's code for requests and responses.
 */
import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

const realFetch = globalThis.fetch;
const realSetImmediate = globalThis.setImmediate;

/** The test servers, by origin. */
const servers = new Map<string, Server>();

/** Makes {@link testFetch} pass a server's requests to it directly until the server closes. */
export function passDirectly(origin: string, server: Server): void {
  servers.set(origin, server);
  server.once('close', () => servers.delete(origin));
}

/** Like `fetch`, but passes requests to test servers directly, except those for streams of events. */
export function testFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const { origin } = new URL(url);
  const server = servers.get(origin);
  const headers = new Headers(init.headers);
  const isPlain = init.body === undefined || init.body === null || typeof init.body === 'string';
  if (!server?.listening || !isPlain || headers.get('accept') === 'text/event-stream') return realFetch(url, init);
  return pass(server, new URL(url), headers, init);
}

/** A connection that collects what the server writes. */
class Connection extends Duplex {
  readonly written: Buffer[] = [];
  readonly remoteAddress = '127.0.0.1';

  override _read(): void {}

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void {
    this.written.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
    done();
  }

  setTimeout(): this {
    return this;
  }
}

function pass(server: Server, url: URL, headers: Headers, init: RequestInit): Promise<Response> {
  const { method = 'GET', signal } = init;
  const body = init.body as string | null | undefined;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const connection = new Connection();
    const request = new IncomingMessage(connection as unknown as Socket);
    const response = new ServerResponse(request);
    const onAbort = () => {
      reject((signal as AbortSignal).reason as Error);
      connection.destroy();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    const end = (settle: () => void) => {
      signal?.removeEventListener('abort', onAbort);
      // The caller continues in a later turn, as after a real request.
      realSetImmediate(settle);
    };
    connection.once('close', () => {
      if (!request.complete) request.destroy();
      if (!response.writableFinished) end(() => reject(new TypeError('fetch failed')));
    });
    response.once('finish', () => {
      response.detachSocket(connection as unknown as Socket);
      response.emit('close');
      end(() => {
        try {
          resolve(read(method, Buffer.concat(connection.written), url, init));
        } catch (error) {
          reject(error as Error);
        }
      });
    });
    request.method = method;
    request.url = `${url.pathname}${url.search}`;
    request.httpVersion = '1.1';
    [request.httpVersionMajor, request.httpVersionMinor] = [1, 1];
    request.headers = {
      host: url.host,
      connection: 'keep-alive',
      accept: '*/*',
      'accept-language': '*',
      'user-agent': 'node',
      ...(body && { 'content-type': 'text/plain;charset=UTF-8', 'content-length': `${Buffer.byteLength(body)}` }),
      ...Object.fromEntries(headers),
    };
    response.assignSocket(connection as unknown as Socket);
    realSetImmediate(() => {
      if (connection.destroyed) return;
      server.emit('request', request, response);
      if (body) request.push(Buffer.from(body));
      request.complete = true;
      request.push(null);
    });
  });
}

/** Reads the bytes of a response. */
function read(method: string, bytes: Buffer, url: URL, { redirect = 'follow' }: RequestInit): Response {
  const length = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.toString('latin1', 0, length).split('\r\n');
  const [, code = '', statusText = ''] = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(first) ?? [];
  const headers = new Headers();
  for (const line of lines) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1));
  const status = Number(code);
  if (status >= 300 && status < 400 && headers.has('location') && redirect !== 'manual') {
    if (redirect === 'error') throw new TypeError('fetch failed: unexpected redirect');
    throw new Error(`Following redirects is not implemented: ${url.href}`);
  }
  const content = bytes.subarray(length + 4);
  const isEmpty = method === 'HEAD' || [204, 205, 304].includes(status);
  const body = headers.get('transfer-encoding') === 'chunked' ? dechunked(content) : content;
  return new Response(isEmpty ? null : new Uint8Array(body), { status, statusText, headers });
}

/** Decodes a body with the transfer encoding "chunked". */
function dechunked(content: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const line = content.indexOf('\r\n', at);
    const size = Number.parseInt(content.toString('latin1', at, line), 16);
    if (!size) return Buffer.concat(parts);
    parts.push(content.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
