import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  applicationResponse,
  applicationsResponse,
  clientSecretResponse,
  createdApplicationResponse,
  webhookSecretResponse,
} from '../../../protocol/http/applications.ts';
import type { Session } from '../../../protocol/http/api.ts';
import { issueToken } from '../../identity/tokens.ts';
import { bearer, createTestWallet, register, registerApplication, signInOnPages } from '../../testing.ts';
import { findByClientIdentifier, hasSecret, listApplications } from '../../applications/store.ts';
import { useService } from '../../testing-service.ts';

const ALL = '/api/v2/me/applications';
const WHOLE = {
  name: 'A Shop',
  url: 'https://shop.example/',
  description: 'Sells things.\nAnd more.',
  redirectUri: 'https://shop.example/back?from=here',
  webhookUrl: 'https://shop.example/hooks',
  requirePkce: true,
  requireSecret: true,
};

describe('applications', () => {
  const { app, database } = useService();
  let alice: Session;
  let bob: Session;
  let pages: { Cookie: string; Origin: string };
  const aliceWallet = createTestWallet();

  beforeAll(async () => {
    [alice, bob] = [await register(app, aliceWallet, 'alice'), await register(app, createTestWallet(), 'bob')];
    pages = await signInOnPages(app, aliceWallet);
  });
  beforeEach(async () => {
    for (const { id } of await listApplications(database.db, Number(alice.user.id)))
      await app.send('DELETE', `${ALL}/${id}`, undefined, bearer(alice));
  });

  const stored = async () => JSON.stringify(await listApplications(database.db, Number(alice.user.id)));
  const codeOf = (answer: { status: number; body: any }) => [answer.status, answer.body.error?.code];

  it('cannot imitate the service’s name or origin', async () => {
    const site = { name: 'A Shop', url: 'https://shop.example' };
    for (const details of [
      { ...site, name: 'Service Button' },
      { ...site, name: 'Sеrviсe Buttоn (official)' },
      { ...site, name: '✓ verified shop' },
      { ...site, redirectUri: `${app.baseUrl}/cb` },
      { ...site, url: app.baseUrl },
    ])
      expect(codeOf(await app.post(ALL, details, bearer(alice))), JSON.stringify(details)).toEqual([
        400,
        'invalid-request',
      ]);
    const { id } = await registerApplication(app, alice, { name: 'Button Café' });
    expect(codeOf(await app.send('PATCH', `${ALL}/${id}`, { name: 'service-button' }, bearer(alice)))).toEqual([
      400,
      'invalid-request',
    ]);
  });

  it('an application gets permanent identifiers and secrets that are shown once [R-21]', async () => {
    const created = await app.post(ALL, WHOLE, bearer(alice));
    expect([created.status, created.headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(createdApplicationResponse.parse(created.body)).toEqual(created.body);
    const { clientSecret, webhookSecret, ...shown } = created.body.application;
    expect(shown).toMatchObject(WHOLE);
    expect(shown.clientIdentifier).toMatch(/^[A-Za-z0-9]{24}$/);
    expect(shown.oauthIdentifier).toMatch(/^[A-Za-z0-9]{24}$/);
    expect(shown.oauthIdentifier).not.toBe(shown.clientIdentifier);
    expect(clientSecret).toMatch(/^[A-Za-z0-9]{43,}$/);
    expect(webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    app.clock.ms += 1;
    const second = await registerApplication(app, alice, { name: 'Another' });
    const list = await app.get(ALL, bearer(alice));
    expect(applicationsResponse.parse(list.body)).toEqual(list.body);
    expect(list.body.applications.map(({ name }: { name: string }) => name)).toEqual(['A Shop', 'Another']);
    const one = await app.get(`${ALL}/${shown.id}`, bearer(alice));
    expect([one.status, applicationResponse.parse(one.body)]).toEqual([200, { application: shown }]);
    for (const secret of [clientSecret, webhookSecret, second.clientSecret])
      expect(JSON.stringify([list.body, one.body]) + app.log()).not.toContain(secret);
    expect(await stored()).not.toContain(clientSecret);
  });

  it('require only a name and a site', async () => {
    expect(await registerApplication(app, alice)).toMatchObject({
      description: '',
      redirectUri: null,
      webhookUrl: null,
      requirePkce: false,
      requireSecret: false,
    });
    expect(await registerApplication(app, alice, { redirectUri: '', webhookUrl: null })).toMatchObject({
      redirectUri: null,
      webhookUrl: null,
    });
  });

  it('change only in the given fields', async () => {
    const { clientSecret: _, webhookSecret: __, ...made } = await registerApplication(app, alice, WHOLE);
    app.clock.ms += 1000;
    const changed = await app.send(
      'PATCH',
      `${ALL}/${made.id}`,
      { name: ' A better Shop ', redirectUri: null, requirePkce: false },
      bearer(alice),
    );
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        application: {
          ...made,
          name: 'A better Shop',
          redirectUri: null,
          requirePkce: false,
          updatedAt: new Date(app.clock.ms).toISOString(),
        },
      },
    ]);
  });

  it('a new client secret invalidates the old one and the tokens issued with it', async () => {
    const made = await registerApplication(app, alice);
    const other = await registerApplication(app, alice);
    const now = new Date(app.clock.ms);
    const tokens = await Promise.all(
      [made, other].map(({ id: applicationId }) =>
        issueToken(database.db, 'application', { applicationId, scopes: ['application_access:write'] }, now),
      ),
    );
    const rotated = await app.post(`${ALL}/${made.id}/secret`, {}, bearer(alice));
    expect(clientSecretResponse.parse(rotated.body)).toEqual(rotated.body);
    const { clientSecret } = rotated.body.application;
    const found = (await findByClientIdentifier(database.db, made.clientIdentifier))!;
    expect([hasSecret(found, clientSecret), hasSecret(found, made.clientSecret), found.webhookSecret]).toEqual([
      true,
      false,
      made.webhookSecret,
    ]);
    const answers = await Promise.all(tokens.map((token) => app.get(ALL, { Authorization: `Bearer ${token}` })));
    expect(answers.map(codeOf)).toEqual([
      [401, 'unauthenticated'],
      [403, 'insufficient-scope'],
    ]);
  });

  it('a new webhook secret changes nothing else', async () => {
    const made = await registerApplication(app, alice);
    const rotated = await app.send('POST', `${ALL}/${made.id}/webhook-secret`, undefined, bearer(alice));
    expect(webhookSecretResponse.parse(rotated.body)).toEqual(rotated.body);
    const found = (await findByClientIdentifier(database.db, made.clientIdentifier))!;
    expect(rotated.body.application.webhookSecret).not.toBe(made.webhookSecret);
    expect([found.webhookSecret, hasSecret(found, made.clientSecret)]).toEqual([
      rotated.body.application.webhookSecret,
      true,
    ]);
  });

  it('can’t be found after they are deleted', async () => {
    const { id, clientIdentifier } = await registerApplication(app, alice);
    expect((await app.send('DELETE', `${ALL}/${id}`, undefined, bearer(alice))).status).toBe(204);
    expect(codeOf(await app.get(`${ALL}/${id}`, bearer(alice)))).toEqual([404, 'unknown-application']);
    expect(codeOf(await app.send('DELETE', `${ALL}/${id}`, undefined, bearer(alice)))).toEqual([
      404,
      'unknown-application',
    ]);
    expect(await findByClientIdentifier(database.db, clientIdentifier)).toBeNull();
  });

  it('every route answers 404 for other users’ applications', async () => {
    const { id } = await registerApplication(app, alice, WHOLE);
    const before = await stored();
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', ''],
      ['POST', '/secret'],
      ['POST', '/webhook-secret'],
    ] as const) {
      for (const wanted of [id, 'not-a-uuid', '00000000-0000-4000-8000-000000000000']) {
        const answer = await app.send(method, `${ALL}/${wanted}${path}`, body, bearer(bob));
        expect(codeOf(answer), `${method} ${path} ${wanted}`).toEqual([404, 'unknown-application']);
      }
    }
    expect((await app.get(ALL, bearer(bob))).body).toEqual({ applications: [] });
    expect(await stored()).toBe(before);
  });

  it('only the owner has access: rejects an application’s token and a request without a token', async () => {
    const { id } = await registerApplication(app, alice);
    const userId = Number(alice.user.id);
    const granted = await issueToken(
      database.db,
      'user',
      { userId, applicationId: id, scopes: ['users.profiles:read', 'payments:read'] },
      new Date(app.clock.ms),
    );
    for (const [method, path] of [
      ['POST', ALL],
      ['GET', ALL],
      ['GET', `${ALL}/${id}`],
      ['PATCH', `${ALL}/${id}`],
      ['DELETE', `${ALL}/${id}`],
      ['POST', `${ALL}/${id}/secret`],
      ['POST', `${ALL}/${id}/webhook-secret`],
    ] as const) {
      const body = method === 'GET' ? undefined : { name: 'x', url: 'https://x.example' };
      const [nobody, application] = [
        await app.send(method, path, body),
        await app.send(method, path, body, { Authorization: `Bearer ${granted}` }),
      ];
      expect([...codeOf(nobody), nobody.headers.get('www-authenticate')], path).toEqual([
        401,
        'unauthenticated',
        'Bearer',
      ]);
      expect(codeOf(application), path).toEqual([403, 'insufficient-scope']);
    }
  });

  it('only the service’s own pages can read and change them with a session, not other sites', async () => {
    const made = await app.send('POST', ALL, WHOLE, pages);
    expect(made.status).toBe(201);
    const { id } = made.body.application;
    expect((await app.get(`${ALL}/${id}`, { Cookie: pages.Cookie })).status).toBe(200);
    const before = await stored();
    for (const from of [
      {},
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
      { Origin: `${app.baseUrl}.evil.example` },
    ]) {
      const headers = { Cookie: pages.Cookie, ...from } as Record<string, string>;
      for (const [method, path, body] of [
        ['POST', ALL, WHOLE],
        ['PATCH', `${ALL}/${id}`, { name: 'x' }],
        ['DELETE', `${ALL}/${id}`],
        ['POST', `${ALL}/${id}/secret`],
        ['POST', `${ALL}/${id}/webhook-secret`],
      ] as const) {
        expect(
          codeOf(await app.send(method, path, body, headers)),
          `${method} ${path} ${JSON.stringify(from)}`,
        ).toEqual([403, 'forbidden']);
      }
    }
    expect(await stored()).toBe(before);
    // Pages on other origins can't get the secrets, even if they are on the same site.
    for (const from of [
      { Origin: 'https://evil.example' },
      { Origin: `${app.baseUrl}0` },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ]) {
      const answer = await app.get(ALL, { Cookie: pages.Cookie, ...from } as Record<string, string>);
      expect([...codeOf(answer), answer.headers.get('access-control-allow-credentials')], JSON.stringify(from)).toEqual(
        [401, 'unauthenticated', null],
      );
    }
    expect((await app.get(ALL, { Cookie: pages.Cookie, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
    expect((await app.send('PATCH', `${ALL}/${id}`, { name: 'x' }, pages)).status).toBe(200);
  });

  it('requests with the same Idempotency-Key make one change, and return the same secret', async () => {
    const keyed = { ...bearer(alice), 'Idempotency-Key': '"0123456789abcdef0123"' };
    const [first, again] = [await app.post(ALL, WHOLE, keyed), await app.post(ALL, WHOLE, keyed)];
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(JSON.parse(await stored())).toHaveLength(1);
    expect(codeOf(await app.post(ALL, { ...WHOLE, name: 'Other' }, keyed))).toEqual([422, 'idempotency-conflict']);
    const { id } = first.body.application;
    const rotated = await Promise.all(
      [1, 2].map(() =>
        app.send('POST', `${ALL}/${id}/secret`, undefined, {
          ...bearer(alice),
          'Idempotency-Key': '"fedcba9876543210fedc"',
        }),
      ),
    );
    expect(rotated[0]!.body).toEqual(rotated[1]!.body);
    expect(
      hasSecret(
        (await findByClientIdentifier(database.db, first.body.application.clientIdentifier))!,
        rotated[0]!.body.application.clientSecret,
      ),
    ).toBe(true);
  });

  it('a user has at most 50, even with concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        app.post(ALL, { name: `No. ${i}`, url: 'https://app.example' }, bearer(alice)),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(codeOf(answer)).toEqual([409, 'too-many-applications']);
    expect(JSON.parse(await stored())).toHaveLength(50);
  });
});
