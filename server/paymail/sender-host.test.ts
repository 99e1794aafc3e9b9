import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CAPABILITIES } from '../../protocol/http/paymail.ts';
import * as pinned from '../outbound-requests/pinned-request.ts';
import type { SrvRecord } from '../outbound-requests/paymail-host.ts';
import { isKeyOf } from './sender-host.ts';

const real = await vi.importActual<typeof pinned>('../outbound-requests/pinned-request.ts');
vi.mock('../outbound-requests/pinned-request.ts', async (original) => ({
  ...(await original<typeof pinned>()),
  addressesOf: vi.fn(),
  publicAddressesOf: vi.fn(),
  requestPinned: vi.fn(),
}));

const KEY = `02${'ab'.repeat(32)}`;
const PUBLIC = [{ address: '1.1.1.1', family: 4 }];
let internet: Record<string, unknown> = {};
let addresses: Record<string, { address: string; family: number }[]> = {};
let asked: string[] = [];
const closers: (() => void)[] = [];

const documentAt = (origin: string, which: ('pki' | 'verifyPublicKey')[] = ['verifyPublicKey', 'pki']) => ({
  bsvalias: '1.0',
  capabilities: Object.fromEntries(
    which.map((name) => [
      CAPABILITIES[name],
      `${origin}/${name}/{alias}@{domain.tld}${name === 'pki' ? '' : '/{pubkey}'}`,
    ]),
  ),
});
const verified = (match = true, pubkey = KEY) => ({ handle: 'a@a.example', pubkey, match });

beforeEach(() => {
  internet = {};
  addresses = {};
  asked = [];
  vi.mocked(pinned.publicAddressesOf).mockImplementation(async (url) => addresses[url.hostname] ?? PUBLIC);
  // The system's resolver may be used only for loopback names.
  vi.mocked(pinned.addressesOf).mockRejectedValue(new Error('a stranger’s name'));
  vi.mocked(pinned.requestPinned).mockImplementation(async (url) => {
    asked.push(url.href);
    const body = internet[url.href];
    return Object.assign(Readable.from([Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? {}))]), {
      statusCode: body === undefined ? 404 : 200,
    }) as never;
  });
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const ask = (
  domain: string,
  {
    srv = [] as Partial<SrvRecord>[],
    network = 'mainnet' as 'mainnet' | 'devnet',
    alias = 'alice',
    timeoutMs = 5_000,
  } = {},
) =>
  isKeyOf({ alias, domain }, KEY, {
    network,
    timeoutMs,
    resolveSrv: async (name) => {
      asked.push(name);
      return srv.map((record) => ({ name: '', port: 443, priority: 0, weight: 0, ...record }));
    },
  });

test('a domain’s host confirms a key by the verification capability, or else by the key it returns', async () => {
  internet['https://a.example/.well-known/bsvalias'] = documentAt('https://a.example');
  internet[`https://a.example/verifyPublicKey/alice@a.example/${KEY}`] = verified();
  expect(await ask('a.example')).toBe(true);
  expect(asked).toEqual([
    '_bsvalias._tcp.a.example',
    'https://a.example/.well-known/bsvalias',
    `https://a.example/verifyPublicKey/alice@a.example/${KEY}`,
  ]);
  internet[`https://a.example/verifyPublicKey/alice@a.example/${KEY}`] = verified(false);
  expect(await ask('a.example')).toBe(false);
  internet[`https://a.example/verifyPublicKey/alice@a.example/${KEY}`] = verified(true, `03${'ab'.repeat(32)}`);
  expect(await ask('a.example')).toBe(false);
  internet['https://a.example/.well-known/bsvalias'] = documentAt('https://a.example', ['pki']);
  internet['https://a.example/pki/alice@a.example'] = {
    bsvalias: '1.0',
    handle: 'alice@a.example',
    pubkey: KEY.toUpperCase(),
  };
  expect(await ask('a.example')).toBe(true);
});

test('the first SRV record that leads to the domain itself counts; without one, the domain’s port 443 is used', async () => {
  const first = async (srv: Partial<SrvRecord>[]) => {
    asked = [];
    await ask('a.example', { srv });
    return asked[1];
  };
  expect(await first([{ name: 'www.a.example', port: 8443 }])).toBe('https://www.a.example:8443/.well-known/bsvalias');
  expect(
    await first([
      { name: 'A.example', port: 444, priority: 1 },
      { name: 'www.a.example', priority: 2 },
    ]),
  ).toBe('https://a.example:444/.well-known/bsvalias');
  expect(
    await first([
      { name: 'a.example', port: 1, weight: 1 },
      { name: 'a.example', port: 2, weight: 9 },
    ]),
  ).toBe('https://a.example:2/.well-known/bsvalias');
  for (const name of ['evil.example', 'a.example.evil.example', 'sub.a.example', 'example', ''])
    expect(await first([{ name, port: 8443 }]), name).toBe('https://a.example/.well-known/bsvalias');
  vi.mocked(pinned.requestPinned).mockClear();
  expect(
    await isKeyOf({ alias: 'a', domain: 'a.example' }, KEY, {
      network: 'mainnet',
      timeoutMs: 5_000,
      resolveSrv: () => Promise.reject(new Error('ESERVFAIL')),
    }),
  ).toBe(false);
  expect(vi.mocked(pinned.requestPinned).mock.calls[0]?.[0].href).toBe('https://a.example/.well-known/bsvalias');
});

test.each([
  '127.0.0.1',
  '8.8.8.8',
  '0x7f.1',
  '2130706433',
  '1.2.3',
  'localhost',
  'intranet',
  'printer.local',
  'db.internal',
  'a.localhost',
  'a.example:8080',
  'localhost:3000',
  '127.0.0.1:80',
  '-',
  'ex_ample.com',
  'a..example',
])('%s is not a public domain, so it is not contacted', async (domain) => {
  expect(await ask(domain)).toBe(false);
  expect(asked).toEqual([]);
});

test.each([
  ['127.0.0.1', 4],
  ['10.0.0.1', 4],
  ['169.254.169.254', 4],
  ['::1', 6],
  ['fd00::1', 6],
])('a domain or capability that resolves to %s is not contacted', async (address, family) => {
  addresses['a.example'] = [...PUBLIC, { address, family }];
  internet['https://a.example/.well-known/bsvalias'] = documentAt('https://a.example');
  expect(await ask('a.example')).toBe(false);
  expect(asked).toEqual(['_bsvalias._tcp.a.example']);
  internet['https://b.example/.well-known/bsvalias'] = documentAt('https://a.example');
  internet[`https://a.example/verifyPublicKey/alice@b.example/${KEY}`] = verified();
  expect(await ask('b.example')).toBe(false);
  expect(asked.at(-1)).toBe('https://b.example/.well-known/bsvalias');
});

test.each([
  'http://a.example',
  'ftp://a.example',
  'https://user:secret@a.example',
  'http://localhost:3000',
  'file:///etc',
  'javascript:',
  '//a.example',
  '',
])('a capability at %j is not contacted', async (origin) => {
  internet['https://a.example/.well-known/bsvalias'] = documentAt(origin);
  expect(await ask('a.example')).toBe(false);
  expect(asked).toHaveLength(2);
});

test('malformed and endless responses confirm nothing', async () => {
  const at = 'https://a.example/.well-known/bsvalias';
  for (const body of [
    '',
    '{',
    '[]',
    'null',
    '{"bsvalias":1}',
    '{"bsvalias":"1.0","capabilities":[]}',
    '{"bsvalias":"1.0","capabilities":{}}',
    JSON.stringify(documentAt('https://a.example')).padEnd(100_001),
  ]) {
    internet = { [at]: body, [`https://a.example/verifyPublicKey/alice@a.example/${KEY}`]: verified() };
    expect(await ask('a.example'), body.slice(0, 60)).toBe(false);
  }
  internet[at] = documentAt('https://a.example');
  expect(await ask('a.example')).toBe(true);
  for (const body of [
    'true',
    '{"match":true}',
    JSON.stringify({ ...verified(), match: 'true' }),
    JSON.stringify({ ...verified(), pubkey: [KEY] }),
  ]) {
    internet[`https://a.example/verifyPublicKey/alice@a.example/${KEY}`] = body;
    expect(await ask('a.example'), body).toBe(false);
  }
});

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('devnet permits a host on this machine, without redirects and with a timeout', async () => {
  vi.mocked(pinned.addressesOf).mockImplementation(real.addressesOf);
  vi.mocked(pinned.requestPinned).mockImplementation(real.requestPinned);
  const devnet = (port: number, timeoutMs = 30_000) => ask(`127.0.0.1:${port}`, { network: 'devnet', timeoutMs });
  const port = await listen((request, response) => {
    const own = `http://127.0.0.1:${port}`;
    response.end(JSON.stringify(request.url === '/.well-known/bsvalias' ? documentAt(own) : verified()));
  });
  expect(await devnet(port)).toBe(true);
  let followed = 0;
  const moved = await listen((request, response) => {
    if (request.url === '/elsewhere') followed += 1;
    response.writeHead(302, { Location: '/elsewhere' }).end();
  });
  expect([await devnet(moved), followed]).toEqual([false, 0]);
  const silent = await listen(() => {});
  expect(await devnet(silent, 300)).toBe(false);
  // A host whose name servers don't respond also fails.
  expect(
    await isKeyOf({ alias: 'a', domain: 'a.example' }, KEY, {
      network: 'mainnet',
      timeoutMs: 100,
      resolveSrv: () => new Promise(() => {}),
    }),
  ).toBe(false);
});
