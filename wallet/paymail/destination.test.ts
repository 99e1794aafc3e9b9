import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { paymentDestinationMessage } from '../../protocol/http/paymail.ts';
import { answering, type FakeResponse } from '../../testkit/network/answers.ts';
import { HOST_KEY, startHost, startNames } from '../../testkit/network/hosts.ts';
import { endAllWorkerRuns, Profile } from '../../testkit/wallet/worker-run.ts';
import { PASSWORD } from '../../testkit/wallet/wallet.ts';
import type { PaidHost } from './paid-host.ts';
import { OWN } from '../sites/site.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

const SITE = 'https://shop.example';
const OTHER_KEY = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';

async function open({ wallet = false } = {}) {
  const profile = new Profile('https://service.example');
  await startNames(profile);
  const service = await startHost(profile, 'https://service.example');
  const host = await startHost(profile);
  const workerRun = await profile.start();
  if (wallet) {
    await workerRun.modules.vault.createVault(current, workerRun.modules.words.freshWords(), PASSWORD, false);
    await workerRun.modules.database.writeKey(current, 'account', {
      id: '75101',
      handle: 'alice',
      paymail: 'alice@service.example',
      name: 'Alice',
    });
  }
  const { paymailDestination, userDestination, checkedScripts } = await import('./destination.ts');
  const { rememberPaymails } = await import('./known.ts');
  const { forgetHost } = await import('./discovery.ts');
  /** Clears the cached discovery documents. */
  const forget = () => {
    for (const client of [OWN, SITE])
      for (const domain of ['pay.example', 'service.example', 'https://service.example'])
        forgetHost(current, { client, domain, origin: '', capabilities: {} });
  };
  return {
    profile,
    service,
    host,
    workerRun,
    paymailDestination,
    userDestination,
    checkedScripts,
    rememberPaymails,
    forget,
  };
}

const paths = (asked: { url: string }[]) => asked.map(({ url }) => url.split('/')[1]).sort();

describe('[S-08] the destination of a paymail', () => {
  test('[R-33] the destination comes from the paymail’s own host, in any number of outputs, with the URL for delivering the transaction', async () => {
    const { host, service, paymailDestination } = await open();
    host.split = (satoshis) => [satoshis - 3000, 1000, 2000];
    const { scripts, host: paid } = await paymailDestination(current, 'Bob@PAY.example', 10_000n, SITE);
    expect(scripts.map(({ satoshis }) => satoshis)).toEqual([7000n, 1000n, 2000n]);
    expect(new Set(scripts.map(({ script }) => script)).size).toBe(3);
    expect(paid).toEqual({
      paymail: 'bob@pay.example',
      origin: 'https://pay.example',
      name: 'BOB',
      publicKey: HOST_KEY,
      known: false,
      keyChangedSince: null,
      reference: 'reference-3',
      receiveUrl: 'https://pay.example/receive/bob@pay.example',
      receiveBeefUrl: null,
      isService: false,
    });
    expect(paths(host.asked)).toEqual(['.well-known', 'p2p', 'pki', 'profile']);
    expect(host.asked.find(({ method }) => method === 'POST')?.body).toBe('{"satoshis":10000}');
    expect(service.asked).toEqual([]);
  });

  test('each request gets a new destination', async () => {
    const { paymailDestination } = await open();
    const [one, two] = await Promise.all([
      paymailDestination(current, 'bob@pay.example', 10_000n, SITE),
      paymailDestination(current, 'bob@pay.example', 10_000n, SITE),
    ]);
    expect([one.host.reference === two.host.reference, one.scripts[0]?.script === two.scripts[0]?.script]).toEqual([
      false,
      false,
    ]);
  });

  const script = '76a914000000000000000000000000000000000000000088ac';
  const outputs = (...satoshis: unknown[]) => ({
    body: { reference: 'r', outputs: satoshis.map((value) => ({ script, satoshis: value })) },
  });
  test('a destination is checked output by output: an invalid one isn’t paid, and the host is discovered again', async () => {
    const { host, paymailDestination } = await open();
    const one = (changed: object) => ({
      body: { reference: 'r', outputs: [{ script, satoshis: 10_000, ...changed }] },
    });
    const cases: [FakeResponse, string][] = [
      [outputs(10_000), 'none'],
      [outputs(5000, 5000), 'none'],
      [outputs(...Array.from({ length: 50 }, () => 200)), 'none'],
      [outputs(9999), 'paymail-mismatch'],
      [outputs(10_001), 'paymail-mismatch'],
      [outputs(10_000, 10_000), 'paymail-mismatch'],
      [outputs(5000, 5001), 'paymail-mismatch'],
      [outputs(), 'paymail-mismatch'],
      [outputs(0, 10_000), 'paymail-mismatch'],
      [outputs(-1, 10_001), 'paymail-mismatch'],
      [outputs('10000'), 'paymail-mismatch'],
      [outputs(9999.5, 0.5), 'paymail-mismatch'],
      [outputs(1e300, 10_000), 'paymail-mismatch'],
      [outputs(...Array.from({ length: 51 }, (_, i) => (i === 0 ? 9950 : 1))), 'paymail-mismatch'],
      [one({ script: '' }), 'paymail-mismatch'],
      [one({ script: 'zz' }), 'paymail-mismatch'],
      [one({ script: '76a' }), 'paymail-mismatch'],
      [one({ script: 'OP_DUP' }), 'paymail-mismatch'],
      [one({ script: null }), 'paymail-mismatch'],
      [one({ script: '6a0568656c6c6f' }), 'paymail-mismatch'],
      [one({ script: '006a0568656c6c6f' }), 'paymail-mismatch'],
      [one({ script: `a914${'11'.repeat(20)}87` }), 'paymail-mismatch'],
      [one({ script: '00'.repeat(2001) }), 'paymail-mismatch'],
      [one({ script: '51'.repeat(2000) }), 'none'],
      [one({ script: 'AC'.repeat(10_001) }), 'paymail-mismatch'],
      [
        {
          body: {
            reference: 'r',
            outputs: Array.from({ length: 10 }, () => ({ script: '51'.repeat(1500), satoshis: 1000 })),
          },
        },
        'paymail-mismatch',
      ],
      [{ body: { outputs: [{ script, satoshis: 10_000 }] } }, 'paymail-mismatch'],
      [{ body: { reference: '', outputs: [{ script, satoshis: 10_000 }] } }, 'paymail-mismatch'],
      [{ body: { reference: 'x'.repeat(1001), outputs: [{ script, satoshis: 10_000 }] } }, 'paymail-mismatch'],
      [{ body: '' }, 'paymail-mismatch'],
      [{ body: null }, 'paymail-mismatch'],
      [{ status: 404 }, 'unknown-recipient'],
      [{ status: 400, body: { code: 'not-found', message: '' } }, 'unknown-recipient'],
      [{ status: 400, body: 'paymail not found', headers: { 'content-type': 'text/plain' } }, 'unknown-recipient'],
      [{ status: 422, body: { message: 'Unknown paymail' } }, 'unknown-recipient'],
      [{ status: 400, body: { error: 'no such user' } }, 'unknown-recipient'],
      [{ status: 400, body: 'satoshis missing', headers: { 'content-type': 'text/plain' } }, 'unsupported-recipient'],
      [{ status: 400, body: { code: 'bad-amount', message: 'route not found' } }, 'unsupported-recipient'],
      [{ status: 400 }, 'unsupported-recipient'],
      [{ status: 401 }, 'unsupported-recipient'],
      [{ status: 500 }, 'paymail-unavailable'],
      [{ status: 429 }, 'paymail-unavailable'],
      [{ status: 307, headers: { location: 'https://service.example/p2p/a@b' } }, 'paymail-unavailable'],
      [(request) => request.socket.destroy(), 'paymail-unavailable'],
    ];
    const documents = () => host.asked.filter(({ url }) => url.startsWith('/.well-known')).length;
    // Stops the clock, because on a slow machine, a site's short-lived cache could expire during the test.
    vi.mocked(Date.now).mockReturnValue(Date.now());
    let forgotten = true;
    for (const [answer, code] of cases) {
      const before = documents();
      host.instead.set('p2p', answer);
      expect(
        await codeOf(paymailDestination(current, 'bob@pay.example', 10_000n, SITE)),
        (JSON.stringify(answer) ?? 'cut off').slice(0, 200),
      ).toBe(code);
      expect(documents() - before).toBe(forgotten ? 1 : 0);
      forgotten = code.startsWith('paymail-');
    }
    host.instead.clear();
    expect(await codeOf(paymailDestination(current, 'nobody@pay.example', 10_000n, SITE))).toBe('unknown-recipient');
  });

  test('a destination’s outputs add up to the exact amount, in any split by the host', async () => {
    const { checkedScripts } = await open();
    const parts = fc.array(
      fc.record({
        script: fc.constantFrom(script, '51', '006a', '6a', '76ac'),
        satoshis: fc.bigInt({ min: -5n, max: 40n }),
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(parts, fc.bigInt({ min: 1n, max: 100n }), (scripts, wanted) => {
        const fits =
          scripts.reduce((sum, one) => sum + one.satoshis, 0n) === wanted &&
          scripts.every((one) => one.satoshis > 0n && !/^(?:00)?6a/.test(one.script));
        if (fits) expect(checkedScripts(scripts, wanted)).toEqual(scripts);
        else
          expect(() => checkedScripts(scripts, wanted)).toThrow(
            expect.objectContaining({ code: 'paymail-mismatch' }) as Error,
          );
      }),
      { numRuns: 500 },
    );
  });

  test('a quote does not wait for a missing name and key, and shows no name with hidden characters', async () => {
    const { host, paymailDestination } = await open();
    host.instead.set('pki', () => undefined).set('profile', () => undefined);
    expect((await paymailDestination(current, 'bob@pay.example', 10_000n, SITE)).host).toMatchObject({
      name: null,
      publicKey: null,
    });
    const { shownName } = await import('./profile.ts');
    expect(
      [
        'Bob',
        '  Bob  the\u00A0Builder ',
        'Bücher 株式会社',
        '\u202Ebob',
        'a\u0000b',
        '',
        ' ',
        '\u200B',
        'x'.repeat(500),
      ].map(shownName),
    ).toEqual(['Bob', 'Bob the Builder', 'Bücher 株式会社', null, null, null, null, null, `${'x'.repeat(79)}…`]);
  });

  test('a quote shows whether the wallet has paid the recipient before, and whether the key has changed', async () => {
    const { host, workerRun, paymailDestination, rememberPaymails } = await open();
    const look = async () => (await paymailDestination(current, 'bob@pay.example', 1n, SITE)).host;
    // Advances the clock until a host's data is requested again.
    const wait = () => vi.spyOn(Date, 'now').mockReturnValue((now += 120_000));
    let now = Date.now();
    const remember = async () => {
      const host = (await look()) as PaidHost;
      await workerRun.modules.database.inTransaction(current, (tx) => rememberPaymails(current, tx, [host]));
    };
    await remember();
    expect(await look()).toMatchObject({ known: true, keyChangedSince: null, publicKey: HOST_KEY });
    const first = (await (await workerRun.modules.database.database(current)).get('paymails', 'bob@pay.example'))
      ?.since as number;
    host.key = OTHER_KEY;
    wait();
    expect(await look()).toMatchObject({ known: true, keyChangedSince: first, publicKey: OTHER_KEY });
    // The user paid again, so the new key is stored. If the host doesn't respond, the stored key remains.
    await remember();
    expect((await look()).keyChangedSince).toBeNull();
    host.instead.set('pki', { status: 500 });
    wait();
    expect(await look()).toMatchObject({ publicKey: null, known: true, keyChangedSince: null, keyUnavailable: true });
    await remember();
    host.instead.clear();
    host.key = HOST_KEY;
    wait();
    expect((await look()).keyChangedSince).toBeGreaterThanOrEqual(first);
  });
});

describe('an old host, which supplies only one output', () => {
  const old = (capabilities: Record<string, unknown>) => {
    delete capabilities['2a40af698840'];
  };

  test('an old host is paid, and doesn’t get the payer’s name if a page requests the payment', async () => {
    const { host, paymailDestination, forget } = await open({ wallet: true });
    old(host.capabilities);
    const { scripts, host: paid } = await paymailDestination(current, 'bob@pay.example', 10_000n, SITE);
    expect([scripts.map(({ satoshis }) => satoshis), paid.reference, paid.receiveUrl]).toEqual([[10_000n], null, null]);
    const asked = host.asked.find(({ url }) => url.startsWith('/destination'))?.body ?? '';
    expect(JSON.parse(asked)).toEqual({
      senderHandle: 'anonymous@anonymous.invalid',
      dt: expect.any(String) as string,
      amount: 10_000,
    });
    host.capabilities['6745385c3fc0'] = true;
    forget();
    expect(await codeOf(paymailDestination(current, 'bob@pay.example', 10_000n, SITE))).toBe('unsupported-recipient');
    expect(host.asked.map(({ body }) => body).join()).not.toContain('alice');
  });

  test('an old host gets name and signature if the user requests the payment', async () => {
    const { host, workerRun, paymailDestination } = await open({ wallet: true });
    old(host.capabilities);
    host.capabilities['6745385c3fc0'] = true;
    await paymailDestination(current, 'bob@pay.example', 10_000n, OWN);
    const { signature, pubkey, ...fields } = JSON.parse(
      host.asked.find(({ url }) => url.startsWith('/destination'))?.body ?? '',
    ) as { signature: string; pubkey: string; senderHandle: string; dt: string; amount: number };
    expect(fields).toEqual({ senderHandle: 'alice@service.example', dt: expect.any(String) as string, amount: 10_000 });
    const { BSM, PublicKey, Signature, Utils } = await import('@bsv/sdk');
    const message = Utils.toArray(paymentDestinationMessage(fields), 'utf8');
    expect(BSM.verify(message, Signature.fromCompact(signature, 'base64'), PublicKey.fromString(pubkey))).toBe(true);
    await workerRun.modules.vault.lock(current);
    expect(await codeOf(paymailDestination(current, 'bob@pay.example', 10_000n, OWN))).toBe('unsupported-recipient');
  });

  test('an old host that rejects the first signature gets one in the older form, and no third one', async () => {
    const { host, paymailDestination, forget } = await open({ wallet: true });
    old(host.capabilities);
    host.capabilities['6745385c3fc0'] = true;
    const { BSM, Hash, PublicKey, Signature, Utils } = await import('@bsv/sdk');
    const requests = () => host.asked.filter(({ url }) => url.startsWith('/destination')).map(({ body }) => body);
    for (const [accepted, sent] of [
      ['text', 1],
      ['hash', 2],
      ['none', 2],
    ] as const) {
      const before = requests().length;
      host.instead.set('destination', (_request, response) => {
        const { signature, pubkey, ...fields } = JSON.parse(requests().at(-1) ?? '') as Parameters<
          typeof paymentDestinationMessage
        >[0] & {
          signature: string;
          pubkey: string;
        };
        const text = paymentDestinationMessage(fields);
        const signs = (message: string) =>
          BSM.verify(
            Utils.toArray(message, 'utf8'),
            Signature.fromCompact(signature, 'base64'),
            PublicKey.fromString(pubkey),
          );
        const hash = Utils.toHex(Hash.sha256(Utils.toArray(text, 'utf8')));
        const isRight = accepted !== 'none' && signs(accepted === 'hash' ? hash : text);
        response
          .writeHead(isRight ? 200 : 401, { 'Content-Type': 'application/json' })
          .end(isRight ? JSON.stringify({ output: `76a914${'22'.repeat(20)}88ac` }) : '{}');
      });
      const outcome = await codeOf(paymailDestination(current, 'bob@pay.example', 10_000n, OWN));
      expect([outcome, requests().length - before], accepted).toEqual([
        accepted === 'none' ? 'unsupported-recipient' : 'none',
        sent,
      ]);
    }
    // Requests on behalf of pages aren't signed, so they aren't repeated with the older signature format.
    delete host.capabilities['6745385c3fc0'];
    forget();
    const before = requests().length;
    host.instead.set('destination', { status: 401 });
    expect(await codeOf(paymailDestination(current, 'bob@pay.example', 10_000n, SITE))).toBe('unsupported-recipient');
    expect(requests().length - before).toBe(1);
  });

  test('a host without a script, or without destinations, isn’t paid', async () => {
    const { host, paymailDestination, forget } = await open();
    old(host.capabilities);
    for (const [answer, code] of [
      [{ body: {} }, 'paymail-mismatch'],
      [{ body: { output: '' } }, 'paymail-mismatch'],
      [{ body: { output: '006a01ff' } }, 'paymail-mismatch'],
      [{ body: { output: ['76'] } }, 'paymail-mismatch'],
      [{ status: 404 }, 'unknown-recipient'],
      [{ status: 401 }, 'unsupported-recipient'],
    ] as const) {
      host.instead.set('destination', answer);
      expect(await codeOf(paymailDestination(current, 'bob@pay.example', 10_000n, SITE)), JSON.stringify(answer)).toBe(
        code,
      );
    }
    delete host.capabilities['paymentDestination'];
    // A destination with several outputs requires an endpoint that accepts the transaction.
    Object.assign(host.capabilities, {
      '2a40af698840': 'https://pay.example/p2p/{alias}@{domain.tld}',
      '5f1323cddf31': undefined,
    });
    forget();
    expect(await codeOf(paymailDestination(current, 'bob@pay.example', 10_000n, SITE))).toBe('unsupported-recipient');
  });
});

describe('[S-09] the destination of a user ID', () => {
  test('a user ID’s destination is that of the user’s paymail, from the wallet’s own service', async () => {
    const { service, userDestination } = await open();
    service.instead.set('api', { body: { id: '75101', paymail: 'bob@service.example', name: 'Bob' } });
    const { scripts, host } = await userDestination(current, '75101', 5000n, SITE);
    expect(scripts).toMatchObject([{ satoshis: 5000n }]);
    expect(host).toMatchObject({
      paymail: 'bob@service.example',
      origin: 'https://service.example',
      isService: true,
      namedBy: 'https://service.example',
      reference: 'reference-1',
      receiveUrl: 'https://service.example/receive/bob@service.example',
    });
    expect(service.asked.map(({ url }) => url)).toContain('/api/v2/users/75101/paymail');
  });

  test('another service’s user ID is resolved there, and paid at the paymail’s own host, so no service answers for another', async () => {
    const { profile, host, service, userDestination } = await open();
    const other = await startHost(profile, 'https://other.example');
    service.instead.set('api', { body: { id: '75101', paymail: 'bob@service.example', name: 'Bob' } });
    other.instead.set('api', { body: { id: '75101', paymail: 'ann@other.example', name: 'Ann' } });
    const ann = await userDestination(current, '75101', 5000n, SITE, 'https://other.example');
    expect(ann.host).toMatchObject({
      paymail: 'ann@other.example',
      namedBy: 'https://other.example',
      origin: 'https://other.example',
      isService: false,
    });
    expect(service.asked).toEqual([]);
    // The service returns a paymail at a different host, so that host is queried.
    other.instead.set('api', { body: { id: '75101', paymail: 'bob@pay.example', name: 'Bob' } });
    const given = other.given;
    const bob = await userDestination(current, '75101', 5000n, SITE, 'https://other.example');
    expect(bob.host).toMatchObject({ paymail: 'bob@pay.example', origin: 'https://pay.example' });
    expect([other.given, host.given]).toEqual([given, 1]);
    expect((await userDestination(current, '75101', 5000n, SITE)).host.paymail).toBe('bob@service.example');
  });

  test('a paymail at another host that the wallet’s own service returns is resolved there, and changes no remembered key', async () => {
    const { host, service, workerRun, userDestination, rememberPaymails } = await open();
    const { database, inTransaction } = workerRun.modules.database;
    const remembered = async () => (await database(current)).get('paymails', 'bob@pay.example');
    host.key = `03${HOST_KEY.slice(2)}`; // differs from the stored key
    service.instead.set('api', { body: { id: '75101', paymail: 'bob@pay.example', name: 'Bob' } });
    for (const known of [false, true]) {
      const bob = await userDestination(current, '75101', 5000n, SITE);
      expect(bob.host).toMatchObject({
        paymail: 'bob@pay.example',
        origin: 'https://pay.example',
        isService: false,
        publicKey: host.key,
        known,
        keyChangedSince: null,
      });
      await inTransaction(current, (tx) => rememberPaymails(current, tx, [bob.host]));
      expect(await remembered()).toMatchObject({ publicKey: host.key });
    }
    expect([service.given, host.given]).toEqual([0, 2]);
  });

  test('a user ID that doesn’t exist, or has an inconsistent description, ends in a clear error', async () => {
    const { profile, service, userDestination } = await open();
    for (const [answer, code] of [
      [{ status: 404, body: { error: { code: 'unknown-recipient', message: '' } } }, 'unknown-recipient'],
      [{ status: 500 }, 'paymail-unavailable'],
      [{ body: {} }, 'paymail-mismatch'],
      [{ body: { id: '75102', paymail: 'bob@service.example', name: 'Bob' } }, 'paymail-mismatch'],
      [{ body: { id: '75101', paymail: 'nonsense', name: 'Bob' } }, 'invalid-recipient'],
      [{ body: { id: '75101', paymail: 'nobody@service.example', name: '' } }, 'unknown-recipient'],
    ] as const) {
      service.instead.set('api', answer);
      expect(await codeOf(userDestination(current, '75101', 5000n, SITE)), JSON.stringify(answer)).toBe(code);
    }
    profile.hosts.set('https://service.example', (await answering((_, response) => response.destroy())).url);
    expect(await codeOf(userDestination(current, '75101', 5000n, SITE))).toBe('paymail-unavailable');
  });
});
