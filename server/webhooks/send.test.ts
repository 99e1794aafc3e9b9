import { lookup } from 'node:dns';
import type * as Dns from 'node:dns';
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { send } from './send.ts';

vi.mock('node:dns', async (original) => ({ ...(await original<typeof Dns>()), lookup: vi.fn() }));
vi.mock('node:dns/promises', () => ({
  Resolver: class {
    #found: (typeof answers)[number] | undefined;
    resolve4 = (name: string) => this.#of(name, 4);
    resolve6 = (name: string) => this.#of(name, 6);
    cancel(): void {}
    async #of(name: string, wanted: number): Promise<string[]> {
      this.#found ??= answerTo(name);
      const found = this.#found.filter(({ family }) => family === wanted).map(({ address }) => address);
      return found.length > 0 ? found : Promise.reject(new Error('ENODATA'));
    }
  },
}));

/** Results of successive name lookups. The last result is repeated. */
let answers: { address: string; family: number }[][] = [];
let questions: string[] = [];
const servers: Server[] = [];
const sockets = new Set<Socket>();

beforeEach(() => {
  answers = [[{ address: '127.0.0.1', family: 4 }]];
  questions = [];
  vi.mocked(lookup).mockImplementation(((
    name: string,
    _options: unknown,
    callback: (error: Error | null, found: unknown) => void,
  ) => {
    callback(null, answerTo(name));
  }) as never);
});
function answerTo(name: string): (typeof answers)[number] {
  questions.push(name);
  return (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
}
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
const listenHttp = (listener: RequestListener) => listen(createHttpServer(listener));
const post = (url: string, rules: Partial<Parameters<typeof send>[3]> = {}, body = '{"a":"ü"}') =>
  send(url, { 'webhook-id': 'msg_1' }, body, { allowPrivate: true, timeoutMs: 5_000, ...rules });

test('posts the body and its headers under the hostname, to the resolved address', async () => {
  const seen: unknown[] = [];
  const port = await listenHttp((request, response) => {
    let body = '';
    request
      .on('data', (chunk) => (body += chunk))
      .on('end', () => {
        seen.push([
          request.method,
          request.url,
          request.headers.host,
          request.headers['webhook-id'],
          request.headers['content-type'],
          request.headers['content-length'],
          body,
        ]);
        response.writeHead(204).end();
      });
  });
  expect(await post(`http://shop.example:${port}/hook?a=1`)).toEqual({ status: 204, error: null, response: null });
  expect(seen).toEqual([['POST', '/hook?a=1', `shop.example:${port}`, 'msg_1', 'application/json', '10', '{"a":"ü"}']]);
  expect(questions).toEqual(['shop.example']);
});

test('resolves a name only once, even if it resolves elsewhere the second time', async () => {
  let reached = 0;
  const port = await listenHttp((_request, response) => {
    reached += 1;
    response.end();
  });
  // A public address at the first lookup and this machine at the second (DNS rebinding).
  answers = [[{ address: '192.0.2.1', family: 4 }], [{ address: '127.0.0.1', family: 4 }]];
  expect(await post(`https://rebind.example:${port}/`, { allowPrivate: false })).toEqual({
    status: null,
    error: 'The webhook URL leads to a private address.',
    response: null,
  });
  answers = [[{ address: '127.0.0.1', family: 4 }], [{ address: '192.0.2.1', family: 4 }]];
  expect(await post(`http://rebind.example:${port}/`)).toMatchObject({ status: 200 });
  expect([questions, reached]).toEqual([['rebind.example', 'rebind.example'], 1]);
});

test.each([
  ['127.0.0.1', 4],
  ['169.254.169.254', 4],
  ['10.1.2.3', 4],
  ['100.64.0.1', 4],
  ['::1', 6],
  ['::ffff:127.0.0.1', 6],
  ['fd00::1', 6],
  ['fe80::1', 6],
])('doesn’t connect to %s, whether it is a hostname’s only address or one of several', async (address, family) => {
  const refused = { status: null, error: 'The webhook URL leads to a private address.', response: null };
  answers = [
    [{ address, family }],
    [
      { address: '1.1.1.1', family: 4 },
      { address, family },
    ],
  ];
  expect(await post('https://inside.example/', { allowPrivate: false })).toEqual(refused);
  expect(await post('https://inside.example/', { allowPrivate: false })).toEqual(refused);
});

test.each([
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://0/',
])('doesn’t connect to %s', async (url) => {
  const real = await vi.importActual<typeof Dns>('node:dns');
  vi.mocked(lookup).mockImplementation(real.lookup as never);
  expect(await post(url, { allowPrivate: false })).toEqual({
    status: null,
    error: 'The webhook URL leads to a private address.',
    response: null,
  });
});

test.each(['http://shop.example/', 'ftp://shop.example/', 'file:///etc/passwd'])('rejects %s', async (url) => {
  expect(await post(url, { allowPrivate: false })).toEqual({
    status: null,
    error: 'The webhook URL is not https.',
    response: null,
  });
});

test('follows no redirect', async () => {
  let requests = 0;
  const port = await listenHttp((_request, response) => {
    requests += 1;
    response.writeHead(307, { Location: '/again' }).end();
  });
  expect(await post(`http://shop.example:${port}/`)).toMatchObject({
    status: 307,
    error: expect.stringContaining('redirect'),
  });
  expect(requests).toBe(1);
});

test('reads a limited part of a response, and quotes a line of it', async () => {
  let closed = () => {};
  const ended = new Promise<void>((resolve) => (closed = resolve));
  const endless = await listenHttp((_request, response) => {
    response.on('close', closed).writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  expect(await post(`http://shop.example:${endless}/`)).toEqual({
    status: 200,
    error: null,
    response: 'x'.repeat(2_000),
  });
  await ended;
  const rude = await listenHttp((_request, response) =>
    response.writeHead(500).end(`\0\u001b[31mno\n\nway ${'y'.repeat(500)}`),
  );
  expect((await post(`http://shop.example:${rude}/`)).error).toMatch(/^\[31mno way y{189}$/);
});

test('gives up on receivers that don’t answer, trickle, hang up, or don’t exist', async () => {
  const silent = await listen(createServer(() => {}));
  expect(await post(`http://shop.example:${silent}/`, { timeoutMs: 300 })).toEqual({
    status: null,
    error: 'No answer within 0.3 s.',
    response: null,
  });
  const dripping = await listen(
    createServer((socket) => {
      const timer = setInterval(() => socket.write('H'), 20);
      socket.on('error', () => {}).on('close', () => clearInterval(timer));
    }),
  );
  expect(await post(`http://shop.example:${dripping}/`, { timeoutMs: 300 })).toMatchObject({ status: null });
  const rude = await listen(createServer((socket) => socket.destroy()));
  expect(await post(`http://shop.example:${rude}/`)).toEqual({
    status: null,
    error: 'The connection failed (ECONNRESET).',
    response: null,
  });
  const [server] = servers.splice(servers.length - 1);
  await new Promise((done) => server?.close(done));
  expect(await post(`http://shop.example:${rude}/`)).toEqual({
    status: null,
    error: 'Nothing listens at the webhook URL.',
    response: null,
  });
  expect(await post('not a url')).toMatchObject({ status: null });
  // The status has arrived, so the endless body doesn't matter.
  const halfway = await listenHttp((_request, response) => {
    response.writeHead(200).write('…');
  });
  expect(await post(`http://shop.example:${halfway}/`, { timeoutMs: 2_000 })).toMatchObject({
    status: 200,
    error: null,
  });
  vi.mocked(lookup).mockImplementation((() => {}) as never);
  expect(await post('https://slow-name.example/', { timeoutMs: 300 })).toEqual({
    status: null,
    error: 'No answer within 0.3 s.',
    response: null,
  });
});
