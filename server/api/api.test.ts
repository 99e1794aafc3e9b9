import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { paymentResponse, type PaymentReport, type Session } from '../../protocol/http/api.ts';
import * as v1 from '../../protocol/compat/api-v1.ts';
import * as v2 from '../../protocol/http/api-v2.ts';
import { idempotencyKeys, paymailDestinations, payments, receivedTransactions } from '../database/schema.ts';
import { issueToken } from '../identity/tokens.ts';
import type { Scope } from '../identity/scopes.ts';
import { createSignedReport, createTestReport } from '../payment-reports/testing-report.ts';
import {
  bearer,
  createTestWallet,
  register,
  registerApplication,
  signInOnPages,
  type TestApplication,
} from '../testing.ts';
import { useService } from '../testing-service.ts';

const ALL_SCOPES: Scope[] = [
  'auth.user_identity:read',
  'users.profiles:read',
  'users.balance:read',
  'payments:read',
  'users.asset:read',
];

describe('the API', () => {
  const { app, arc, database } = useService();
  let alice: Session;
  let bob: Session;
  let shop: TestApplication;
  const [aliceWallet, bobWallet] = [createTestWallet(), createTestWallet()];

  beforeAll(async () => {
    [alice, bob] = [await register(app, aliceWallet, 'alice'), await register(app, bobWallet, 'bob')];
    shop = await registerApplication(app, bob, { name: 'Bob’s shop' });
  });

  const now = () => new Date(app.clock.ms);
  const authorization = (token: string) => ({ Authorization: `Bearer ${token}` });
  const granted = async (...scopes: Scope[]) =>
    authorization(
      await issueToken(database.db, 'user', { userId: Number(alice.user.id), applicationId: shop.id, scopes }, now()),
    );
  const ofShop = async () =>
    authorization(
      await issueToken(
        database.db,
        'application',
        { applicationId: shop.id, scopes: ['application_access:write'] },
        now(),
      ),
    );
  const codeOf = (answer: { status: number; body: any }) => [
    answer.status,
    answer.body.error?.code ?? answer.body.errors?.[0]?.code,
  ];
  const read = <S extends z.ZodMiniType>(schema: S, answer: { status: number; body: unknown }): z.output<S> => {
    expect([answer.status, answer.status === 200 ? '' : answer.body]).toEqual([200, '']);
    const parsed = schema.parse(answer.body);
    expect(parsed).toEqual(answer.body);
    return parsed;
  };
  const report = async (
    session: Session,
    made: { report: PaymentReport; txid: string },
    change: Partial<PaymentReport> = {},
  ) => {
    arc.statuses.set(made.txid, 'SEEN_ON_NETWORK');
    app.clock.ms += 1000;
    const answer = await app.post('/api/v2/payments', { ...made.report, ...change }, bearer(session));
    expect(answer.status).toBe(201);
    return answer.body.payment as { id: string; txid: string };
  };
  const ofAlice = (change: Partial<PaymentReport> = {}) =>
    report(alice, createTestReport([200_000n], aliceWallet.publicKey), change);

  describe('the identity', () => {
    it('[I-01] [V-02] tokens with its scope can read the identity, as a JSON:API document', async () => {
      const answer = await app.get('/api/v1/auth/user_identity', await granted('auth.user_identity:read'));
      expect(answer.headers.get('content-type')).toBe('application/vnd.api+json');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.body).toEqual({
        data: { id: alice.user.id, type: 'user_identities', attributes: { id: alice.user.id, name: 'A Name' } },
        jsonapi: { version: '1.0' },
      });
      read(v1.identityDocument, answer);
      read(v1.identityDocument, await app.get('/api/v1/auth/user_identity', bearer(alice)));
    });

    it('[I-02] [T-08] tokens without its scope get an error in each API version’s format', async () => {
      const refused = await app.get('/api/v1/auth/user_identity', await granted('users.profiles:read'));
      expect(refused.headers.get('content-type')).toBe('application/vnd.api+json');
      expect(refused.headers.get('www-authenticate')).toBe(
        'Bearer error="insufficient_scope", scope="auth.user_identity:read"',
      );
      expect(v1.errorDocument.parse(refused.body)).toEqual({
        errors: [
          {
            id: refused.headers.get('x-request-id'),
            status: '403',
            code: 'insufficient-scope',
            title: 'This token doesn’t allow that.',
            detail: 'This token doesn’t allow that.',
          },
        ],
        jsonapi: { version: '1.0' },
      });
      expect(codeOf(await app.get('/api/v1/auth/user_identity'))).toEqual([401, 'unauthenticated']);
      expect(codeOf(await app.get('/api/v1/auth/user_identity', await ofShop()))).toEqual([403, 'insufficient-scope']);
      expect((await app.get('/api/v2/me', await granted('payments:read'))).body).toEqual({
        error: { code: 'insufficient-scope', message: 'This token doesn’t allow that.' },
      });
      expect(v1.errorDocument.parse((await app.get('/api/v1/nothing')).body).errors[0]?.status).toBe('404');
    });

    it('[V-03] version 2 returns the identity, and the profile only with its own scope', async () => {
      const bare = read(v2.meResponse, await app.get('/api/v2/me', await granted('auth.user_identity:read')));
      expect(bare).toEqual({ user: { id: alice.user.id, name: 'A Name' }, profile: null });
      const full = read(
        v2.meResponse,
        await app.get('/api/v2/me', await granted('auth.user_identity:read', 'users.profiles:read')),
      );
      expect(full.profile).toEqual({
        name: 'A Name',
        bio: '',
        avatarUrl: null,
        defaultCurrency: 'USD',
        defaultLanguage: 'en',
        paymail: 'alice@localhost',
        createdAt: expect.any(String),
      });
      expect(
        read(v2.profileResponse, await app.get('/api/v2/me/profile', await granted('users.profiles:read'))),
      ).toEqual({ profile: full.profile });
    });

    it('the user resource also returns the identity, and the profile only with its own scope', async () => {
      const path = `/api/v1/users/${alice.user.id}`;
      const bare = read(v1.userDocument, await app.get(path, await granted('auth.user_identity:read')));
      expect(bare.data).toEqual({
        id: alice.user.id,
        type: 'users',
        attributes: { id: alice.user.id, name: 'A Name' },
      });
      const full = read(
        v1.userDocument,
        await app.get(path, await granted('auth.user_identity:read', 'users.profiles:read')),
      );
      expect(full.data.attributes).toMatchObject({
        id: alice.user.id,
        name: 'A Name',
        'primary-paymail': 'alice@localhost',
        'default-currency': 'USD',
      });
      expect(codeOf(await app.get(`/api/v1/users/${bob.user.id}`, await granted('auth.user_identity:read')))).toEqual([
        404,
        'not-found',
      ]);
    });

    it('[T-06] [T-09] each route accepts only tokens with its scope', async () => {
      const id = alice.user.id;
      const routes: [string, Scope][] = [
        ['/api/v1/auth/user_identity', 'auth.user_identity:read'],
        [`/api/v1/users/${id}`, 'auth.user_identity:read'],
        [`/api/v1/users/${id}/profile`, 'users.profiles:read'],
        [`/api/v1/users/${id}/balance`, 'users.balance:read'],
        [`/api/v1/users/${id}/payments`, 'payments:read'],
        ['/api/v1/payments', 'payments:read'],
        [`/api/v1/payments/${randomUUID()}`, 'payments:read'],
        ['/api/v2/me', 'auth.user_identity:read'],
        ['/api/v2/me/profile', 'users.profiles:read'],
        ['/api/v2/me/balances', 'users.balance:read'],
        ['/api/v2/me/wallets/active/balances', 'users.balance:read'],
        ['/api/v2/me/payments', 'payments:read'],
        [`/api/v2/me/payments/${randomUUID()}`, 'payments:read'],
        ['/api/v2/payments', 'payments:read'],
        [`/api/v2/payments/${randomUUID()}`, 'payments:read'],
        ['/api/v2/me/assets', 'users.asset:read'],
      ];
      for (const [path, scope] of routes) {
        expect(codeOf(await app.get(path)), path).toEqual([401, 'unauthenticated']);
        expect([200, 404], path).toContain((await app.get(path, await granted(scope))).status);
        const others = ALL_SCOPES.filter((other) => other !== scope);
        expect(codeOf(await app.get(path, await granted(...others))), path).toEqual([403, 'insufficient-scope']);
        const forApplications = /\/api\/v[12]\/(?:me\/)?payments/.test(path);
        expect([200, 404].includes((await app.get(path, await ofShop())).status), path).toBe(forApplications);
      }
      // Routes reserved for wallets and the service's own pages reject applications' tokens, even with all scopes.
      for (const [method, path] of [
        ['PATCH', '/api/v2/me'],
        ['PUT', '/api/v2/me/balance'],
        ['GET', '/api/v2/me/balance-wanted'],
      ] as const) {
        expect(
          codeOf(await app.send(method, path, method === 'GET' ? undefined : {}, await granted(...ALL_SCOPES))),
          path,
        ).toEqual([403, 'insufficient-scope']);
      }
    });
  });

  describe('a profile', () => {
    const change = (body: unknown, headers: Record<string, string> = bearer(alice)) =>
      app.send('PATCH', '/api/v2/me', body, headers);

    it('can be changed by the wallet and by the service’s own pages', async () => {
      const changed = read(
        v2.profileResponse,
        await change({
          name: 'Alice',
          bio: 'Two\nlines.',
          avatarUrl: 'https://pictures.example/alice.png',
          defaultCurrency: 'EUR',
          defaultLanguage: 'de-ch',
        }),
      );
      expect(changed.profile).toMatchObject({
        name: 'Alice',
        bio: 'Two\nlines.',
        avatarUrl: 'https://pictures.example/alice.png',
        defaultCurrency: 'EUR',
        defaultLanguage: 'de-CH',
      });
      const { data } = read(
        v1.profileDocument,
        await app.get(`/api/v1/users/${alice.user.id}/profile`, await granted('users.profiles:read')),
      );
      expect(data).toMatchObject({
        id: alice.user.id,
        type: 'profiles',
        attributes: {
          name: 'Alice',
          'default-currency': 'EUR',
          'primary-paymail': 'alice@localhost',
          'avatar-url': 'https://pictures.example/alice.png',
        },
      });
      const page = await signInOnPages(app, aliceWallet);
      expect(read(v2.profileResponse, await change({ avatarUrl: null }, page)).profile).toMatchObject({
        avatarUrl: null,
        name: 'Alice',
      });
      expect(codeOf(await change({ name: 'Eve' }, { ...page, Origin: 'https://evil.example' }))).toEqual([
        403,
        'forbidden',
      ]);
      expect(codeOf(await change({ name: 'Eve' }, { Cookie: page.Cookie }))).toEqual([403, 'forbidden']);
      expect(read(v2.profileResponse, await change({})).profile.name).toBe('Alice');
    });

    it.each([
      { name: 'A\u202Eecila' },
      { name: 'a\nb' },
      { name: '\u200B' },
      { name: 'x'.repeat(101) },
      { name: 7 },
      { bio: 'x'.repeat(1001) },
      { bio: '\u0000' },
      { avatarUrl: 'javascript:alert(1)' },
      { avatarUrl: 'http://pictures.example/a.png' },
      { avatarUrl: 'https://user:secret@pictures.example/' },
      { avatarUrl: 'https://a"b.example/' },
      { avatarUrl: '/a.png' },
      { defaultCurrency: 'XXX' },
      { defaultCurrency: 'usd' },
      { defaultCurrency: 'SEK' },
      { defaultCurrency: 'SATS' },
      { defaultLanguage: 'not a language' },
      { handle: 'mallory' },
      { id: 1 },
    ])('refuses %j, and changes nothing', async (bad) => {
      const before = (await app.get('/api/v2/me', bearer(bob))).body;
      expect(codeOf(await change({ name: 'Robert', ...bad }, bearer(bob)))).toEqual([400, 'invalid-request']);
      expect((await app.get('/api/v2/me', bearer(bob))).body).toEqual(before);
    });

    it('changes once per Idempotency-Key', async () => {
      const key = { 'Idempotency-Key': `"${randomUUID()}"` };
      const first = await change({ name: 'First' }, { ...bearer(bob), ...key });
      await change({ name: 'Second' }, bearer(bob));
      expect([first.status, (await change({ name: 'First' }, { ...bearer(bob), ...key })).body]).toEqual([
        200,
        first.body,
      ]);
      expect((await app.get('/api/v2/me', bearer(bob))).body.user.name).toBe('Second');
      expect(codeOf(await change({ name: 'Third' }, { ...bearer(bob), ...key }))).toEqual([
        422,
        'idempotency-conflict',
      ]);
    });
  });

  describe('payments', () => {
    it('[R-20] only the sender and the client’s owner can read a payment; others get 404', async () => {
      const carolWallet = createTestWallet();
      const carol = await register(app, carolWallet, 'carol');
      const other = await registerApplication(app, carol);
      const { id } = await ofAlice({ clientIdentifier: shop.clientIdentifier });
      const { id: without } = await ofAlice();
      const ofOther = authorization(
        await issueToken(
          database.db,
          'application',
          { applicationId: other.id, scopes: ['application_access:write'] },
          now(),
        ),
      );
      const readers: [string, Record<string, string>, boolean, boolean][] = [
        ['the sender', bearer(alice), true, true],
        ['who the sender granted it', await granted('payments:read'), true, true],
        ['the owner of the client', bearer(bob), true, false],
        ['the client itself', await ofShop(), true, false],
        ['somebody else', bearer(carol), false, false],
        ['another application', ofOther, false, false],
      ];
      for (const [who, headers, first, second] of readers) {
        for (const [payment, may] of [
          [id, first],
          [without, second],
        ] as const) {
          for (const path of [`/api/v1/payments/${payment}`, `/api/v2/payments/${payment}`]) {
            const answer = await app.get(path, headers);
            expect(may ? answer.status : codeOf(answer), `${who}: ${path}`).toEqual(may ? 200 : [404, 'not-found']);
          }
        }
        const listed = read(v2.paymentsResponse, await app.get('/api/v2/payments', headers)).payments.map(
          (payment) => payment.id,
        );
        expect([listed.includes(id), listed.includes(without)], who).toEqual([first, second]);
        const documents = read(v1.paymentsDocument, await app.get('/api/v1/payments', headers)).data.map(
          (payment) => payment.id,
        );
        expect(documents, who).toEqual(listed);
      }
      expect(
        read(v2.paymentsResponse, await app.get('/api/v2/me/payments', await ofShop())).payments.map(
          (payment) => payment.id,
        ),
      ).toContain(id);
      expect(read(paymentResponse, await app.get(`/api/v2/me/payments/${id}`, await ofShop())).payment.id).toBe(id);
      expect(codeOf(await app.get(`/api/v2/me/payments/${id}`, ofOther))).toEqual([404, 'not-found']);
      expect(codeOf(await app.get(`/api/v2/me/payments/${id}`, bearer(bob)))).toEqual([404, 'not-found']);
      expect(read(v2.paymentsResponse, await app.get('/api/v2/me/payments', bearer(bob))).payments).toEqual([]);
      expect(codeOf(await app.get(`/api/v1/users/${alice.user.id}/payments`, bearer(bob)))).toEqual([404, 'not-found']);
      expect(codeOf(await app.get(`/api/v1/users/${alice.user.id}/profile`, bearer(bob)))).toEqual([404, 'not-found']);
      for (const bad of ['nothing', '1', `${id}x`, encodeURIComponent("' or 1=1")])
        expect(codeOf(await app.get(`/api/v2/payments/${bad}`, bearer(alice))), bad).toEqual([404, 'not-found']);
    });

    it('show the amount at the service’s own rate next to the sender’s, and whether the two deviate', async () => {
      const made = createTestReport([200_000n], aliceWallet.publicKey);
      const lied = {
        ...made.report,
        amount: '1000000.00',
        outputs: made.report.outputs.map((output) => ({ ...output, amount: '1000000.00' })),
      };
      const { id } = await report(alice, { ...made, report: lied });
      const { payment } = read(paymentResponse, await app.get(`/api/v2/payments/${id}`, bearer(alice)));
      expect(payment).toMatchObject({
        satoshis: '200000',
        amountUsd: '0.10',
        serviceAmount: '0.10',
        amountDeviates: true,
        amount: '1000000.00',
        currency: 'USD',
      });
      const { data } = read(v1.paymentDocument, await app.get(`/api/v1/payments/${id}`, bearer(alice)));
      expect(data.attributes).toMatchObject({
        satoshis: '200000',
        'service-amount': '0.10',
        'amount-deviates': true,
        amount: '1000000.00',
      });
      const [inList] = read(v2.paymentsResponse, await app.get('/api/v2/me/payments?limit=1', bearer(alice))).payments;
      expect(inList).toMatchObject({ id, serviceAmount: '0.10', amountDeviates: true });

      const told = await ofAlice();
      expect((await app.get(`/api/v2/payments/${told.id}`, bearer(alice))).body.payment).toMatchObject({
        serviceAmount: '0.10',
        amountDeviates: false,
      });
      const inEuro = createTestReport([200_000n], aliceWallet.publicKey);
      const unpriced = {
        ...inEuro.report,
        currency: 'XTS',
        outputs: inEuro.report.outputs.map((output) => ({ ...output, currency: 'XTS' })),
      };
      const { id: ofUnpriced } = await report(alice, { ...inEuro, report: unpriced });
      expect((await app.get(`/api/v2/payments/${ofUnpriced}`, bearer(alice))).body.payment).toMatchObject({
        amountUsd: '0.10',
        serviceAmount: null,
        amountDeviates: null,
      });
    });

    it('[V-03] a payment has all fields, including the transferred sums if its inputs are proven', async () => {
      const made = await createSignedReport(200_000n, 1_000_000n, aliceWallet.publicKey);
      const { id } = await report(alice, made, { clientIdentifier: shop.clientIdentifier });
      const { payment, paymentOutputs } = read(paymentResponse, await app.get(`/api/v2/payments/${id}`, bearer(alice)));
      expect(payment).toMatchObject({
        id,
        txid: made.txid,
        satoshis: '200000',
        amount: '0.10',
        currency: 'USD',
        amountUsd: '0.10',
        senderPaymail: 'alice@localhost',
        clientIdentifier: shop.clientIdentifier,
        inputSatoshis: '1000000',
        spendSatoshis: '200100',
        feeSatoshis: '100',
        changeSatoshis: '799900',
        userId: alice.user.id,
      });
      expect([paymentOutputs, payment.paymentOutputs]).toEqual([payment.outputs, payment.outputs]);
      const { data, included } = read(
        v1.paymentDocument,
        await app.get(`/api/v1/payments/${id.toUpperCase()}`, bearer(alice)),
      );
      expect(data.attributes).toMatchObject({
        'user-id': alice.user.id,
        'user-paymail': 'alice@localhost',
        'client-identifier': shop.clientIdentifier,
        txid: made.txid,
        status: 'RECEIVED',
        'amount-usd': '0.10',
        rawtx: made.report.rawtx,
        'input-amount-usd': '0.50',
        'input-amount-satoshis': '1000000',
        'spend-amount-usd': '0.10005',
        'spend-amount-satoshis': '200100',
        'fee-amount-usd': '0.00005',
        'fee-amount-satoshis': '100',
        'change-amount-usd': '0.39995',
        'change-amount-satoshis': '799900',
        'button-id': 'invoice-1',
        'button-data': '{"order":1}',
      });
      expect(data.relationships).toEqual({
        'payment-outputs': { data: included.map(({ id, type }) => ({ id, type })) },
        'crypto-operations': { data: [] },
      });
      expect(included[0]?.attributes).toMatchObject({
        type: 'ADDRESS',
        'output-type': 'ADDRESS',
        satoshis: '200000',
        'amount-usd': '0.10',
        to: made.report.outputs[0]?.to,
        'created-at': data.attributes['created-at'],
        'user-paymail': null,
      });

      const lying = await createSignedReport(200_000n, 1_000_000n, aliceWallet.publicKey);
      arc.statuses.set(lying.txid, 'SEEN_ON_NETWORK');
      expect(
        codeOf(await app.post('/api/v2/payments', { ...lying.report, inputs: ['1000001'] }, bearer(alice))),
      ).toEqual([422, 'payment-mismatch']);
      const silent = await ofAlice();
      expect(
        read(paymentResponse, await app.get(`/api/v2/payments/${silent.id}`, bearer(alice))).payment,
      ).toMatchObject({ inputSatoshis: null, feeSatoshis: null, changeSatoshis: '5000' });
    });

    it('[R-22] [R-23] both API versions filter by button id, status and transaction', async () => {
      const { id, txid } = await ofAlice({ buttonId: 'a & b=é', buttonData: '{"order":7}' });
      const cases: [string, string][] = [
        ['button-id', 'a & b=é'],
        ['txid', txid],
      ];
      for (const [name, value] of cases) {
        const inV1 = read(
          v1.paymentsDocument,
          await app.get(`/api/v1/payments?filter[${name}]=${encodeURIComponent(value)}`, bearer(alice)),
        );
        expect(
          inV1.data.map((payment) => [payment.id, payment.attributes['button-data']]),
          name,
        ).toEqual([[id, '{"order":7}']]);
        const own = read(
          v1.userPaymentsDocument,
          await app.get(
            `/api/v1/users/${alice.user.id}/payments?filter[${name}]=${encodeURIComponent(value)}`,
            bearer(alice),
          ),
        );
        expect([own.data.length, own.meta]).toEqual([1, { 'total-pages': 1 }]);
        const inV2 = read(
          v2.paymentsResponse,
          await app.get(
            `/api/v2/me/payments?${new URLSearchParams({ [name === 'txid' ? 'txid' : 'buttonId']: value })}`,
            bearer(alice),
          ),
        );
        expect(
          inV2.payments.map((payment) => payment.id),
          name,
        ).toEqual([id]);
      }
      await database.db.update(payments).set({ status: 'COMPLETED' }).where(eq(payments.id, id));
      expect(
        read(v2.paymentsResponse, await app.get('/api/v2/payments?status=COMPLETED', bearer(alice))).payments.map(
          (payment) => payment.id,
        ),
      ).toEqual([id]);
      expect(
        read(v1.paymentsDocument, await app.get('/api/v1/payments?filter[status]=FAILED', bearer(alice))).data,
      ).toEqual([]);
    });

    it.each([
      '/api/v1/payments?limit=0',
      '/api/v1/payments?limit=101',
      '/api/v1/payments?limit=-1',
      '/api/v1/payments?limit=1&limit=2',
      '/api/v1/payments?offset=10001',
      '/api/v1/payments?filter[buttonId]=x',
      '/api/v1/payments?filter[status]=received',
      '/api/v1/payments?filter[txid]=12',
      '/api/v1/payments?cursor=x',
      '/api/v2/payments?cursor=nonsense',
      '/api/v2/payments?limit=1000',
      '/api/v2/payments?button-id=x',
      `/api/v2/payments?cursor=${Buffer.from(`2025-01-01T00:00:00.000Z ' or 1=1`).toString('base64url')}`,
      '/api/v2/payments?limit=1e1',
      '/api/v2/me/payments?status=DONE',
      '/api/v2/payments?sort=amount',
      '/api/v1/payments?sort=-createdAt,amount',
    ])('refuses %s', async (path) =>
      expect(codeOf(await app.get(path, bearer(alice)))).toEqual([400, 'invalid-request']),
    );

    it('pages list the newest first, without losing or repeating any', async () => {
      const daveWallet = createTestWallet();
      const dave = await register(app, daveWallet, 'dave');
      const sold = await registerApplication(app, dave);
      const all: string[] = [];
      for (let i = 0; i < 7; i += 1) {
        // Dave's and Alice's payments alternate. All use Dave's application, and some share a timestamp.
        const made =
          i % 2 ? createTestReport([1_000n], daveWallet.publicKey) : createTestReport([1_000n], aliceWallet.publicKey);
        const { id } = await report(i % 2 ? dave : alice, made, { clientIdentifier: sold.clientIdentifier });
        if (i === 3 || i === 4) app.clock.ms -= 1000;
        all.push(id);
      }
      const path = '/api/v2/payments?limit=2';
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: z.infer<typeof v2.paymentsResponse> = read(
          v2.paymentsResponse,
          await app.get(cursor === null ? path : `${path}&cursor=${cursor}`, bearer(dave)),
        );
        seen.push(...page.payments.map((payment) => payment.id));
        cursor = page.nextCursor;
        // A payment that arrives during paging doesn't shift the pages.
        if (seen.length === 2) await report(dave, createTestReport([1_000n], daveWallet.publicKey));
      } while (cursor !== null);
      expect([...seen].sort()).toEqual([...all].sort());
      const times = read(v2.paymentsResponse, await app.get('/api/v2/payments?limit=100', bearer(dave))).payments.map(
        (payment) => payment.createdAt,
      );
      expect(times).toEqual([...times].sort().reverse());

      const inOffsets: string[] = [];
      let next: string | null = '/api/v1/payments?limit=3';
      while (next !== null) {
        const page: z.infer<typeof v1.paymentsDocument> = read(v1.paymentsDocument, await app.get(next, bearer(dave)));
        inOffsets.push(...page.data.map((payment) => payment.id));
        next = page.links.next?.replace(app.baseUrl, '') ?? null;
      }
      expect([inOffsets.length, new Set(inOffsets).size]).toEqual([8, 8]);
      // Sorted oldest first, each list returns the same payments page by page.
      const reversed = inOffsets.toReversed();
      const upwards: string[] = [];
      cursor = null;
      do {
        const page: z.infer<typeof v2.paymentsResponse> = read(
          v2.paymentsResponse,
          await app.get(`${path}&sort=createdAt${cursor === null ? '' : `&cursor=${cursor}`}`, bearer(dave)),
        );
        upwards.push(...page.payments.map((payment) => payment.id));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(upwards).toEqual(reversed);
      const first = read(v1.paymentsDocument, await app.get('/api/v1/payments?limit=3&sort=created-at', bearer(dave)));
      const rest = read(
        v1.paymentsDocument,
        await app.get(`${first.links.next?.replace(app.baseUrl, '')}&limit=100`.replace('limit=3&', ''), bearer(dave)),
      );
      expect([...first.data, ...rest.data].map((payment) => payment.id)).toEqual(reversed);
      expect(
        read(v1.paymentsDocument, await app.get('/api/v1/payments?sort=-created-at', bearer(dave))).data.map(
          (payment) => payment.id,
        ),
      ).toEqual(inOffsets);
      const own = read(
        v1.userPaymentsDocument,
        await app.get(`/api/v1/users/${dave.user.id}/payments?page[size]=2&sort=createdAt`, bearer(dave)),
      );
      expect(own.data.map((payment) => payment.id)).toEqual(
        reversed.filter((one) => own.data.some(({ id }) => id === one)),
      );
      const second = read(
        v1.userPaymentsDocument,
        await app.get(`/api/v1/users/${dave.user.id}/payments?page[number]=2&page[size]=3`, bearer(dave)),
      );
      expect([second.data.length, second.meta]).toEqual([1, { 'total-pages': 2 }]);
    });

    it('a payment to oneself counts once, together with received payments', async () => {
      const pagesOf = async (filter: string) =>
        read(
          v1.userPaymentsDocument,
          await app.get(`/api/v1/users/${bob.user.id}/payments?page[size]=1${filter}`, bearer(bob)),
        ).meta['total-pages'];
      const made = createTestReport([1_000n], bobWallet.publicKey);
      const own = await report(bob, made, { buttonId: 'counted' });
      const sent = await pagesOf('');
      const receive = async ({ id, txid }: { id: string; txid: string }) => {
        const [reference, userId, createdAt] = [randomUUID(), Number(bob.user.id), new Date(app.clock.ms)];
        await database.db
          .insert(paymailDestinations)
          .values({ reference, userId, satoshis: 1_000n, outputs: [], createdAt });
        await database.db.insert(receivedTransactions).values({
          id: randomUUID(),
          reference,
          userId,
          txid,
          paymentId: id,
          paymentCreatedAt: createdAt,
          senderVerified: false,
          createdAt,
        });
      };
      await receive(own);
      expect([await pagesOf(''), await pagesOf('&filter[button-id]=counted')]).toEqual([sent, 1]);
      const others = await ofAlice({ buttonId: 'counted' });
      await receive(others);
      // A payment to two destinations is listed only once.
      await receive(others);
      expect([await pagesOf(''), await pagesOf('&filter[button-id]=counted')]).toEqual([sent + 1, 2]);
    });

    it('lists omit transactions of more than 100,000 bytes', async () => {
      const { id } = await ofAlice({ buttonId: 'huge' });
      await database.db
        .update(payments)
        .set({ rawtx: new Uint8Array(100_001) })
        .where(eq(payments.id, id));
      expect(
        read(v2.paymentsResponse, await app.get('/api/v2/payments?buttonId=huge', bearer(alice))).payments[0]?.rawtx,
      ).toBeNull();
      expect(
        read(v1.paymentsDocument, await app.get('/api/v1/payments?filter[button-id]=huge', bearer(alice))).data[0]
          ?.attributes.rawtx,
      ).toBeNull();
      expect(read(paymentResponse, await app.get(`/api/v2/payments/${id}`, bearer(alice))).payment.rawtx).toHaveLength(
        200_002,
      );
    });

    it('a payment is stored once per id, without storing the Idempotency-Key', async () => {
      const made = createTestReport([1_000n], aliceWallet.publicKey);
      arc.statuses.set(made.txid, 'SEEN_ON_NETWORK');
      const headers = { ...bearer(alice), 'Idempotency-Key': randomUUID() };
      const answers = await Promise.all([1, 2, 3].map(() => app.post('/api/v2/payments', made.report, headers)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(
        await database.db
          .select()
          .from(idempotencyKeys)
          .where(eq(idempotencyKeys.key, createHash('sha256').update(headers['Idempotency-Key']).digest('hex'))),
      ).toEqual([]);
    });
  });

  it('[V-03] anyone can list the currencies', async () => {
    const { crypto, fiat } = read(v2.currenciesResponse, await app.get('/api/v2/currencies'));
    expect(crypto[0]).toEqual({ code: 'BSV', name: 'Bitcoin SV' });
    const { rates } = (await app.get('/api/v2/rates')).body;
    expect([...crypto.slice(1), ...fiat].map(({ code }) => code).sort()).toEqual(Object.keys(rates).sort());
    expect(fiat).toContainEqual({ code: 'CHF', name: 'Swiss Franc' });
    const inV1 = read(v1.currenciesDocument, await app.get('/api/v1/currencies/fiat'));
    expect(inV1.data.map(({ attributes }) => attributes)).toEqual(fiat);
    expect(
      read(v1.currenciesDocument, await app.get('/api/v1/currencies/crypto')).data.map(({ attributes }) => attributes),
    ).toEqual(crypto);
  });
});
