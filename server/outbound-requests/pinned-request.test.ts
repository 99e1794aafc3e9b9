import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import {
  createServer,
  getDefaultAutoSelectFamily,
  setDefaultAutoSelectFamily,
  type AddressInfo,
  type Server,
} from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { addressesOf, publicAddressesOf, readBeginning, requestPinned } from './pinned-request.ts';

const names: Record<string, readonly string[] | null> = {};
const { cancelled, options, systemAsked } = vi.hoisted(() => ({
  cancelled: vi.fn(),
  options: [] as unknown[],
  systemAsked: vi.fn(),
}));
vi.mock('node:dns', async (original) => ({ ...(await original<object>()), lookup: systemAsked }));
vi.mock('node:dns/promises', () => ({
  Resolver: class {
    #refuse: (() => void)[] = [];
    constructor(given: unknown) {
      options.push(given);
    }
    resolve4 = (name: string) => this.#answer(name, '.');
    resolve6 = (name: string) => this.#answer(name, ':');
    cancel(): void {
      cancelled();
      for (const refuse of this.#refuse) refuse();
    }
    #answer(name: string, separator: string): Promise<string[]> {
      const all = names[name];
      if (all === null)
        return new Promise((_found, failed) => this.#refuse.push(() => failed(new Error('ECANCELLED'))));
      const found = (all ?? []).filter((address) => address.includes(separator));
      return found.length > 0 ? Promise.resolve(found) : Promise.reject(new Error('ENODATA'));
    }
  },
}));

beforeEach(() => {
  cancelled.mockClear();
  systemAsked.mockReset();
});
const ask = (host: string, signal = new AbortController().signal) =>
  publicAddressesOf(new URL(`https://${host}`), signal);

test('untrusted hosts are resolved by name servers, for IPv4 and IPv6, never by the system’s resolver with its few shared threads', async () => {
  names['a.example'] = ['1.1.1.1', '2606:4700::1'];
  names['six.example'] = ['2606:4700::1'];
  expect(await ask('a.example')).toEqual([
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ]);
  expect(await ask('six.example')).toEqual([{ address: '2606:4700::1', family: 6 }]);
  expect([await ask('1.2.3.4'), await ask('[::ffff:127.0.0.1]')]).toEqual([
    [{ address: '1.2.3.4', family: 4 }],
    [{ address: '::ffff:7f00:1', family: 6 }],
  ]);
  await expect(ask('nobody.example')).rejects.toThrow('ENODATA');
  expect(systemAsked).not.toHaveBeenCalled();
  expect(new Set(options.map((one) => JSON.stringify(one)))).toEqual(new Set(['{"timeout":2000,"tries":1}']));
});

test('queries to name servers that don’t respond in time are given up', async () => {
  names['silent.example'] = null;
  const stop = new AbortController();
  const asked = ask('silent.example', stop.signal);
  stop.abort(new Error('time-out'));
  await expect(asked).rejects.toThrow('time-out');
  expect(cancelled).toHaveBeenCalledOnce();
});

describe('this machine’s own names', () => {
  test('the system resolves them to all their addresses', async () => {
    const found = [{ address: '127.0.0.1', family: 4 }];
    systemAsked.mockImplementation((_name, _options, callback) => callback(null, found));
    const { signal } = new AbortController();
    expect(await addressesOf(new URL('http://localhost:3000'), signal)).toBe(found);
    await addressesOf(new URL('http://[::1]:3000'), signal);
    expect(systemAsked.mock.calls.map(([name, how]) => [name, how])).toEqual(
      ['localhost', '::1'].map((name) => [name, { all: true }]),
    );
    systemAsked.mockImplementation((_name, _options, callback) => callback(new Error('ENOTFOUND')));
    await expect(addressesOf(new URL('http://localhost'), signal)).rejects.toThrow('ENOTFOUND');
  });

  test('the lookup is given up when its time is up', async () => {
    const stop = new AbortController();
    const found = addressesOf(new URL('http://localhost'), stop.signal);
    stop.abort();
    await expect(found).rejects.toThrow('time-out');
  });
});

describe('a request', () => {
  const closers: (() => void)[] = [];
  afterEach(() => {
    for (const close of closers.splice(0)) close();
  });
  const listen = async (server: Server): Promise<number> => {
    server.listen(0, '127.0.0.1');
    closers.push(() => server.close());
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const listenHttp = (listener: RequestListener) => {
    const server = createHttpServer(listener);
    closers.push(() => server.closeAllConnections());
    return listen(server);
  };
  const LOOPBACK = [{ address: '127.0.0.1', family: 4 }];
  const send = (url: string, addresses = LOOPBACK, signal = new AbortController().signal) =>
    requestPinned(new URL(url), addresses, { method: 'POST', headers: { 'X-A': 'b' }, body: 'what is said' }, signal);

  test.each([true, false])(
    'goes to the checked addresses under its own hostname, which isn’t resolved again (families tried in turn: %s)',
    async (inTurn) => {
      const usual = getDefaultAutoSelectFamily();
      closers.push(() => setDefaultAutoSelectFamily(usual));
      setDefaultAutoSelectFamily(inTurn);
      const port = await listenHttp(async (request, response) => {
        const { host, connection, 'x-a': a } = request.headers;
        response.end(JSON.stringify([request.method, request.url, host, connection, a, await text(request)]));
      });
      const answer = await send(`http://shop.example:${port}/hook?a=b`);
      expect(JSON.parse(await text(answer))).toEqual([
        'POST',
        '/hook?a=b',
        `shop.example:${port}`,
        'close',
        'b',
        'what is said',
      ]);
      expect(systemAsked).not.toHaveBeenCalled();
    },
  );

  test('uses TLS for the name if the URL is https', async () => {
    const said = new Promise<Buffer>((resolve) => {
      const server = createServer((socket) => {
        socket.once('data', (data) => {
          resolve(data);
          socket.destroy();
        });
      });
      void listen(server).then((port) => send(`https://shop.example:${port}/`).catch(() => {}));
    });
    const hello = await said;
    // A TLS handshake (RFC 8446, section 5.1) with the name in plain text (RFC 6066, section 3), and no request data.
    expect(hello[0]).toBe(0x16);
    expect(hello.includes('shop.example')).toBe(true);
    expect(hello.includes('what is said')).toBe(false);
  });

  test('returns a redirect instead of following it', async () => {
    let requests = 0;
    const port = await listenHttp((_request, response) => {
      requests += 1;
      response.writeHead(302, { Location: '/elsewhere' }).end();
    });
    expect([(await send(`http://shop.example:${port}/`)).statusCode, requests]).toEqual([302, 1]);
  });

  test('fails if the host switches protocols instead of responding', async () => {
    // Node reports neither a response nor an error, and the abort signal no longer has any effect.
    const port = await listen(
      createServer((socket) =>
        socket
          .on('error', () => {})
          .once('data', () => {
            socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
          }),
      ),
    );
    await expect(send(`http://shop.example:${port}/`)).rejects.toThrow('closed the connection');
  });

  test('fails if no server listens, and once it is aborted', async () => {
    const gone = await listenHttp(() => {});
    for (const close of closers.splice(0)) close();
    await expect(send(`http://shop.example:${gone}/`)).rejects.toThrow('ECONNREFUSED');
    const stop = new AbortController();
    const port = await listenHttp(() => stop.abort());
    await expect(send(`http://shop.example:${port}/`, LOOPBACK, stop.signal)).rejects.toThrow('aborted');
  });
});

describe('the beginning of a response', () => {
  const read = async (parts: readonly string[], maxBytes: number, breaks = false) => {
    let asked = 0;
    const response = (async function* () {
      for (const part of parts) {
        asked += 1;
        yield Buffer.from(part);
      }
      asked += 1;
      if (breaks) throw new Error('ECONNRESET');
    })();
    const { bytes, whole } = await readBeginning(response as unknown as IncomingMessage, maxBytes);
    return [bytes.toString(), whole, asked];
  };

  test('a response below the limit is read completely', async () => {
    expect(await read(['ab', 'cd'], 5)).toEqual(['abcd', true, 3]);
    expect(await read([], 5)).toEqual(['', true, 1]);
  });

  test('reading stops at the limit, without requesting more', async () => {
    expect(await read(['ab', 'cd', 'ef'], 4)).toEqual(['abcd', false, 2]);
    expect(await read(['ab', 'cd', 'ef'], 3)).toEqual(['abcd', false, 2]);
    expect(await read(['ab', 'cd'], 0)).toEqual(['ab', false, 1]);
  });

  test('a response that breaks off isn’t complete', async () => {
    expect(await read(['ab'], 5, true)).toEqual(['ab', false, 2]);
  });
});
