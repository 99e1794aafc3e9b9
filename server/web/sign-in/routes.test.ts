import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApplication } from '../../applications/store.ts';
import { issueToken } from '../../identity/tokens.ts';
import { createTestWallet, register, startTestApp, type TestApp, type TestWallet } from '../../testing.ts';
import { useTestDatabase } from '../../database/testing.ts';

describe('signing in on the pages', () => {
  const database = useTestDatabase();
  let app: TestApp;

  beforeEach(async () => void (app = await startTestApp(database)));
  afterEach(() => app.close());

  const page = (query: string, headers = {}) => fetch(`${app.url}/sign-in${query}`, { redirect: 'manual', headers });
  const own = () => app.url.replace('127.0.0.1', 'localhost');

  async function signedIn(handle: string): Promise<{ cookie: string; userId: number; accessToken: string }> {
    const wallet = createTestWallet();
    const challenge = await app.post('/api/v2/sign-in/challenges', {
      publicKey: wallet.publicKey,
      register: wallet.registration(handle),
    });
    const created = await app.post(
      '/api/v2/users',
      { publicKey: wallet.publicKey, nonce: challenge.body.nonce, signature: wallet.sign(challenge.body.message) },
      { Origin: own() },
    );
    expect(created.status).toBe(201);
    return {
      accessToken: created.body.accessToken,
      cookie: (created.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
      userId: Number(created.body.user.id),
    };
  }

  it('[V-05] the page contains only a path of this server to return to, and no inline script', async () => {
    const response = await page('?return=/account/payments');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const text = await response.text();
    expect(text).toContain('data-return="/account/payments"');
    expect(text).toContain('data-landing="login"');
    expect(text).toContain('href="/sign-in?landing=register&amp;return=%2Faccount%2Fpayments"');
    expect(text).not.toMatch(/<script(?! src="\/)/);
    for (const foreign of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '"><script>alert(1)</script>',
    ]) {
      const other = await (await page(`?return=${encodeURIComponent(foreign)}`)).text();
      expect(other).toContain('data-return="/account"');
      expect(other).not.toContain('evil.example');
      expect(other).not.toContain('<script>');
    }
  });

  it('offers registration if the application requests it, and escapes the application’s name', async () => {
    const { userId } = await signedIn('owner-of-app');
    const { application } = await createApplication(
      database.db,
      userId,
      {
        name: '<b>Notes</b>',
        url: 'https://notes.example',
        description: '',
        redirectUri: 'https://notes.example/cb',
        webhookUrl: null,
        requirePkce: false,
        requireSecret: false,
      },
      new Date(app.clock.ms),
    );
    const back = `/oauth/v1/authorize?client_id=${application.oauthIdentifier}&state=s`;
    const text = await (await page(`?landing=register&return=${encodeURIComponent(back)}`)).text();
    expect(text).toContain('data-landing="register"');
    expect(text).toContain('&lt;b&gt;Notes&lt;/b&gt;');
    expect(text).not.toContain('<b>Notes');
    const elsewhere = await (
      await page(`?return=${encodeURIComponent(`/account?client_id=${application.oauthIdentifier}`)}`)
    ).text();
    expect(elsewhere).not.toContain('Notes');
  });

  it('a signed-in visitor continues immediately, and never to another server', async () => {
    const { cookie } = await signedIn('ada');
    const on = await page('?return=/account/payments?status=FAILED', { cookie });
    expect([on.status, on.headers.get('location')]).toEqual([303, '/account/payments?status=FAILED']);
    const away = await page('?return=//evil.example', { cookie });
    expect([away.status, away.headers.get('location')]).toEqual([303, '/account']);
  });

  it('signing out ends the session and its bearer token, and needs the session’s form token', async () => {
    const { cookie, accessToken, userId } = await signedIn('bea');
    const others = await issueToken(database.db, 'wallet', userId, new Date(app.clock.ms));
    const reads = async (bearer: string) =>
      (await app.get('/api/v2/me', { Authorization: `Bearer ${bearer}` })).status === 200;
    const out = (headers: Record<string, string>, body = '') =>
      fetch(`${app.url}/sign-out`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', cookie, ...headers },
        body,
      });
    const isIn = async () => (await page('', { cookie })).status === 303;
    for (const headers of [{ Origin: 'https://evil.example' }, { Origin: 'null' }, { Origin: own() }] as Record<
      string,
      string
    >[]) {
      expect((await out(headers, 'form-token=guess')).status).toBe(403);
      expect([await isIn(), await reads(accessToken)]).toEqual([true, true]);
    }
    const { hashSecret } = await import('../../secrets.ts');
    const token = cookie.split('=')[1] ?? '';
    const done = await out({ Origin: own() }, `form-token=${encodeURIComponent(hashSecret(`form ${token}`))}`);
    expect([done.status, done.headers.get('location')]).toEqual([303, '/']);
    expect([await isIn(), await reads(accessToken)]).toEqual([false, false]);
    // Wallet tokens from other sign-ins remain valid.
    expect(await reads(others)).toBe(true);
  });

  const signIn = async (wallet: TestWallet, cookie?: string) => {
    const { nonce, message } = (await app.post('/api/v2/sign-in/challenges', { publicKey: wallet.publicKey })).body;
    const { body, headers } = await app.post(
      '/api/v2/sign-in',
      { publicKey: wallet.publicKey, nonce, signature: wallet.sign(message) },
      { Origin: own(), ...(cookie && { Cookie: cookie }) },
    );
    return { bearer: `Bearer ${body.accessToken}`, cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
  };
  const isIn = async ({ bearer, cookie }: Awaited<ReturnType<typeof signIn>>) => [
    (await page('', { cookie })).status === 303,
    (await app.get('/api/v2/me', { Authorization: bearer })).status === 200,
  ];

  it('signing in again ends the session that it replaces, and its bearer token', async () => {
    const wallet = createTestWallet();
    await register(app, wallet, 'cleo');
    const first = await signIn(wallet);
    expect(await isIn(first)).toEqual([true, true]);
    const elsewhere = await signIn(wallet);
    const second = await signIn(wallet, first.cookie);
    expect([await isIn(first), await isIn(second)]).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(await isIn(elsewhere)).toEqual([true, true]);
  });

  it.each(['session', 'wallet'])(
    'a visitor stays signed in if the database fails while they sign in again (%s)',
    async (kind) => {
      const wallet = createTestWallet();
      await register(app, wallet, `dora-${kind}`);
      const first = await signIn(wallet);
      await database.db.execute(
        sql.raw(`alter table access_tokens add constraint none_new check (kind <> '${kind}') not valid`),
      );
      const failed = await signIn(wallet, first.cookie).finally(() =>
        database.db.execute(sql`alter table access_tokens drop constraint none_new`),
      );
      expect(failed).toEqual({ bearer: 'Bearer undefined', cookie: '' });
      expect(await isIn(first)).toEqual([true, true]);
    },
  );
});
