import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { jsonBody } from './body.ts';
import { errorHandler } from './errors.ts';
import { createIntake, INTAKE_LIMITS, type IntakeLimits } from './body-budget.ts';
import { createHttp } from './listen.ts';

/** In these tests, bodies are a few kilobytes long, and budgets are large enough for a few bodies. */
describe('incoming bodies', () => {
  let server: Server;
  let port: number;
  let answer: Promise<void>;
  let answeredSmall = 0;
  const sockets: Socket[] = [];

  async function start(limits: Partial<IntakeLimits>, timeouts: Parameters<typeof createHttp>[0] = {}) {
    const app = express();
    app.locals.intake = createIntake({ ...INTAKE_LIMITS, ...limits });
    app.post(
      '/large/:caller',
      jsonBody('25mb', ({ req }) => String(req.params.caller)),
      async (request, response) => {
        await answer;
        response.json({ length: (request.body as { text: string }).text.length });
      },
    );
    app.post('/small', jsonBody('100kb'), (request, response) => {
      response.json({ got: request.body as unknown });
      answeredSmall += 1;
    });
    app.post('/much', jsonBody('100kb'), (_request, response) => void response.send('x'.repeat(50_000_000)));
    app.use(errorHandler(pino({ level: 'silent' })));
    server = createHttp(timeouts).on('request', app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  }
  beforeEach(() => {
    answer = Promise.resolve();
    answeredSmall = 0;
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });

  const bodyOf = (length: number) => JSON.stringify({ text: 'x'.repeat(length) });
  const post = async (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
    });
    return {
      status: response.status,
      body: (await response.json()) as any,
      retryAfter: response.headers.get('retry-after'),
    };
  };
  /** Begins a request, but sends only the beginning of its body, or none of it. */
  async function begin(path: string, headers: string, beginning = '') {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${beginning}`,
    );
    return socket;
  }
  /** Reads the server's output until it matches `text`. */
  async function until(socket: Socket, text: RegExp) {
    let said = '';
    for await (const chunk of socket) {
      said += String(chunk);
      if (text.test(said)) break;
    }
    return said;
  }

  it('reserve nothing for their declared length before their bytes arrive', async () => {
    await start({ budget: 30_000, large: 30_000, ofOne: 20_000 });
    for (let i = 0; i < 20; i += 1)
      await begin(
        `/large/${i}`,
        i % 2 === 0 ? 'Content-Length: 20000000' : 'Transfer-Encoding: chunked',
        i % 2 === 0 ? '{' : '1\r\n{\r\n',
      );
    expect(await post('/large/ann', bodyOf(9_000))).toMatchObject({ status: 200, body: { length: 9_000 } });
    const chunked = new ReadableStream({
      start: (controller) => (controller.enqueue(Buffer.from(bodyOf(9_000))), controller.close()),
    });
    const response = await fetch(`http://127.0.0.1:${port}/large/ann`, {
      method: 'POST',
      body: chunked,
      duplex: 'half',
      headers: { 'Content-Type': 'application/json' },
    } as RequestInit);
    expect(response.status).toBe(200);
  });

  it('count until their response is sent, against the limits per caller, for large bodies and for all bodies', async () => {
    await start({ budget: 40_000, large: 30_000, ofOne: 20_000 });
    let release = () => {};
    answer = new Promise((resolve) => (release = resolve));
    const under = ['ann', 'ann', 'bob'].map((caller) => post(`/large/${caller}`, bodyOf(9_000)));
    // Once this request is rejected, the other three have arrived and used up the budget for large bodies.
    for (;;) if ((await post('/large/cid', bodyOf(9_000))).status === 503) break;
    expect(await post('/large/ann', bodyOf(9_000))).toMatchObject({
      status: 503,
      retryAfter: '5',
      body: { error: { code: 'service-unavailable' } },
    });
    // The rest of the budget is reserved for small bodies.
    expect((await post('/small', bodyOf(5_000))).status).toBe(200);
    expect((await post('/small', bodyOf(20_000))).status).toBe(503);
    release();
    expect((await Promise.all(under)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await post('/large/cid', bodyOf(9_000))).status).toBe(200);
  });

  it('release their share once they are answered, even if an earlier response on the connection isn’t sent yet', async () => {
    await start({ budget: 40_000, large: 30_000, ofOne: 20_000 });
    let release = () => {};
    answer = new Promise((resolve) => (release = resolve));
    const next = (path: string, length: number) =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${bodyOf(length).length}\r\n\r\n${bodyOf(length)}`;
    const pipelined = next('/small', 9_000) + next('/small', 9_000);
    const socket = await begin('/large/ann', 'Content-Length: 13', `{"text":"x"} ${pipelined}`);
    await vi.waitFor(() => expect(answeredSmall).toBe(2));
    expect((await post('/small', bodyOf(9_000))).status).toBe(200);
    release();
    expect(await until(socket, /(HTTP\/1.1 200 OK[^]*){3}/)).toContain('"length":1');
  });

  it('release their share when the connection breaks', async () => {
    await start({ budget: 30_000, large: 30_000, ofOne: 20_000 });
    for (let i = 0; i < 10; i += 1) {
      const socket = await begin('/large/ann', 'Content-Length: 19000', bodyOf(15_000));
      socket.end();
      socket.resume();
      await once(socket, 'close');
    }
    expect((await post('/large/ann', bodyOf(19_000))).status).toBe(200);
  });

  it('get an error response if they don’t arrive in time', async () => {
    await start({ deadlineMs: 50, ofOne: 20_000 });
    for (const beginning of ['', '{']) {
      const said = await until(await begin('/large/ann', 'Content-Length: 1000', beginning), /request-timeout/);
      expect(said).toMatch(/^HTTP\/1\.1 408 /);
    }
    expect((await post('/large/ann', bodyOf(19_000))).status).toBe(200);
  });

  it('get a readable rejection while the client is still sending', async () => {
    await start({ ofOne: 200_000 });
    const text = bodyOf(20_000_000);
    for (let i = 0; i < 3; i += 1) expect((await post('/large/ann', text)).status).toBe(503);
    expect((await post('/large/ann', `${text}${' '.repeat(10_000_000)}`)).status).toBe(413);
    // A body of unknown length.
    const socket = await begin('/small', 'Transfer-Encoding: chunked');
    const piece = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    for (let i = 0; i < 20; i += 1) socket.write(piece);
    expect(await until(socket, /too-large/)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('end their requests if they arrive too slowly', async () => {
    await start({}, { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 });
    expect(await until(await begin('/large/ann', 'Content-Length: 1000', '{'), /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 408 /);
    const silent = connect(port, '127.0.0.1');
    sockets.push(silent);
    silent.write('POST /large/ann HTTP/1.1\r\n');
    expect(await until(silent, /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('end their requests if the client doesn’t read the response', async () => {
    await start({}, { idleMs: 100 });
    const closed = once(server, 'connection').then(([socket]) => once(socket as Socket, 'close'));
    const socket = await begin('/much', 'Content-Length: 2', '{}');
    socket.pause();
    await closed;
  });

  it('can be compressed, and never exceed their limit decompressed', async () => {
    await start({});
    const gzip = { 'Content-Encoding': 'gzip' };
    expect(await post('/small', gzipSync('{"a":1}'), gzip)).toMatchObject({ status: 200, body: { got: { a: 1 } } });
    expect((await post('/small', gzipSync(bodyOf(1_000_000)), gzip)).status).toBe(413);
    expect((await post('/small', 'no gzip', gzip)).status).toBe(400);
    expect((await post('/large/ann', gzipSync('{"text":""}'), gzip)).status).toBe(400);
  });

  it('get rejected before parsing if they have too many levels or values', async () => {
    await start({});
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect((await post('/small', nested(30))).status).toBe(200);
    for (const body of [nested(40), nested(50_000), '{"a":'.repeat(15_000), `[${'{},'.repeat(30_000)}0]`]) {
      expect(await post('/small', body), body.slice(0, 10)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid-request' } },
      });
    }
    // Brackets in strings don't count as nesting.
    const text = `${'[{'.repeat(10_000)}\\"\\\\`;
    expect((await post('/small', JSON.stringify({ text, more: ',"' }))).body.got).toEqual({ text, more: ',"' });
    for (const body of ['', ' ', '{"a', '{"a\\"', '"\\'])
      expect((await post('/small', body)).status, body).toBe(body === '' ? 200 : 400);
  });
});
