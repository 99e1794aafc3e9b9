import { afterEach, describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { answering } from '../../testkit/network/answers.ts';
import { startHost, startNames } from '../../testkit/network/hosts.ts';
import { endAllWorkerRuns, Profile } from '../../testkit/wallet/worker-run.ts';
import { wallet } from '../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

const SITE = 'https://shop.example';

async function open() {
  const profile = new Profile('http://localhost:1');
  const names = await startNames(profile);
  const host = await startHost(profile);
  await profile.start();
  return { names, host, requestHost: (await import('./host.ts')).requestHost };
}

test('allowed URLs are https with a public name, on devnet also this machine, and always the own service', async () => {
  await new Profile('http://localhost:1').start();
  const { hostUrl } = await import('./host.ts');
  const may = (
    url: string,
    network: 'devnet' | 'testnet' | 'mainnet' = 'mainnet',
    serviceUrl = 'https://service.example',
  ) => hostUrl(url, { network, serviceUrl }) !== null;
  for (const url of [
    'https://pay.example/x',
    'https://pay.example:8443/x?y=1',
    'https://xn--bcher-kva.example/',
    'https://a.b.c.d.example/',
  ])
    expect(may(url), url).toBe(true);
  const never = [
    'http://pay.example/',
    'ftp://pay.example/',
    'javascript:alert(1)',
    'data:,x',
    'chrome-extension://x/',
    'file:///etc/passwd',
    '',
    '/x',
    '//pay.example/',
    'https://',
    'https://user@pay.example/',
    'https://user:pass@pay.example/',
    'https://pay.example/#x',
    'https://router/',
    'https://router./',
    'https://10.0.0.1/',
    'https://8.8.8.8/',
    'https://0x08080808/',
    'https://134744072/',
    'https://[::1]/',
    'https://[2606:4700::1111]/',
    'https://printer.local/',
    'https://a.localhost/',
    'https://nas.home/',
    'https://nas.home.arpa/',
    'https://intra.corp/',
    'https://vault.internal/',
    'https://a.lan/',
    'https://a.test/',
    'https://pay.example./',
    'https://pay_ment.example/',
  ];
  for (const url of never)
    for (const network of ['devnet', 'mainnet'] as const) expect(may(url, network), `${url} on ${network}`).toBe(false);
  for (const url of ['http://localhost:4001/', 'http://127.0.0.1:4002/x', 'https://localhost/']) {
    expect([may(url, 'devnet'), may(url, 'testnet'), may(url, 'mainnet')], url).toEqual([true, false, false]);
  }
  expect(may('http://localhost:3000/x', 'mainnet', 'http://localhost:3000')).toBe(true);
  expect(may('http://localhost:3001/x', 'mainnet', 'http://localhost:3000')).toBe(false);
});

describe('a request to a host', () => {
  test('a request contains nothing that identifies the wallet, and resolves the name once', async () => {
    const { host, names, requestHost } = await open();
    host.instead.set('x', { body: { a: 1 } });
    expect(await requestHost(wallet, 'https://pay.example/x', { client: SITE, json: { b: 2 } })).toEqual({
      status: 200,
      body: { a: 1 },
    });
    expect(await requestHost(wallet, 'https://pay.example/elsewhere', { client: SITE })).toEqual({
      status: 404,
      body: { error: 'not-found' },
    });
    host.instead.set('x', { body: 'no JSON' });
    expect(await requestHost(wallet, 'https://pay.example/x', { client: SITE })).toEqual({
      status: 200,
      body: undefined,
    });
    expect(host.asked.map(({ method, body }) => [method, body])).toEqual([
      ['POST', '{"b":2}'],
      ['GET', ''],
      ['GET', ''],
    ]);
    for (const { headers } of host.asked)
      expect([headers.cookie, headers.referer, headers.authorization]).toEqual([undefined, undefined, undefined]);
    expect(names.asked).toEqual({ cloudflare: ['pay.example A', 'pay.example AAAA'], google: [] });
  });

  test('a request isn’t sent if one address of its name is private', async () => {
    const { host, names, requestHost } = await open();
    for (const [type, ...data] of [
      ['A', '10.0.0.1'],
      ['A', '93.184.216.34', '192.168.1.1'],
      ['AAAA', '::1'],
      ['AAAA', 'fd00::1'],
      ['A', 'nonsense'],
      ['AAAA', '::ffff:127.0.0.1'],
    ] as const) {
      names.records = new Map([[`pay.example ${type}`, { data: [...data] }]]);
      expect(await codeOf(requestHost(wallet, 'https://pay.example/x', { client: SITE })), data.join()).toBe(
        'paymail-mismatch',
      );
    }
    expect(host.asked).toEqual([]);
    names.records.clear();
    expect((await requestHost(wallet, 'https://pay.example/x', { client: SITE })).status).toBe(404);
  });

  test('a request falls back to the other resolver, and fails if both are unavailable', async () => {
    const { host, names, requestHost } = await open();
    const broken = [
      { status: 500 },
      { body: 'no JSON' },
      { body: { Status: 2 } },
      { body: { Status: 0, Answer: 'x' } },
      { status: 302, headers: { location: 'https://pay.example/' } },
    ];
    for (const [i, answer] of broken.entries()) {
      names.instead = { cloudflare: answer };
      expect(
        (await requestHost(wallet, `https://pay.example/x`, { client: SITE })).status,
        JSON.stringify(answer),
      ).toBe(404);
      expect(names.asked.google.length).toBe(2 * (i + 1));
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 400_000 * (i + 1));
    }
    const before = host.asked.length;
    names.instead = { cloudflare: { status: 500 }, google: { status: 500 } };
    expect(await codeOf(requestHost(wallet, 'https://pay.example/x', { client: SITE }))).toBe('paymail-unavailable');
    names.instead = {};
    expect(await codeOf(requestHost(wallet, 'https://not-there.example/x', { client: SITE }))).toBe(
      'paymail-unavailable',
    );
    expect(host.asked.length).toBe(before);
  });

  test('a request follows no redirect, and limits size and time of a response', async () => {
    const { host, requestHost } = await open();
    const goal = await answering({ body: 'secret of the router' });
    for (const status of [301, 302, 303, 307, 308]) {
      host.instead.set('x', { status, headers: { location: goal.url } });
      expect(await codeOf(requestHost(wallet, 'https://pay.example/x', { client: SITE }))).toBe('paymail-unavailable');
    }
    expect(goal.asked).toEqual([]);
    host.instead.set('x', { body: 'x'.repeat(100_001) });
    expect(await codeOf(requestHost(wallet, 'https://pay.example/x', { client: SITE }))).toBe('paymail-mismatch');
    host.instead.set('x', { body: 'x'.repeat(100_000) });
    expect(await codeOf(requestHost(wallet, 'https://pay.example/x', { client: SITE }))).toBe('none');
    host.instead.set('x', () => undefined);
    expect(await codeOf(requestHost(wallet, 'https://pay.example/x', { client: SITE, timeoutMs: 50 }))).toBe(
      'paymail-unavailable',
    );
  });

  test('a request with a slow resolver also ends in time', async () => {
    const { names, host, requestHost } = await open();
    names.instead = { cloudflare: () => undefined, google: () => undefined };
    expect(await codeOf(requestHost(wallet, 'https://pay.example/x', { client: SITE, timeoutMs: 60 }))).toBe(
      'paymail-unavailable',
    );
    expect(host.asked).toEqual([]);
  });
});
