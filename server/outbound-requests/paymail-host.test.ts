import { Readable } from 'node:stream';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { requestJson, requestUntrusted, capabilitiesOf, resolveSrv, type SrvRecord } from './paymail-host.ts';
import * as pinned from './pinned-request.ts';

vi.mock('./pinned-request.ts', async (original) => ({
  ...(await original<typeof pinned>()),
  addressesOf: vi.fn(),
  publicAddressesOf: vi.fn(),
  requestPinned: vi.fn(),
}));
const resolvers = vi.hoisted(() => [] as unknown[]);
vi.mock('node:dns/promises', async (original) => ({
  ...(await original<object>()),
  Resolver: class {
    constructor(options: unknown) {
      resolvers.push(options);
    }
    resolveSrv = async (name: string) => [{ name, port: 1, priority: 0, weight: 0 }];
  },
}));

type Network = 'mainnet' | 'testnet' | 'devnet';
let looked: string[];
let addresses: { system: string[]; public: string[] };
let answer: () => { statusCode: number; body: Iterable<string> };
const asked = () => vi.mocked(pinned.requestPinned).mock.calls.map(([url]) => url.href);
let signal: AbortSignal;

beforeEach(() => {
  signal = new AbortController().signal;
  looked = [];
  addresses = { system: ['127.0.0.1'], public: ['1.1.1.1'] };
  answer = () => ({ statusCode: 200, body: ['{"bsvalias":"1.0","capabilities":{"pki":"x"}}'] });
  const lookUp = (which: 'system' | 'public') => async (url: URL) => {
    looked.push(`${which} ${url.hostname}`);
    return addresses[which].map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  vi.mocked(pinned.addressesOf).mockImplementation(lookUp('system'));
  vi.mocked(pinned.publicAddressesOf).mockImplementation(lookUp('public'));
  vi.mocked(pinned.requestPinned)
    .mockReset()
    .mockImplementation(async () => {
      const { statusCode, body } = answer();
      return Object.assign(Readable.from(body, { objectMode: false }), { statusCode }) as never;
    });
});

describe('a domain’s paymail host', () => {
  const ask = (domain: string, network: Network = 'mainnet', records: Partial<SrvRecord>[] = []) =>
    capabilitiesOf(
      domain,
      {
        network,
        resolveSrv: async () => records.map((record) => ({ name: '', port: 443, priority: 0, weight: 0, ...record })),
      },
      signal,
    );

  test.each([
    ['pay.example', 'mainnet', 'https://pay.example/.well-known/bsvalias'],
    ['sub.pay.example', 'testnet', 'https://sub.pay.example/.well-known/bsvalias'],
    ['bücher.example', 'mainnet', 'https://xn--bcher-kva.example/.well-known/bsvalias'],
    ['local.localhost.internal.example', 'mainnet', 'https://local.localhost.internal.example/.well-known/bsvalias'],
    ['pay.example', 'devnet', 'https://pay.example/.well-known/bsvalias'],
    ['localhost:3000', 'devnet', 'http://localhost:3000/.well-known/bsvalias'],
    ['127.0.0.1:3000', 'devnet', 'http://127.0.0.1:3000/.well-known/bsvalias'],
  ] as const)('%s has a host on %s', async (domain, network, url) => {
    expect(await ask(domain, network)).toEqual({ pki: 'x' });
    expect(asked()).toEqual([url]);
  });

  test.each([
    ['', 'mainnet'],
    ['localhost', 'mainnet'],
    ['localhost:3000', 'mainnet'],
    ['127.0.0.1:3000', 'testnet'],
    ['pay.example:443', 'mainnet'],
    // On devnet, only this machine may be contacted, and only with an explicit port.
    ['localhost', 'devnet'],
    ['127.0.0.1', 'devnet'],
    ['pay.example:3000', 'devnet'],
    ['10.0.0.1:3000', 'devnet'],
    ['pay.ex_ample', 'mainnet'],
    ['pay.example.local', 'mainnet'],
  ] as const)('%j isn’t a paymail domain on %s', async (domain, network) => {
    await expect(ask(domain, network)).rejects.toThrow('the domain is not public');
    expect([looked, asked()]).toEqual([[], []]);
  });

  test('the highest-priority record of the domain determines the host, in any order', async () => {
    const [first, second] = [
      { name: 'pay.example', port: 1, priority: 1 },
      { name: 'WWW.pay.example', port: 2, priority: 2, weight: 9 },
    ];
    await ask('pay.example', 'mainnet', [first, second]);
    await ask('pay.example', 'mainnet', [second, first]);
    await ask('pay.example', 'mainnet', [second]);
    expect(asked().map((url) => new URL(url).host)).toEqual(['pay.example:1', 'pay.example:1', 'www.pay.example:2']);
  });
});

describe('an untrusted URL', () => {
  const ask = (url: string, network: Network = 'mainnet') => requestUntrusted(new URL(url), 'text/x', network, signal);

  test.each([
    ['https://pay.example/a?b', 'mainnet', 'public pay.example'],
    ['https://pay.example/a?b', 'devnet', 'public pay.example'],
    ['http://localhost:3000/', 'devnet', 'system localhost'],
    ['https://localhost:3000/', 'devnet', 'system localhost'],
  ] as const)('%s is contacted on %s', async (url, network, resolver) => {
    await ask(url, network);
    expect([asked(), looked]).toEqual([[url], [resolver]]);
    const [, to, request] = vi.mocked(pinned.requestPinned).mock.calls[0] ?? [];
    expect(to?.map(({ address }) => address)).toEqual(resolver.startsWith('public') ? ['1.1.1.1'] : ['127.0.0.1']);
    expect(request).toEqual({
      method: 'GET',
      headers: { Accept: 'text/x', 'User-Agent': 'service-button-paymail/1' },
    });
  });

  test.each([
    ['http://pay.example/', 'mainnet'],
    ['http://pay.example/', 'devnet'],
    ['http://localhost:3000/', 'mainnet'],
    ['ftp://localhost/', 'devnet'],
    ['https://ann@pay.example/', 'mainnet'],
    ['https://:secret@pay.example/', 'mainnet'],
    ['https://ann:secret@pay.example/', 'mainnet'],
  ] as const)('%s is rejected on %s without a name lookup', async (url, network) => {
    await expect(ask(url, network)).rejects.toThrow('not https');
    expect([looked, asked()]).toEqual([[], []]);
  });

  test.each([
    ['https://pay.example/', 'mainnet', []],
    ['https://pay.example/', 'mainnet', ['127.0.0.1']],
    ['https://pay.example/', 'mainnet', ['1.1.1.1', '10.0.0.1']],
    ['https://pay.example/', 'mainnet', ['1.1.1.1', '::1']],
    ['https://pay.example/', 'devnet', ['127.0.0.1']],
    // On other networks, this machine is forbidden, like any private host.
    ['https://localhost/', 'mainnet', ['127.0.0.1']],
    ['https://127.0.0.1/', 'testnet', ['127.0.0.1']],
    ['https://[::1]/', 'mainnet', ['::1']],
    // On devnet, localhost must resolve only to this machine.
    ['http://localhost:3000/', 'devnet', []],
    ['http://localhost:3000/', 'devnet', ['10.0.0.1']],
    ['http://localhost:3000/', 'devnet', ['127.0.0.1', '1.1.1.1']],
    ['http://localhost:3000/', 'devnet', ['::2']],
  ] as const)('%s on %s is not contacted if its name resolves to %j', async (url, network, all) => {
    addresses = { system: [...all], public: [...all] };
    await expect(ask(url, network)).rejects.toThrow('a private address');
    expect(asked()).toEqual([]);
  });

  test('localhost can resolve to any loopback address on devnet', async () => {
    addresses.system = ['::1', '127.0.0.1', '127.1.2.3'];
    await ask('http://localhost:3000/', 'devnet');
    expect(asked()).toHaveLength(1);
  });
});

describe('a response', () => {
  const ask = () => requestJson('https://pay.example/', 'mainnet', signal);

  test('the request accepts JSON, and the response is parsed', async () => {
    expect(await ask()).toEqual({ bsvalias: '1.0', capabilities: { pki: 'x' } });
    expect(vi.mocked(pinned.requestPinned).mock.calls[0]?.[2].headers.Accept).toBe('application/json');
  });

  test.each([201, 204, 301, 302, 404, 500])(
    'status %i is an error, and its body is not read to the end',
    async (statusCode) => {
      let read = 0;
      const body = (function* () {
        for (const part of ['{', '"a"', ':', '1', ...Array<string>(1_000).fill(' '), '}']) {
          read += 1;
          yield part;
        }
      })();
      answer = () => ({ statusCode, body });
      await expect(ask()).rejects.toThrow('no answer');
      expect(read).toBeLessThan(1_000);
    },
  );

  test('the body must be shorter than 100,000 bytes', async () => {
    answer = () => ({ statusCode: 200, body: ['1'.padEnd(99_999)] });
    expect(await ask()).toBe(1);
    answer = () => ({ statusCode: 200, body: ['1'.padEnd(50_000), ' '.repeat(50_000)] });
    await expect(ask()).rejects.toThrow('no answer');
  });
});

test('the client queries name servers for records once, with a short timeout', async () => {
  expect(await resolveSrv('_bsvalias._tcp.pay.example')).toEqual([expect.objectContaining({ port: 1 })]);
  expect(resolvers).toEqual([{ timeout: 2_000, tries: 1 }]);
});
