import { BSM, MerklePath, P2PKH, PrivateKey, Transaction, Utils } from '@bsv/sdk';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ArcStatus } from '../../protocol/network/arc.ts';
import {
  CAPABILITIES,
  discoveryDocument,
  fillTemplate,
  MAX_REQUESTED_ORDINALS,
  ordinalDestinationResponse,
  p2pDestinationResponse,
  paymentDestinationMessage,
  paymentDestinationResponse,
  pkiResponse,
  publicProfileResponse,
  receiveResponse,
  verifyPublicKeyResponse,
  type Capability,
} from '../../protocol/http/paymail.ts';
import { paymailDestinations, receivedTransactions, users } from '../database/schema.ts';
import { createTestWallet, register } from '../testing.ts';
import { useService } from '../testing-service.ts';
import { spend } from './testing-network.ts';

describe('the paymail host', () => {
  const { app, arc, database } = useService({ ownPaymailDomain: true });
  const bob = createTestWallet();
  const alice = createTestWallet();

  beforeAll(async () => {
    await register(app, bob, 'bob');
    await register(app, alice, 'alice.b-c');
  });

  const domain = () => new URL(app.url).host;
  const urlOf = async (capability: Capability, paymail = 'bob', pubkey = '') => {
    const { capabilities } = discoveryDocument.parse((await app.get('/.well-known/bsvalias')).body);
    const [alias = '', of = domain()] = paymail.split('@');
    const url = fillTemplate(String(capabilities[CAPABILITIES[capability]]), { alias, domain: of }, pubkey);
    expect(url.startsWith(`${app.baseUrl}/bsvalias/`)).toBe(true);
    return url.slice(app.baseUrl.length);
  };
  const get = async (capability: Capability, paymail?: string, pubkey?: string) =>
    app.get(await urlOf(capability, paymail, pubkey));
  const post = async (capability: Capability, body: unknown, paymail?: string) =>
    app.post(await urlOf(capability, paymail), body);
  const stored = async () =>
    JSON.stringify(
      await Promise.all([
        database.db.select({ reference: paymailDestinations.reference }).from(paymailDestinations),
        database.db.select({ turn: users.receivingTurn }).from(users).orderBy(users.id),
      ]),
    );

  it('lists its capabilities at URLs from BASE_URL, regardless of a request’s headers', async () => {
    const { status, body, headers } = await app.get('/.well-known/bsvalias', {
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
    });
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=600']);
    expect(body.bsvalias).toBe('1.0');
    expect(Object.keys(body.capabilities).sort()).toEqual(Object.values(CAPABILITIES).sort());
    expect(body.capabilities[CAPABILITIES.senderValidation]).toBe(true);
    // Assets are read at this URL, which the asset tests cover.
    expect(body.capabilities.asset).toBe(`${app.baseUrl}/api/v2/assets/{alias}@{domain.tld}`);
    expect(JSON.stringify(body)).not.toContain('evil');
  });

  it('returns key and profile for any spelling of the handle', async () => {
    for (const alias of ['alice.b-c', 'Alice.B-C']) {
      expect(pkiResponse.parse((await get('pki', `${alias}@${domain()}`)).body)).toEqual({
        bsvalias: '1.0',
        handle: `alice.b-c@${domain()}`,
        pubkey: alice.publicKey,
      });
    }
    expect(publicProfileResponse.parse((await get('publicProfile')).body)).toEqual({
      name: 'A Name',
      avatar: `${app.baseUrl}/assets/avatar.svg`,
    });
    expect((await app.get('/assets/avatar.svg')).headers.get('content-type')).toContain('image/svg+xml');
    expect((await get('verifyPublicKey', undefined, alice.publicKey)).body.bsvalias).toBe('1.0');
    // Without a name, the profile shows the handle. A user's own picture is shown.
    const avatar = 'https://pictures.example/carol.png';
    await register(app, createTestWallet(), 'carol');
    await database.db.update(users).set({ name: '', avatarUrl: avatar }).where(eq(users.handle, 'carol'));
    expect((await get('publicProfile', 'carol')).body).toEqual({ name: 'carol', avatar });
  });

  it('keeps personal and one-time responses out of caches', async () => {
    for (const answer of [
      await get('pki'),
      await get('publicProfile'),
      await get('verifyPublicKey', undefined, bob.publicKey),
      await get('pki', 'nobody'),
      await post('p2pDestination', { satoshis: 1_000 }),
      await post('ordinalDestination', { ordinals: 1 }),
      await post('paymentDestination', {}),
      await post('receiveTransaction', {}),
      await post('receiveBeef', {}),
      await post('receiveOrdinal', {}),
    ])
      expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it.each([3, MAX_REQUESTED_ORDINALS])(
    'issues %i different scripts for as many ordinals, one satoshi each',
    async (n) => {
      const { outputs, reference } = ordinalDestinationResponse.parse(
        (await post('ordinalDestination', { ordinals: n })).body,
      );
      expect(new Set(outputs.map(({ script }) => script)).size).toBe(n);
      const [kept] = await database.db
        .select()
        .from(paymailDestinations)
        .where(eq(paymailDestinations.reference, reference));
      expect(kept?.outputs).toEqual(outputs.map(({ script }) => expect.objectContaining({ script, satoshis: '1' })));
    },
  );

  it('rejects requests for more ordinals than it has addresses for', async () => {
    expect((await post('ordinalDestination', { ordinals: MAX_REQUESTED_ORDINALS + 1 })).status).toBe(400);
  });

  it('accepts payments to a destination in each form, and queries the network once about a rejected one', async () => {
    arc.refusesTransactions = true;
    const key = PrivateKey.fromRandom();
    const deliver = async (
      request: 'p2pDestination' | 'ordinalDestination',
      capability: 'receiveTransaction' | 'receiveOrdinal' | 'receiveBeef',
      status?: ArcStatus,
    ) => {
      const { body } = await post(request, { satoshis: 900, ordinals: 1 });
      const outputs = (body.outputs as { script: string; satoshis?: number }[]).map(({ script, satoshis = 1 }) => ({
        script,
        satoshis,
      }));
      const parent = new Transaction();
      parent.addOutput({ satoshis: 10_000, lockingScript: new P2PKH().lock(key.toAddress()) });
      parent.merklePath = MerklePath.fromCoinbaseTxidAndHeight(parent.id('hex'), 1);
      const transaction = await spend({ key, transaction: parent, vout: 0 }, outputs);
      const txid = transaction.id('hex');
      if (status) arc.statuses.set(txid, status);
      const form =
        capability === 'receiveBeef' ? { beef: Utils.toHex(transaction.toBEEF()) } : { hex: transaction.toHex() };
      const send = () => post(capability, { ...form, reference: body.reference });
      return { txid, send };
    };
    for (const [request, capability] of [
      ['p2pDestination', 'receiveTransaction'],
      ['p2pDestination', 'receiveBeef'],
      ['ordinalDestination', 'receiveOrdinal'],
    ] as const) {
      const { txid, send } = await deliver(request, capability, 'SEEN_ON_NETWORK');
      const [first, again] = [await send(), await send()];
      for (const answer of [first, again])
        expect([capability, answer.status, receiveResponse.parse(answer.body)]).toEqual([
          capability,
          200,
          { txid, note: '' },
        ]);
      expect(await database.db.select().from(receivedTransactions).where(eq(receivedTransactions.txid, txid))).toEqual([
        expect.objectContaining({ txid, sender: null }),
      ]);
    }
    const { send } = await deliver('p2pDestination', 'receiveTransaction');
    expect((await send()).body.code).toBe('not-accepted');
    const requests = arc.requests;
    expect([(await send()).body.code, arc.requests]).toEqual(['not-accepted', requests]);
  });

  it('finds the recipient before it reads the delivery', async () => {
    for (const capability of ['receiveTransaction', 'receiveBeef', 'receiveOrdinal'] as const) {
      expect((await post(capability, '{')).body.code, capability).toBe('invalid-request');
      expect((await post(capability, '{', 'nobody')).body.code, capability).toBe('unknown-recipient');
    }
  });

  it('returns whether a key belongs to the paymail, always with 200', async () => {
    const match = async (paymail: string, pubkey: string) => {
      const { status, body } = await get('verifyPublicKey', paymail, pubkey);
      expect(status).toBe(200);
      return verifyPublicKeyResponse.parse(body);
    };
    expect(await match(`bob@${domain()}`, bob.publicKey)).toEqual({
      bsvalias: '1.0',
      handle: `bob@${domain()}`,
      pubkey: bob.publicKey,
      match: true,
    });
    expect(await match('bob', bob.publicKey.toUpperCase())).toMatchObject({ match: true });
    for (const [paymail, key] of [
      ['bob', alice.publicKey],
      ['nobody', bob.publicKey],
      ['bob@elsewhere.example', bob.publicKey],
      ['bob', 'nonsense'],
      ['bob', '%F0%9F%94%91'],
    ] as const) {
      expect(await match(paymail, key), paymail).toMatchObject({ match: false });
    }
  });

  it('[S-08] issues destinations that sum to the requested amount, different for concurrent requests, and none for unknown paymails', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post('p2pDestination', { satoshis: 1_234_567 }, 'alice.b-c')),
    );
    const destinations = answers.map(({ body }) => p2pDestinationResponse.parse(body));
    for (const { outputs } of destinations)
      expect(outputs.reduce((sum, { satoshis }) => sum + satoshis, 0)).toBe(1_234_567);
    expect(new Set(destinations.map(({ reference }) => reference)).size).toBe(10);
    expect(destinations.every(({ reference }) => /^[\w-]{43}$/.test(reference))).toBe(true);
    // Three outputs per destination: twenty different addresses, then the same addresses in rotation.
    expect(new Set(destinations.flatMap(({ outputs }) => outputs.map(({ script }) => script))).size).toBe(20);
    expect(destinations.every(({ outputs }) => new Set(outputs.map(({ script }) => script)).size === 3)).toBe(true);
  });

  it('rejects every error with a stable code, and stores nothing', async () => {
    const before = await stored();
    const table: [
      what: string,
      answer: Promise<{ status: number; body: { code: string; message: string; error: unknown } }>,
      status: number,
      code: string,
    ][] = [
      ...(['pki', 'publicProfile'] as const).flatMap(
        (one) =>
          [
            [`${one} of nobody`, get(one, 'nobody'), 404, 'unknown-recipient'],
            [`${one} of another domain`, get(one, 'bob@elsewhere.example'), 404, 'unknown-recipient'],
            [`${one} of another port`, get(one, 'bob@127.0.0.1:1'), 404, 'unknown-recipient'],
            [`${one} of a name with a NUL`, get(one, 'b\0b'), 404, 'unknown-recipient'],
          ] as [string, ReturnType<typeof get>, number, string][],
      ),
      ['what is no escape', app.get('/bsvalias/id/%ZZ'), 400, 'invalid-request'],
      ['a path of none', app.get('/bsvalias/'), 404, 'not-found'],
      ['a GET where a POST belongs', app.get(await urlOf('p2pDestination')), 404, 'not-found'],
      ['a destination of nobody', post('p2pDestination', { satoshis: 1 }, 'nobody'), 404, 'unknown-recipient'],
      [
        'a destination at another domain',
        post('p2pDestination', { satoshis: 1 }, 'bob@elsewhere.example'),
        404,
        'unknown-recipient',
      ],
      ...[
        {},
        { satoshis: 0 },
        { satoshis: -1 },
        { satoshis: 1.5 },
        { satoshis: '1000' },
        { satoshis: 2_100_000_000_000_001 },
        { satoshis: null },
        [],
        '{',
      ].map((body): [string, ReturnType<typeof get>, number, string] => [
        `a destination for ${JSON.stringify(body)}`,
        post('p2pDestination', body),
        400,
        'invalid-request',
      ]),
      ...[{}, { ordinals: 0 }, { ordinals: 51 }, { ordinals: 1.5 }, { ordinals: '1' }, []].map(
        (body): [string, ReturnType<typeof get>, number, string] => [
          `ordinals for ${JSON.stringify(body)}`,
          post('ordinalDestination', body),
          400,
          'invalid-request',
        ],
      ),
      ['ordinals for nobody', post('ordinalDestination', { ordinals: 1 }, 'nobody'), 404, 'unknown-recipient'],
      ...(['p2pDestination', 'ordinalDestination', 'paymentDestination'] as const).map(
        (one): [string, ReturnType<typeof get>, number, string] => [
          `more than 100 kB for ${one}`,
          post(one, { satoshis: 1, ordinals: 1, purpose: 'x'.repeat(102_400) }),
          413,
          'too-large',
        ],
      ),
      [
        'an address for nobody',
        post('paymentDestination', { senderHandle: `alice.b-c@${domain()}`, dt: '2025-01-01T00:00:00Z' }, 'nobody'),
        404,
        'unknown-recipient',
      ],
      [
        'an address without who asks',
        post('paymentDestination', { dt: '2025-01-01T00:00:00Z' }),
        400,
        'invalid-request',
      ],
      [
        'an address for no paymail',
        post('paymentDestination', { senderHandle: 'alice', dt: '2025-01-01T00:00:00Z' }),
        400,
        'invalid-request',
      ],
    ];
    for (const [what, answer, status, code] of table) {
      const { status: got, body } = await answer;
      expect({ what, status: got, code: body.code, error: body.error }).toEqual({
        what,
        status,
        code,
        error: { code, message: body.message },
      });
    }
    expect(await stored()).toBe(before);
  });

  it('rejects any other body with 4xx, and stores nothing (property)', async () => {
    const before = await stored();
    const known = fc.constantFrom(
      'satoshis',
      'senderHandle',
      'dt',
      'signature',
      'hex',
      'beef',
      'reference',
      'metadata',
      '__proto__',
    );
    const body = fc.oneof(
      fc.jsonValue(),
      fc
        .dictionary(known, fc.oneof(fc.jsonValue(), fc.string(), fc.constant('00')))
        .map((fields) => ({ ...fields, ...('satoshis' in fields && { satoshis: JSON.stringify(fields.satoshis) }) })),
    );
    const capability = fc.constantFrom<Capability[]>(
      'paymentDestination',
      'p2pDestination',
      'receiveTransaction',
      'receiveBeef',
    );
    await fc.assert(
      fc.asyncProperty(capability, body, async (which, sent) => {
        const {
          status,
          body: { code, error },
        } = await post(which, JSON.stringify(sent));
        expect([Math.floor(status / 100), error.code]).toEqual([4, code]);
      }),
      { numRuns: 60 },
    );
    expect(await stored()).toBe(before);
  });

  it('issues an address only to senders with a recent signature by the key that their host confirms', async () => {
    const now = app.clock.ms;
    const senderHandle = `alice.b-c@${domain()}`;
    const at = (ms: number) => new Date(now + ms).toISOString();
    const stranger = PrivateKey.fromRandom();
    const signedBy = (
      sign: (text: string) => string,
      request: { senderHandle: string; dt: string; amount?: number; purpose?: string; pubkey?: string },
    ) => ({ ...request, signature: sign(paymentDestinationMessage(request)) });
    const strangerSigns = (text: string) => BSM.sign(Utils.toArray(text, 'utf8'), stranger, 'base64') as string;
    const good = { senderHandle, dt: at(0), amount: 700, purpose: 'tea', pubkey: alice.publicKey };
    for (const request of [
      good,
      { senderHandle, dt: at(-120_000) },
      { senderHandle, dt: at(120_000).replace('Z', '+00:00') },
      // Formats sent by other clients.
      { senderHandle, dt: at(2 * 3_600_000).replace('Z', '+0200') },
      { senderHandle, dt: at(0), amount: 0 },
    ]) {
      const { status, body } = await post('paymentDestination', signedBy(alice.sign, request));
      expect([status, paymentDestinationResponse.parse(body).output]).toEqual([
        200,
        expect.stringMatching(/^76a914[0-9a-f]{40}88ac$/),
      ]);
    }
    const before = await stored();
    const refused = {
      unsigned: good,
      'too old': signedBy(alice.sign, { ...good, dt: at(-120_001) }),
      'of the future': signedBy(alice.sign, { ...good, dt: at(120_001) }),
      'at no time': signedBy(alice.sign, { ...good, dt: new Date(now).toUTCString() }),
      'with another amount': { ...signedBy(alice.sign, good), amount: 701 },
      'with another purpose': { ...signedBy(alice.sign, good), purpose: null },
      'of a stranger in her name': signedBy(strangerSigns, { ...good, pubkey: stranger.toPublicKey().toString() }),
      'of a stranger with her key': signedBy(strangerSigns, good),
      'of a stranger without a key': signedBy(strangerSigns, { senderHandle, dt: at(0) }),
      'of nobody': signedBy(alice.sign, { ...good, senderHandle: `nobody@${domain()}` }),
      'of a host that is not there': signedBy(alice.sign, { ...good, senderHandle: 'alice@127.0.0.1:1' }),
    };
    for (const [what, body] of Object.entries(refused)) {
      const answer = await post('paymentDestination', body);
      expect([what, answer.status, answer.body.code]).toEqual([what, 401, 'invalid-signature']);
    }
    expect(await stored()).toBe(before);
  });

  it('allows scripts of any site to read all responses, including errors, but never with credentials', async () => {
    for (const path of ['/.well-known/bsvalias', await urlOf('pki'), await urlOf('pki', 'nobody')])
      expect((await app.get(path)).headers.get('access-control-allow-origin'), path).toBe('*');
    const preflight = await app.send('OPTIONS', await urlOf('receiveTransaction'), undefined, {
      Origin: 'https://wallet.example',
      'Access-Control-Request-Method': 'POST',
    });
    expect([
      preflight.status,
      preflight.headers.get('access-control-allow-methods'),
      preflight.headers.get('access-control-allow-headers'),
      preflight.headers.get('access-control-max-age'),
    ]).toEqual([204, 'GET, POST', 'Content-Type', '86400']);
    expect((await app.send('OPTIONS', '/.well-known/bsvalias')).status).toBe(204);
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    expect((await post('p2pDestination', {})).headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('a paymail host with an internationalized domain', () => {
  const { app } = useService({ baseUrl: 'https://bücher.example' });
  const bob = createTestWallet();
  beforeAll(() => register(app, bob, 'bob'));

  it('responds to either form of the domain', async () => {
    const bobs = { handle: 'bob@xn--bcher-kva.example', pubkey: bob.publicKey };
    for (const of of ['xn--bcher-kva.example', 'bücher.example', 'BÜCHER.example'])
      expect(await app.get(`/bsvalias/id/bob@${encodeURIComponent(of)}`), of).toMatchObject({
        status: 200,
        body: bobs,
      });
    expect(await app.get('/bsvalias/id/bob@bucher.example')).toMatchObject({ status: 404 });
  });
});
