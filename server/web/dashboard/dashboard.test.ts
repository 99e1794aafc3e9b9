import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'drizzle-orm';
import type { Session } from '../../../protocol/http/api.ts';
import { createApplication, findByClientIdentifier, hasSecret, type Application } from '../../applications/store.ts';
import { consents, webhookDeliveries, webhookEvents } from '../../database/schema.ts';
import { issueToken } from '../../identity/tokens.ts';
import { createTestReport, proveReport } from '../../payment-reports/testing-report.ts';
import { createTestDelivery } from '../../received/testing-delivery.ts';
import { bearer, createTestWallet, register, registerApplication, signInOnPages, startTestApp } from '../../testing.ts';
import { useService } from '../../testing-service.ts';

type Headers = { Cookie: string; Origin: string };

const EVIL = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;
const TABLES = [
  'users',
  'applications',
  'consents',
  'authorizations',
  'access_tokens',
  'webhook_events',
  'webhook_deliveries',
  'payments',
];

describe('the account pages', () => {
  const { app, arc, database } = useService();
  let alice: Session;
  let bob: Session;
  let alicePages: Headers;
  let bobPages: Headers;
  const [aliceWallet, bobWallet] = [createTestWallet(), createTestWallet()];

  beforeAll(async () => {
    [alice, bob] = [await register(app, aliceWallet, 'alice'), await register(app, bobWallet, 'bob')];
    [alicePages, bobPages] = [await signInOnPages(app, aliceWallet), await signInOnPages(app, bobWallet)];
  });

  const show = (path: string, pages = alicePages) => app.send('GET', path, undefined, { Cookie: pages.Cookie });
  const tokenIn = (body: string) => /name="form-token" value="([0-9a-f]{64})"/.exec(body)?.[1] ?? '';
  const formToken = async (pages = alicePages) => tokenIn((await show('/account', pages)).body);
  const submit = async (path: string, fields: Record<string, string> = {}, pages = alicePages) =>
    app.send('POST', path, new URLSearchParams({ 'form-token': await formToken(pages), ...fields }), pages);
  const follow = async (answer: { status: number; headers: globalThis.Headers }) => {
    expect(answer.status).toBe(303);
    const set = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    return app.send('GET', answer.headers.get('location') ?? '', undefined, {
      Cookie: [alicePages.Cookie, ...set].join('; '),
    });
  };
  const everything = async () =>
    JSON.stringify(
      await Promise.all(
        TABLES.map(
          async (table) => ((await database.db.execute(sql.raw(`select * from ${table} order by 1, 2`))) as any).rows,
        ),
      ),
    );
  const applicationOf = async (ownerId: string, details: Partial<Application> = {}) =>
    createApplication(
      database.db,
      Number(ownerId),
      {
        name: 'A Shop',
        url: 'https://shop.example',
        description: '',
        redirectUri: null,
        webhookUrl: null,
        requirePkce: false,
        requireSecret: false,
        ...details,
      },
      new Date(app.clock.ms),
    );
  const pay = async (
    session: Session,
    wallet: typeof aliceWallet,
    changes: Record<string, unknown> = {},
    { satoshis = 200_000n, amount = '0.10' } = {},
  ) => {
    const {
      report: { inputProof: _, ...made },
      txid,
      key,
    } = createTestReport([satoshis], wallet.publicKey);
    const report = { ...made, amount, outputs: made.outputs.map((output) => ({ ...output, amount })) };
    arc.statuses.set(txid, 'SEEN_ON_NETWORK');
    const answer = await app.post(
      '/api/v2/payments',
      proveReport({ ...report, ...changes }, wallet.publicKey, key),
      bearer(session),
    );
    expect(answer.status).toBe(201);
    return { id: report.id as string, txid };
  };

  it('redirect visitors without a session to the sign-in page, and back', async () => {
    for (const path of [
      '/account',
      '/account/payments?status=FAILED',
      '/account/applications',
      '/account/applications/new',
      '/account/connected',
    ]) {
      const answer = await app.send('GET', path);
      expect([answer.status, answer.headers.get('location')], path).toEqual([
        303,
        `/sign-in?return=${encodeURIComponent(path)}`,
      ]);
    }
    const posted = await app.send('POST', '/account', new URLSearchParams({ name: 'x' }), { Origin: app.baseUrl });
    expect([posted.status, posted.headers.get('location')]).toEqual([303, '/sign-in?return=%2Faccount']);
    const below = await app.send('POST', '/account/connected/x/revoke', new URLSearchParams(), { Origin: app.baseUrl });
    expect([below.status, below.headers.get('location')]).toEqual([303, '/sign-in?return=%2Faccount%2Fconnected']);
    expect((await app.send('GET', '/account/applications', undefined, bearer(alice))).status).toBe(303);
  });

  it('show the signed-in user on every page, and no one without a session', async () => {
    const accept = { Accept: 'text/html,*/*' };
    for (const path of ['/', '/shop', '/nothing']) {
      const [signedIn, nobody] = [
        await app.get(path, { ...accept, Cookie: alicePages.Cookie }),
        await app.get(path, accept),
      ];
      expect(signedIn.body, path).toContain('alice@localhost');
      expect(nobody.body, path).not.toContain('alice@');
      expect(nobody.body, path).toContain('Sign in');
    }
    const { body } = await show('/account');
    expect(body).toMatch(/alice@localhost[^]*<main/);
    expect(body).toContain('aria-current="page">Account<');
    expect(body).not.toContain('bob@');
  });

  it('run no inline code, are not cached, and explain what to do when they are empty', async () => {
    const newcomer = createTestWallet();
    await register(app, newcomer, 'newcomer');
    const pages = await signInOnPages(app, newcomer);
    for (const [path, words] of [
      ['/account', 'How people pay you'],
      ['/account/payments', 'No payments yet'],
      ['/account/payments?status=FAILED', 'Show all payments'],
      ['/account/applications', 'You have no applications yet'],
      ['/account/applications/new', 'Create application'],
      ['/account/connected', 'No application has access'],
    ] as const) {
      const { status, body, headers } = await show(path, pages);
      expect([status, headers.get('cache-control')], path).toEqual([200, 'no-store']);
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*/);
      expect(body).toContain(words);
      expect(body, path).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|undefined|\[object/);
    }
  });

  it('change the profile, and show problems in it', async () => {
    const saved = await submit('/account', {
      name: ' Alice A. ',
      bio: 'One\r\nTwo',
      defaultCurrency: 'EUR',
      defaultLanguage: 'de',
    });
    expect(saved.headers.get('location')).toBe('/account');
    const page = await follow(saved);
    expect(page.body).toContain('Profile saved.');
    expect(page.body).toContain('value="Alice A."');
    expect(page.body).toContain('<option value="EUR" selected>');
    expect(
      ((await database.db.execute(sql`select name, bio, default_language from users where handle = 'alice'`)) as any)
        .rows,
    ).toEqual([{ name: 'Alice A.', bio: 'One\nTwo', default_language: 'de' }]);
    expect((await show('/account')).body).not.toContain('Profile saved.');
    const before = await everything();
    for (const wrong of [{ name: 'turned\u202earound' }, { defaultCurrency: 'XXX' }, { name: 'x'.repeat(101) }]) {
      const again = await submit('/account', {
        name: 'Other',
        bio: 'Kept while it is mended',
        defaultCurrency: 'EUR',
        defaultLanguage: 'de',
        ...wrong,
      });
      expect(
        [
          again.status,
          again.body.includes('Nothing has been saved yet'),
          again.body.includes('Kept while it is mended'),
        ],
        JSON.stringify(wrong),
      ).toEqual([400, true, true]);
    }
    expect(await everything()).toBe(before);
  });

  it('make an application, and show its secrets once [R-21]', async () => {
    const made = await submit('/account/applications', {
      name: 'Books',
      url: 'https://books.example',
      description: '',
      redirectUri: 'https://books.example/back',
      webhookUrl: '',
      requireSecret: 'yes',
    });
    const page = await follow(made);
    const [clientSecret, webhookSecret] = [...page.body.matchAll(/class="mono whole secret">([^<]+)</g)].map(
      ([, text]) => text as string,
    );
    const clientIdentifier =
      /data-client-identifier=&quot;([A-Za-z0-9]{24})|data-client-identifier="([A-Za-z0-9]{24})/
        .exec(page.body)
        ?.slice(1)
        .find(Boolean) ?? '';
    const stored = (await findByClientIdentifier(database.db, clientIdentifier))!;
    expect(stored).toMatchObject({
      name: 'Books',
      redirectUri: 'https://books.example/back',
      webhookUrl: null,
      requirePkce: false,
      requireSecret: true,
    });
    expect([hasSecret(stored, clientSecret!), webhookSecret]).toEqual([true, stored.webhookSecret]);
    // The cookie was deleted when the secrets were shown.
    expect(page.headers.getSetCookie().join()).toMatch(/flash=;.*Expires=Thu, 01 Jan 1970/);
    const cookie = made.headers.getSetCookie()[0] ?? '';
    expect(cookie).toMatch(/HttpOnly.*SameSite=Strict/);
    const again = await show(`/account/applications/${stored.id}`);
    for (const secret of [clientSecret!, webhookSecret!])
      expect(again.body + app.log() + made.headers.get('location')).not.toContain(secret);
    expect((await show('/account/applications')).body).toContain('Books');
  });

  it('keep the input if an application can’t be created, and show which field is wrong', async () => {
    const before = await everything();
    const again = await submit('/account/applications', {
      name: 'Books',
      url: 'javascript:alert(1)',
      redirectUri: 'http://books.example/',
      webhookUrl: 'ftp://x',
      description: 'typed',
    });
    expect(again.status).toBe(400);
    for (const name of ['url', 'redirectUri', 'webhookUrl']) {
      expect(again.body).toMatch(
        new RegExp(`id="${name}"[^>]*aria-describedby="${name}-hint ${name}-problem" aria-invalid="true"`),
      );
      expect(again.body).toContain(`id="${name}-problem"`);
      expect(again.body).toContain(`href="#${name}"`);
    }
    expect(again.body).toContain('typed</textarea>');
    expect(again.body).not.toContain('id="name-problem"');
    expect(again.body).not.toMatch(/href="(?:javascript|ftp)/i);
    expect(await everything()).toBe(before);
  });

  it('change an application', async () => {
    const { application } = await applicationOf(alice.user.id, {
      requirePkce: true,
      webhookUrl: 'https://shop.example/hook',
    });
    const path = `/account/applications/${application.id}`;
    const form = await show(`${path}/edit`);
    expect(form.body).toMatch(/name="requirePkce" value="yes" checked/);
    expect(form.body).not.toMatch(/name="requireSecret" value="yes" checked/);
    expect(form.body).toContain('Turn this on if your application runs on a server');
    expect((await show(path)).body).toContain('A code can be redeemed without the client secret.');
    const page = await follow(
      await submit(`${path}/edit`, {
        name: 'New Name',
        url: 'https://new.example',
        description: 'd',
        redirectUri: '',
        webhookUrl: '',
        requireSecret: 'yes',
      }),
    );
    expect(page.body).toContain('Changes saved.');
    expect(page.body).not.toContain('A code can be redeemed without the client secret.');
    expect(await findByClientIdentifier(database.db, application.clientIdentifier)).toMatchObject({
      name: 'New Name',
      url: 'https://new.example',
      description: 'd',
      webhookUrl: null,
      requirePkce: false,
      requireSecret: true,
    });
    expect((await submit(`${path}/edit`, { name: '', url: 'https://new.example' })).status).toBe(400);
  });

  it('can set a separate secret in the body of an application’s webhooks, hide it, and remove it', async () => {
    const { application } = await applicationOf(alice.user.id, { webhookUrl: 'https://shop.example/hook' });
    const path = `/account/applications/${application.id}`;
    const fields = { name: 'A Shop', url: 'https://shop.example', webhookUrl: 'https://shop.example/hook' };
    const secretNow = async () =>
      (await findByClientIdentifier(database.db, application.clientIdentifier))?.webhookBodySecret;
    const without = await submit(`${path}/edit`, { ...fields, webhookWithSecret: 'yes', webhookBodySecret: '' });
    expect([without.status, without.body.includes('id="webhookBodySecret-problem"'), await secretNow()]).toEqual([
      400,
      true,
      null,
    ]);
    const saved = await follow(
      await submit(`${path}/edit`, { ...fields, webhookWithSecret: 'yes', webhookBodySecret: 'my own secret' }),
    );
    expect([saved.body.includes('{secret, payment}'), await secretNow()]).toEqual([true, 'my own secret']);
    const form = await show(`${path}/edit`);
    expect(form.body).toMatch(/name="webhookWithSecret" value="yes" checked/);
    expect(form.body + saved.body).not.toContain('my own secret');
    await submit(`${path}/edit`, { ...fields, name: 'Renamed', webhookWithSecret: 'yes', webhookBodySecret: '' });
    expect(await secretNow()).toBe('my own secret');
    await submit(`${path}/edit`, { ...fields, webhookBodySecret: '' });
    expect(await secretNow()).toBeNull();
  });

  it('confirm new secrets and deletions first', async () => {
    const { application } = await applicationOf(alice.user.id, { webhookUrl: 'https://shop.example/hook' });
    const path = `/account/applications/${application.id}`;
    const now = () => findByClientIdentifier(database.db, application.clientIdentifier);
    for (const [what, words] of [
      ['secret', 'Create a new client secret?'],
      ['webhook-secret', 'Rotate the webhook secret?'],
      ['delete', 'Delete this application?'],
    ] as const) {
      expect((await show(`${path}/${what}`)).body).toContain(words);
    }
    expect(await now()).toEqual(application);
    const shownSecret = (body: string) => /class="mono whole secret">([^<]+)</.exec(body)?.[1] ?? '';
    const client = await follow(await submit(`${path}/secret`));
    expect(hasSecret((await now())!, shownSecret(client.body))).toBe(true);
    expect(hasSecret(application, shownSecret(client.body))).toBe(false);
    const webhook = await follow(await submit(`${path}/webhook-secret`));
    expect(shownSecret(webhook.body)).toBe((await now())!.webhookSecret);
    expect((await now())!.webhookSecret).not.toBe(application.webhookSecret);
    // The previous secret also signs for a day, unless the owner ends the overlap early.
    expect(await now()).toMatchObject({
      previousWebhookSecret: application.webhookSecret,
      previousWebhookSecretUntil: new Date(app.clock.ms + 24 * 3600_000),
    });
    expect((await show(path)).body).toContain('webhook-secret-previous');
    await follow(await submit(`${path}/webhook-secret-previous`));
    expect((await now())!.previousWebhookSecret).toBeNull();
    expect((await show(path)).body).not.toContain('webhook-secret-previous');
    await submit(`${path}/webhook-secret`, { keepOld: '0' });
    expect((await now())!.previousWebhookSecret).toBeNull();
    const gone = await follow(await submit(`${path}/delete`));
    expect(gone.body).toContain('Application deleted.');
    expect([await now(), (await show(path)).status]).toEqual([null, 404]);
  });

  it('show only the application’s own secrets, regardless of cookies', async () => {
    const { application } = await applicationOf(alice.user.id);
    for (const value of [
      { notice: 'client-secret-changed', clientSecret: 'forged', webhookSecret: EVIL },
      { notice: EVIL },
      'x',
      null,
      5,
    ]) {
      const cookie = `${alicePages.Cookie}; flash=${Buffer.from(JSON.stringify(value)).toString('base64url')}`;
      const { status, body } = await app.send('GET', `/account/applications/${application.id}`, undefined, {
        Cookie: cookie,
      });
      expect([status, body.includes('forged'), body.includes('<script>alert')]).toEqual([200, false, false]);
    }
    expect((await app.send('GET', '/account', undefined, { Cookie: `${alicePages.Cookie}; flash=%%%` })).status).toBe(
      200,
    );
  });

  it('respond 404 for another user’s application', async () => {
    const { application } = await applicationOf(alice.user.id);
    const before = await everything();
    for (const id of [application.id, 'no-uuid', '00000000-0000-4000-8000-000000000000']) {
      const path = `/account/applications/${id}`;
      for (const part of [
        '',
        '/edit',
        '/logo',
        '/secret',
        '/webhook-secret',
        '/delete',
        '/payments',
        '/test-payment',
        '/webhooks',
      ]) {
        const { status, body } = await show(path + part, bobPages);
        expect([status, body.includes('Application not found'), body.includes('A Shop')], part).toEqual([
          404,
          true,
          false,
        ]);
      }
      for (const part of ['/edit', '/logo/remove', '/secret', '/webhook-secret', '/delete', '/webhooks/msg_x/resend']) {
        expect((await submit(path + part, { name: 'Mine', url: 'https://mine.example' }, bobPages)).status, part).toBe(
          404,
        );
      }
    }
    expect(await everything()).toBe(before);
  });

  it('reject forms from another site or session, or without a token', async () => {
    const { application } = await applicationOf(alice.user.id);
    const applicationId = application.id;
    await database.db.insert(consents).values({
      userId: Number(alice.user.id),
      applicationId,
      scope: 'payments:read',
      grantedAt: new Date(app.clock.ms),
    });
    const good = await formToken();
    const bobs = await formToken(bobPages);
    expect(good).toMatch(/^[0-9a-f]{64}$/);
    expect(bobs).not.toBe(good);
    const details = {
      name: 'Forged',
      url: 'https://evil.example',
      bio: '',
      defaultCurrency: 'USD',
      defaultLanguage: 'en',
    };
    const before = await everything();
    const { Cookie } = alicePages;
    const forgeries: [string, Record<string, string>, Record<string, string>][] = [
      ['no origin', { Cookie }, { 'form-token': good }],
      ['another origin', { Cookie, Origin: 'https://evil.example' }, { 'form-token': good }],
      ['an origin that begins alike', { Cookie, Origin: `${app.baseUrl}.evil.example` }, { 'form-token': good }],
      ['no origin that is named', { Cookie, Origin: 'null' }, { 'form-token': good }],
      [
        'another site, by the browser’s word',
        { Cookie, Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
        { 'form-token': good },
      ],
      ['no token', alicePages, {}],
      ['a wrong token', alicePages, { 'form-token': good.replace(/^./, (letter) => (letter === '0' ? '1' : '0')) }],
      ['another session’s token', alicePages, { 'form-token': bobs }],
    ];
    for (const path of [
      '/account',
      '/account/picture/remove',
      '/account/applications',
      ...['edit', 'logo/remove', 'secret', 'webhook-secret', 'delete', 'webhooks/msg_x/resend'].map(
        (part) => `/account/applications/${applicationId}/${part}`,
      ),
      `/account/connected/${applicationId}/revoke`,
    ]) {
      for (const [how, headers, token] of forgeries) {
        expect(
          (await app.send('POST', path, new URLSearchParams({ ...details, ...token }), headers)).status,
          `${path} with ${how}`,
        ).toBe(403);
      }
      const twice = new URLSearchParams({ ...details, 'form-token': good });
      twice.append('form-token', good);
      expect((await app.send('POST', path, twice, alicePages)).status, `${path} with two tokens`).toBe(403);
      const json = await app.send('POST', path, { ...details, 'form-token': good }, alicePages);
      expect(json.status, `${path} as JSON`).toBe(403);
    }
    expect(await everything()).toBe(before);
  });

  it('show third parties’ texts as text, and link only to the web', async () => {
    const { application } = await applicationOf(alice.user.id, {
      name: EVIL.slice(0, 60),
      url: 'https://shop.example/?"\'>',
      description: EVIL,
    });
    // Invalid values from direct database writes, which validation would reject.
    const { application: old } = await applicationOf(alice.user.id, {
      name: 'Old',
      url: 'javascript:alert(1)',
      redirectUri: 'javascript:alert(2)',
      webhookUrl: 'javascript:alert(3)',
    });
    await database.db.insert(consents).values(
      [application.id, old.id].map((applicationId) => ({
        userId: Number(alice.user.id),
        applicationId,
        scope: 'payments:read',
        grantedAt: new Date(app.clock.ms),
      })),
    );
    const { id } = await pay(alice, aliceWallet, {
      clientIdentifier: application.clientIdentifier,
      buttonId: EVIL,
      buttonData: EVIL,
      origin: 'https://shop.example',
    });
    for (const path of [
      '/account/connected',
      '/account/applications',
      '/account/payments',
      `/account/payments/${id}`,
      ...[application, old].flatMap((one) =>
        ['', '/edit', '/delete', '/payments', '/webhooks'].map((part) => `/account/applications/${one.id}${part}`),
      ),
    ]) {
      const { status, body } = await show(path);
      expect(status, path).toBe(200);
      expect(body, path).not.toMatch(/<script>|<img|(?:href|src|action)="javascript:/i);
      expect(body, path).not.toMatch(/(?:href|src|action)="(?!\/|#|https:\/\/shop\.example)/);
    }
  });

  it('show connected apps and their permissions, and revoke one immediately', async () => {
    const [{ application }, other] = [
      await applicationOf(alice.user.id, { name: 'Reader' }),
      await applicationOf(alice.user.id, { name: 'Other Reader' }),
    ];
    const userId = Number(bob.user.id);
    const grantedAt = new Date(Date.UTC(2025, 5, 7));
    await database.db.insert(consents).values([
      { userId, applicationId: application.id, scope: 'users.balance:read', grantedAt },
      { userId, applicationId: other.application.id, scope: 'payments:read', grantedAt },
    ]);
    expect((await show('/account/connected')).body).not.toContain('Other Reader');
    const before = await show('/account/connected', bobPages);
    for (const words of ['Reader', 'Other Reader', 'See your balance', 'See your payments', '7 Jun 2025'])
      expect(before.body).toContain(words);
    // Another user's revocation doesn't affect Alice's consent.
    expect((await submit(`/account/connected/${application.id}/revoke`)).status).toBe(303);
    expect((await show('/account/connected', bobPages)).body).toBe(before.body);
    expect((await submit(`/account/connected/${application.id}/revoke`, {}, bobPages)).headers.get('location')).toBe(
      '/account/connected',
    );
    const after = (await show('/account/connected', bobPages)).body;
    expect([after.includes('See your balance'), after.includes('See your payments')]).toEqual([false, true]);
    expect((await submit('/account/connected/no-uuid/revoke', {}, bobPages)).status).toBe(404);
    // The application's owner sees the number of users, but not their names.
    const page = (await show(`/account/applications/${other.application.id}`)).body;
    expect(page).toContain('1 person: can see their payments');
    expect(page).not.toContain('bob');
  });

  it('list payments for their sender, with a filter, in pages', async () => {
    const carolWallet = createTestWallet();
    const carol = await register(app, carolWallet, 'carol');
    const pages = await signInOnPages(app, carolWallet);
    for (let i = 0; i < 23; i += 1) {
      app.clock.ms += 1000;
      await pay(carol, carolWallet, { buttonId: `invoice-${i}.` });
    }
    const { id, txid } = await pay(carol, carolWallet, { buttonId: 'the-failed-one' });
    await database.db.execute(
      sql`update payments set status = 'FAILED', status_description = 'Spent twice.' where id = ${id}`,
    );
    const first = (await show('/account/payments', pages)).body;
    expect(first.match(/payment-row/g)).toHaveLength(20);
    const older = /href="(\/account\/payments\?cursor=[^"]+)"/.exec(first)?.[1] ?? '';
    const second = (await show(older, pages)).body;
    const numbers = [...(first + second).matchAll(/invoice-(\d+)\./g)].map(([, n]) => Number(n));
    expect(numbers).toEqual(Array.from({ length: 23 }, (_, i) => 22 - i));
    expect(second).not.toContain('rel="next"');
    const failed = (await show('/account/payments?status=FAILED', pages)).body;
    expect(failed.match(/payment-row/g)).toHaveLength(1);
    const confirmed = (await show('/account/payments?status=COMPLETED', pages)).body;
    expect(confirmed).toContain('No payment of yours is “Confirmed”');
    const one = await show(`/account/payments/${id}`, pages);
    for (const words of [
      '0.10 USD',
      '200,000 satoshis',
      'Failed',
      'Spent twice.',
      txid,
      'https://shop.example',
      'the-failed-one',
    ])
      expect(one.body).toContain(words);
    app.clock.ms += 1000;
    const { id: lied } = await pay(carol, carolWallet, {}, { satoshis: 1n, amount: '1000000.00' });
    const [row] =
      /<li><a class="list-row payment-row"[^]*?<\/li>/.exec((await show('/account/payments', pages)).body) ?? [];
    expect(row).toMatch(/class="list-aside"><span class="amount">0\.0000005 USD<\/span>.*1 satoshi</);
    expect(row).toContain('The sender claims 1000000.00 USD');
    const { body: detail } = await show(`/account/payments/${lied}`, pages);
    expect(detail).toMatch(/<h1[^>]*>.*0\.0000005 USD<\/span><\/h1>/);
    expect(detail).toMatch(/The sender claims 1000000\.00 USD, which isn’t what was paid/);
    for (const path of [`/account/payments/${id}`, '/account/payments/no-uuid'])
      expect((await show(path, bobPages)).status).toBe(404);
    expect((await show('/account/payments?cursor=nonsense', pages)).status).toBe(400);
  });

  it('[S-08] show paymail payments with their sender, and whether the sender’s host confirms it', async () => {
    const deliver = async (said: Parameters<Awaited<ReturnType<typeof createTestDelivery>>['deliver']>[0]) => {
      const made = await createTestDelivery(database.db, Number(bob.user.id), bob.user.paymail, new Date(app.clock.ms));
      await made.deliver(said);
      return made.received.txid;
    };
    const [txid] = [await deliver({}), await deliver({ sender: EVIL, senderVerified: false, note: EVIL })];
    const list = await show('/account/payments', bobPages);
    expect(list.body).toContain('From <bdi>payer@two.example</bdi></span>');
    expect(list.body).toMatch(
      /From <bdi>&quot;&gt;&lt;script&gt;[^<]*<\/bdi><\/span>\s*<span class="list-note">[^]*? · sender not verified/,
    );
    expect(list.body.split('sender not verified')).toHaveLength(2);
    expect(list.body).not.toContain(EVIL);
    const [payment] = (await app.get(`/api/v2/me/payments?txid=${txid}`, bearer(bob))).body.payments;
    const { status, body } = await show(`/account/payments/${payment.id}`, bobPages);
    expect([
      status,
      body.includes('<dt>From</dt><dd><bdi>payer@two.example</bdi></dd>'),
      body.includes('<dt>Note</dt><dd><bdi>for lunch</bdi></dd>'),
    ]).toEqual([200, true, true]);
    expect((await show(`/account/payments/${payment.id}`)).status).toBe(404);
  });

  it('show a reported payment with its sender to the payee, even if it is never delivered', async () => {
    const { report, received } = await createTestDelivery(
      database.db,
      Number(bob.user.id),
      bob.user.paymail,
      new Date(app.clock.ms),
      { senderKey: aliceWallet.publicKey },
    );
    arc.statuses.set(received.txid, 'SEEN_ON_NETWORK');
    expect((await app.post('/api/v2/payments', report, bearer(alice))).status).toBe(201);
    const titleOf = (body: string) =>
      new RegExp(
        `/account/payments/${report.id}">\\s*<span class="list-main">\\s*<span class="list-title">(.*)</span>`,
      ).exec(body)?.[1];
    expect(titleOf((await show('/account/payments', bobPages)).body)).toBe(`From <bdi>${alice.user.paymail}</bdi>`);
    expect(titleOf((await show('/account/payments')).body)).toContain(`<bdi>${bob.user.paymail}</bdi>`);
    expect((await show(`/account/payments/${report.id}`, bobPages)).body).toContain(
      `<dt>From</dt><dd><bdi>${alice.user.paymail}</bdi></dd>`,
    );
  });

  it('show the payments made through an application to its owner, who is neither sender nor recipient [R-20]', async () => {
    const { clientIdentifier, id } = await registerApplication(app, alice, { name: 'Alice’s shop' });
    const payment = await pay(bob, bobWallet, { clientIdentifier, buttonId: 'order-7' });
    expect((await show(`/account/applications/${id}`)).body).toContain(payment.id);
    expect((await show(`/account/applications/${id}/payments`)).body).toContain('order-7');
    expect((await show('/account/payments')).body).not.toContain(payment.id);
    const page = await show(`/account/payments/${payment.id}`);
    expect([page.status, page.body.includes(`User ${bob.user.id}`), page.body.includes('Network fee')]).toEqual([
      200,
      true,
      false,
    ]);
    await submit(`/account/applications/${id}/delete`);
    expect((await show(`/account/payments/${payment.id}`)).status).toBe(404);
    expect((await show(`/account/payments/${payment.id}`, bobPages)).status).toBe(200);
  });

  it('show every webhook with its attempts, and send one again', async () => {
    const { clientIdentifier, id } = await registerApplication(app, alice, { webhookUrl: 'https://shop.example/hook' });
    const payment = await pay(bob, bobWallet, { clientIdentifier });
    const [event] = await database.db
      .select()
      .from(webhookEvents)
      .where(sql`${webhookEvents.applicationId} = ${id}`);
    expect(event).toMatchObject({ paymentId: payment.id, type: 'payment.received', state: 'pending' });
    await database.db.insert(webhookDeliveries).values({
      id: '00000000-0000-4000-8000-000000000001',
      eventId: event!.id,
      attemptedAt: new Date(app.clock.ms),
      durationMs: 123,
      status: 500,
      error: `no success ${EVIL}`,
      response: `said ${EVIL}`,
    });
    await database.db
      .update(webhookEvents)
      .set({ state: 'given-up', nextAttemptAt: null, attempts: 9 })
      .where(sql`${webhookEvents.id} = ${event!.id}`);
    for (const path of [`/account/applications/${id}`, `/account/applications/${id}/webhooks`]) {
      const { body } = await show(path);
      for (const words of ['Payment received', 'Failed', '1 attempt', '123 ms', '500'])
        expect(body, path).toContain(words);
      expect(body).not.toContain('<script>alert');
    }
    const log = (await show(`/account/applications/${id}/webhooks`)).body;
    // The log shows the request and response, without the signature or secret.
    for (const words of [
      'said &quot;&gt;&lt;script&gt;',
      `webhook-id: ${event!.id}`,
      '&quot;type&quot;:&quot;payment.received&quot;',
    ])
      expect(log).toContain(words);
    expect(log).not.toMatch(/v1,|whsec_|http-equiv="refresh"/);
    const again = await follow(await submit(`/account/applications/${id}/webhooks/${event!.id}/resend`));
    expect(again.body).toContain('Resending the event.');
    const [after] = await database.db
      .select()
      .from(webhookEvents)
      .where(sql`${webhookEvents.id} = ${event!.id}`);
    expect([after!.state, after!.nextAttemptAt?.getTime()]).toEqual(['pending', app.clock.ms]);
    expect((await submit(`/account/applications/${id}/webhooks/msg_unknown/resend`)).status).toBe(404);
    const other = await registerApplication(app, alice);
    expect((await submit(`/account/applications/${other.id}/webhooks/${event!.id}/resend`)).status).toBe(404);
  });

  it('offer a test payment on devnet only', async () => {
    const { id, clientIdentifier } = await registerApplication(app, alice);
    const path = `/account/applications/${id}`;
    expect((await show(path)).body).toContain(`href="${path}/test-payment"`);
    const { body } = await show(`${path}/test-payment`);
    expect(body).toMatch(
      new RegExp(`data-to="alice@localhost" data-amount="0.05"[^>]* data-client-identifier="${clientIdentifier}"`),
    );
    expect(body).toContain('src="/button.js"');
    const elsewhere = await startTestApp(database, { network: 'testnet' });
    try {
      const headers = { Cookie: (await signInOnPages(elsewhere, aliceWallet)).Cookie };
      expect((await elsewhere.get(path, headers)).body).not.toContain('test-payment');
      expect((await elsewhere.get(`${path}/test-payment`, headers)).status).toBe(404);
    } finally {
      await elsewhere.close();
    }
  });

  it('send a test event, and reload automatically until its result is available', async () => {
    const { id } = await registerApplication(app, alice, { webhookUrl: 'https://shop.example/hook' });
    const path = `/account/applications/${id}/webhooks`;
    expect((await show(`/account/applications/${id}`)).body).toContain(`action="${path}/test"`);
    expect((await submit(`${path}/test`, {}, bobPages)).status).toBe(404);
    const sent = await follow(await submit(`${path}/test`));
    expect(sent.body).toContain('Test event sent.');
    expect(sent.body).toContain('http-equiv="refresh" content="2"');
    const [event] = await database.db
      .select()
      .from(webhookEvents)
      .where(sql`${webhookEvents.applicationId} = ${id}`);
    await database.db.insert(webhookDeliveries).values({
      id: '00000000-0000-4000-8000-000000000002',
      eventId: event!.id,
      attemptedAt: new Date(app.clock.ms),
      durationMs: 45,
      status: 204,
    });
    const { body } = await show(path);
    expect(body).toContain('Response 204');
    expect(body).not.toContain('http-equiv');
    const { id: silent } = await registerApplication(app, alice);
    expect((await show(`/account/applications/${silent}`)).body).not.toContain('webhooks/test"');
    expect((await submit(`/account/applications/${silent}/webhooks/test`)).status).toBe(400);
  });

  it('require a session, which neither a token nor an ended session replaces', async () => {
    const granted = await issueToken(
      database.db,
      'user',
      {
        userId: Number(alice.user.id),
        applicationId: (await applicationOf(alice.user.id)).application.id,
        scopes: ['payments:read'],
      },
      new Date(app.clock.ms),
    );
    for (const token of [granted, alice.accessToken]) {
      expect((await app.send('GET', '/account', undefined, { Authorization: `Bearer ${token}` })).status).toBe(303);
      expect((await app.send('GET', '/account', undefined, { Cookie: `session=${token}` })).status).toBe(303);
    }
    const pages = await signInOnPages(app, aliceWallet);
    const out = await submit('/sign-out', {}, pages);
    expect(out.status).toBe(303);
    expect((await show('/account', pages)).status).toBe(303);
    expect((await show('/account')).status).toBe(200);
  });
});
