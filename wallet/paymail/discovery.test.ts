import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { startHost, startNames } from '../../testkit/network/hosts.ts';
import { endAllWorkerRuns, Profile } from '../../testkit/wallet/worker-run.ts';
import { OWN } from '../sites/site.ts';
import { wallet } from '../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

async function open(serviceUrl = 'http://localhost:1') {
  const profile = new Profile(serviceUrl);
  const names = await startNames(profile);
  const host = await startHost(profile);
  const workerRun = await profile.start();
  const discovery = await import('./discovery.ts');
  const find = async (paymail: string, client = OWN) => discovery.hostOf(wallet, discovery.paymailOf(paymail), client);
  const forget = () =>
    discovery.forgetHost(wallet, { client: OWN, domain: 'pay.example', origin: '', capabilities: {} });
  return { profile, names, host, workerRun, find, forget, ...discovery };
}

describe('the host of a domain', () => {
  test('the host is the one in a signed record, or else the domain itself', async () => {
    const { profile, names, host, find, forget } = await open();
    const elsewhere = await startHost(profile, 'https://cloud.other.example:8443');
    await startHost(profile, 'https://www.pay.example:4443');
    await startHost(profile, 'https://pay.example:5443');
    const cases: [{ AD?: boolean; Status?: number; data?: string[] }, string][] = [
      [{ AD: true, data: ['10 10 8443 cloud.other.example.'] }, 'https://cloud.other.example:8443'],
      [{ AD: true, data: ['10 10 8443 CLOUD.other.EXAMPLE'] }, 'https://cloud.other.example:8443'],
      [{ AD: false, data: ['10 10 8443 cloud.other.example.'] }, 'https://pay.example'],
      [{ data: ['10 10 8443 cloud.other.example.'] }, 'https://pay.example'],
      [{ AD: false, data: ['10 10 4443 www.pay.example.'] }, 'https://www.pay.example:4443'],
      [{ AD: false, data: ['10 10 5443 pay.example.'] }, 'https://pay.example:5443'],
      // An unsigned record that names a different host is skipped in favor of a valid one.
      [{ AD: false, data: ['1 1 8443 cloud.other.example.', '5 0 5443 pay.example.'] }, 'https://pay.example:5443'],
      [
        {
          AD: true,
          data: ['20 99 443 nowhere.example.', '10 1 443 neither.example.', '10 9 8443 cloud.other.example.'],
        },
        'https://cloud.other.example:8443',
      ],
      [{ AD: true, data: ['0 0 0 .'] }, 'https://pay.example'],
      [{ AD: true, data: ['nonsense', '1 1 99999 pay.example.', '1 1 443 pay.example/path'] }, 'https://pay.example'],
      [{ Status: 3 }, 'https://pay.example'],
    ];
    for (const [records, origin] of cases) {
      names.records.set('_bsvalias._tcp.pay.example SRV', records);
      forget();
      expect((await find('alice@pay.example')).origin, JSON.stringify(records)).toBe(origin);
    }
    expect([elsewhere.asked.length, host.asked.length]).toEqual([3, 5]);
  });

  test('a host in a signed record isn’t contacted if it is local, or not a name', async () => {
    const { names, find } = await open();
    for (const target of [
      '127.0.0.1',
      'localhost',
      'router',
      'printer.local',
      '10.0.0.1',
      'pay.0x1',
      'xn--a.example',
    ]) {
      names.records.set('_bsvalias._tcp.pay.example SRV', { AD: true, data: [`1 1 443 ${target}.`] });
      expect(await codeOf(find('alice@pay.example')), target).toBe('paymail-mismatch');
    }
  });

  test('a host only in an unsigned record isn’t contacted, and the error explains how to fix it, unless the domain itself responds', async () => {
    const { names, host, find } = await open();
    names.records.set('_bsvalias._tcp.pay.example SRV', { data: ['1 1 443 paymail.pay.example.'] });
    host.instead.set('.well-known', { status: 404 });
    await expect(find('alice@pay.example')).rejects.toMatchObject({
      code: 'unsupported-recipient',
      message: expect.stringContaining('isn’t signed (DNSSEC)'),
    });
    host.instead.clear();
    expect((await find('alice@pay.example')).origin).toBe('https://pay.example');
  });

  test('no host is searched for without a resolver, because the wrong one might be contacted', async () => {
    const { names, host, find } = await open();
    names.instead = { cloudflare: { status: 503 }, google: { body: { Status: 2 } } };
    expect(await codeOf(find('alice@pay.example'))).toBe('paymail-unavailable');
    expect(host.asked).toEqual([]);
  });

  test('the host is the domain itself if DNS over HTTPS is blocked, and otherwise the error names the network', async () => {
    const { names, host, find } = await open();
    const { requestHost } = await import('./host.ts');
    const blocked = (request: IncomingMessage) => void request.socket.destroy();
    names.instead = { cloudflare: blocked, google: blocked };
    expect((await find('alice@pay.example')).origin).toBe('https://pay.example');
    expect((await requestHost(wallet, 'https://pay.example/pki/alice@pay.example', { client: OWN })).status).toBe(200);
    expect(host.asked.map(({ url }) => url)).toEqual(['/.well-known/bsvalias', '/pki/alice@pay.example']);
    await expect(find('alice@not-there.example')).rejects.toMatchObject({
      code: 'network-unavailable',
      message: expect.stringContaining('Your network blocks DNS over HTTPS'),
    });
  });

  test('a host is contacted once for any number of concurrent requests, and again after an hour or an invalid response', async () => {
    const { host, find, forgetHost } = await open();
    await Promise.all([find('alice@pay.example'), find('bob@pay.example'), find('ALICE@Pay.Example')]);
    const known = await find('carol@pay.example');
    expect(host.asked.map(({ url }) => url)).toEqual(['/.well-known/bsvalias']);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + 3_600_000);
    await find('alice@pay.example');
    expect(host.asked).toHaveLength(2);
    forgetHost(wallet, known);
    await find('alice@pay.example');
    expect(host.asked).toHaveLength(3);
    // Setting the clock back doesn't extend the cache's validity.
    vi.spyOn(Date, 'now').mockReturnValue(0);
    await find('alice@pay.example');
    expect(host.asked).toHaveLength(4);
  });

  test('the host on this machine is the wallet’s own service on devnet, a different port is a different service, and other networks reject it', async () => {
    const { profile, names, workerRun, find, host } = await open('https://own.example');
    const own = await startHost(profile, 'https://own.example');
    const url = profile.hosts.get('https://pay.example') as string;
    expect((await find('alice@localhost')).origin).toBe('https://own.example');
    expect((await find('alice@127.0.0.1')).origin).toBe('https://own.example');
    expect((await find(`alice@${new URL(url).host}`)).origin).toBe(url);
    expect([own.asked.length, host.asked.length, names.asked.cloudflare]).toEqual([1, 1, []]);
    for (const paymail of ['a@pay.example:8443', 'a@router', 'a@10.0.0.1', 'a@printer.local'])
      expect(await codeOf(find(paymail)), paymail).toBe('invalid-recipient');
    await workerRun.modules.database.writeKey(wallet, 'settings', { network: 'mainnet' } as never);
    for (const paymail of ['a@localhost', 'a@127.0.0.1:3000', 'a@0x7f.1', 'a@2130706433'])
      expect(await codeOf(find(paymail)), paymail).toBe('invalid-recipient');
    expect(names.asked.cloudflare).toEqual([]);
  });

  test('a cached host belongs to one site: a page can’t detect which hosts another page or the user has contacted', async () => {
    const { host, names, find } = await open();
    const [shop, other] = ['https://shop.example', 'https://other.example'];
    const documents = () => host.asked.filter(({ url }) => url === '/.well-known/bsvalias').length;
    await Promise.all([
      find('alice@pay.example', shop),
      find('alice@pay.example', other),
      find('alice@pay.example', shop),
    ]);
    expect(documents()).toBe(2);
    const asked = names.asked.cloudflare.length;
    await find('alice@pay.example');
    expect(documents()).toBe(3);
    expect(new Set(names.asked.cloudflare.slice(asked))).toEqual(new Set(names.asked.cloudflare.slice(0, asked)));
  });

  test('a host from a request is forgotten with the request, unless the user paid for that site', async () => {
    const { host, find } = await open();
    const { noteAgreed } = await import('./known.ts');
    const [shop, other] = ['https://shop.example', 'https://other.example'];
    const now = Date.now();
    const askedAt = async (ms: number, client: string) => {
      vi.spyOn(Date, 'now').mockReturnValue(now + ms);
      const before = host.asked.length;
      await find('alice@pay.example', client);
      return host.asked.length - before;
    };
    expect([
      await askedAt(0, shop),
      await askedAt(9000, shop),
      await askedAt(10_000, shop),
      await askedAt(3_000_000, shop),
    ]).toEqual([1, 0, 1, 1]);
    noteAgreed(wallet, shop);
    expect([
      await askedAt(6_000_000, shop),
      await askedAt(6_000_000, other),
      await askedAt(6_600_000, other),
      await askedAt(7_000_000, shop),
    ]).toEqual([0, 1, 1, 1]);
  });

  test('a host is cached with at most a few hundred others', async () => {
    const { HostCache } = await import('./known.ts');
    const kept = new HostCache<number>(wallet, 60_000);
    for (let i = 0; i < 1000; i += 1) kept.set('https://shop.example', `host-${i}.example`, i);
    expect(
      Array.from({ length: 1000 }, (_, i) => kept.get('https://shop.example', `host-${i}.example`)).filter(
        (one) => one !== undefined,
      ).length,
    ).toBeLessThanOrEqual(300);
  });
});

describe('a paymail', () => {
  test('a paymail is parsed into the form for requests to its host', async () => {
    const { paymailOf } = await open();
    for (const [text, alias, domain] of [
      ['Alice@Example.COM', 'alice', 'example.com'],
      ['bücher@bücher.example', 'bücher', 'xn--bcher-kva.example'],
      ['名前@例え.example', '名前', 'xn--r8jz45g.example'],
      ['a@ｅｘａｍｐｌｅ.com', 'a', 'example.com'],
      ['a@localhost:4001', 'a', 'localhost:4001'],
      ['a@127.1', 'a', '127.0.0.1'],
      ["o'neil+x@example.com", "o'neil+x", 'example.com'],
    ] as const)
      expect(paymailOf(text), text).toEqual({ alias, domain });
    for (const text of [
      'a',
      'a@',
      '@b',
      'a@b@c',
      'a@b/c',
      'a@b?c',
      'a/../b@c.d',
      '..@c.d',
      'a@b c',
      'a@[::1]',
      'a@xn--.example',
      'a@b%2ec',
      'a\u202eb@c.d',
      'a@256.1.1.1',
    ])
      expect(() => paymailOf(text), text).toThrow(expect.objectContaining({ code: 'invalid-recipient' }) as Error);
  });

  test('a paymail with any characters stays one path segment', async () => {
    const { paymailOf, capabilityUrl, hostOf } = await open();
    const known = await hostOf(wallet, paymailOf('a@pay.example'), OWN);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), async (alias) => {
        const paymail = (() => {
          try {
            return paymailOf(`${alias}@pay.example`);
          } catch {
            return null;
          }
        })();
        if (!paymail) return;
        const url = new URL((await capabilityUrl(wallet, known, 'p2pDestination', paymail)) ?? '');
        expect([url.origin, url.search, url.hash, url.pathname.split('/').length]).toEqual([
          'https://pay.example',
          '',
          '',
          3,
        ]);
        expect(decodeURIComponent(url.pathname)).toBe(`/p2p/${paymail.alias}@pay.example`);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a discovery document', () => {
  test('a malformed document ends in a clear error, and isn’t kept', async () => {
    const { host, find } = await open();
    const cases: [object, string][] = [
      [{ body: '' }, 'paymail-mismatch'],
      [{ body: '<html></html>' }, 'paymail-mismatch'],
      [{ body: [] }, 'paymail-mismatch'],
      [{ body: { bsvalias: '1.0' } }, 'paymail-mismatch'],
      [{ body: { capabilities: {} } }, 'paymail-mismatch'],
      [{ body: { bsvalias: 1, capabilities: {} } }, 'paymail-mismatch'],
      [{ body: { bsvalias: '1.0', capabilities: [] } }, 'paymail-mismatch'],
      [{ body: { bsvalias: '1.0', capabilities: 'x' } }, 'paymail-mismatch'],
      [{ body: `{"bsvalias":"1.0","capabilities":{"x":"${'y'.repeat(100_000)}"}}` }, 'paymail-mismatch'],
      [{ body: '['.repeat(50_000) }, 'paymail-mismatch'],
      [{ status: 404 }, 'unknown-recipient'],
      [{ status: 410 }, 'unknown-recipient'],
      [{ status: 403 }, 'unsupported-recipient'],
      [{ status: 429 }, 'paymail-unavailable'],
      [{ status: 503 }, 'paymail-unavailable'],
      [{ status: 301, headers: { location: 'https://pay.example/x' } }, 'paymail-unavailable'],
    ];
    for (const [answer, code] of cases) {
      host.instead.set('.well-known', answer);
      expect(await codeOf(find('alice@pay.example')), JSON.stringify(answer).slice(0, 100)).toBe(code);
    }
    host.instead.clear();
    const before = host.asked.length;
    await find('alice@pay.example');
    expect(host.asked.length).toBe(before + 1);
  });

  test('any JSON ends in one of these errors, and only its addresses and flags are kept', async () => {
    const { host, find, forget } = await open();
    const key = fc.constantFrom('pki', 'paymentDestination', '2a40af698840', '5f1323cddf31', '__proto__', 'other');
    const documents = fc.oneof(
      fc.jsonValue(),
      fc.record({ bsvalias: fc.constant('1.0'), capabilities: fc.dictionary(key, fc.jsonValue()) }),
    );
    await fc.assert(
      fc.asyncProperty(documents, async (body) => {
        host.instead.set('.well-known', { body: JSON.stringify(body) });
        forget();
        const known = await find('alice@pay.example').catch((error: { code: string }) => error.code);
        if (typeof known === 'string') {
          expect(known).toBe('paymail-mismatch');
          return;
        }
        expect(Object.keys(known.capabilities)).not.toContain('other');
        for (const value of Object.values(known.capabilities)) expect(['string', 'boolean']).toContain(typeof value);
      }),
      { numRuns: 150 },
    );
  });

  test('a document may redirect the wallet to other public hosts, and to no others', async () => {
    const { host, find, forget, capabilityUrl } = await open();
    const urlOf = async (template: unknown) => {
      host.capabilities['2a40af698840'] = template;
      forget();
      return capabilityUrl(wallet, await find('alice@pay.example'), 'p2pDestination', {
        alias: 'alice',
        domain: 'pay.example',
      }).catch((error: { code: string }) => error.code);
    };
    expect(await urlOf('https://api.other.example/v1/{alias}@{domain.tld}/x')).toBe(
      'https://api.other.example/v1/alice@pay.example/x',
    );
    expect(await urlOf('https://other.example:8443/?to={alias}')).toBe('https://other.example:8443/?to=alice');
    for (const none of [false, null, 7, {}, undefined, `https://x.example/${'x'.repeat(2000)}`])
      expect(await urlOf(none), JSON.stringify(none)).toBeNull();
    const bad = [
      '',
      '/relative/{alias}',
      '//other.example/',
      'http://other.example/{alias}',
      'javascript:alert(1)',
      'data:,{alias}',
      'https://{alias}.evil.example/',
      'https://{domain.tld}/',
      'https://10.0.0.1/{alias}',
      'https://[::1]/',
      'https://printer.local/',
      'https://router/',
      'https://user@other.example/',
      'https://evil.example\\@pay.example/',
      'ftp://other.example/',
      'https://',
      'https:other.example',
      ' https://other.example/',
    ];
    for (const template of bad) expect(await urlOf(template), template).toBe('paymail-mismatch');
  });
});
