import { describe, expect, it } from 'vitest';
import { and, eq } from 'drizzle-orm';
import { accessTokens, applications, authorizations, users as usersTable } from '../database/schema.ts';
import { listConsents, revokeConsent } from '../identity/consents.ts';
import { USER_SCOPES } from '../identity/scopes.ts';
import { SITE_TEXTS } from '../page/texts.ts';
import { decide, hiddenFields, newCode, newTokens, postForm, redemption, token } from './testing.ts';
import { useConsent } from './testing-consent.ts';

describe('consent', () => {
  const { app, database, fresh, ask, identityStatus } = useConsent();

  it('[O-07] names the application, its site, the account and each scope in plain words, in one form', async () => {
    const [application, user] = await fresh({ name: 'Tom & <b>Jerry</b>', url: 'https://shop.example/about' });
    const { text, headers } = await ask(application, user, Object.keys(USER_SCOPES).join(' '));
    expect(text).toContain('Tom &amp; &lt;b&gt;Jerry&lt;/b&gt;');
    expect(text).not.toContain('<b>Jerry');
    expect(text).toContain('<dt>Site (named by the application)</dt><dd class="mono">shop.example</dd>');
    expect(text).toContain('<dt>Sends you to</dt><dd class="mono">app.example</dd>');
    expect(text).toContain(`<dt>Your account</dt><dd><bdi>A Name</bdi> (${user.handle})<br>`);
    expect(text).toContain('<title>Allow access? ');
    expect(text).toMatch(/<h1 class="title anywhere">Allow <bdi>Tom .*<\/bdi>\?<\/h1>/);
    expect(text).toContain('It will be able to');
    expect(text).not.toContain('You’ve already allowed it to');
    for (const words of Object.values(USER_SCOPES)) expect(text).toContain(words.slice(1));
    for (const { not } of Object.values(SITE_TEXTS.en.consent.scopes)) expect(text).toContain(not);
    expect(text.match(/<form/g)).toHaveLength(1);
    expect(text.match(/name="decision"/g)).toHaveLength(2);
    // The page has no scripts except the theme script, which every page has.
    expect(text.replace('<script src="/assets/theme.js"></script>', '')).not.toMatch(/<script|<style|\sstyle=/);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-security-policy')).toContain("form-action 'self' https:");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('omits the redirect host if it is the application’s site, and the name of an account without one', async () => {
    const [application, user] = await fresh({ url: 'https://app.example/about' });
    await database.db
      .update(usersTable)
      .set({ name: '' })
      .where(eq(usersTable.id, Number(user.id)));
    const { text } = await ask(application, user, 'payments:read');
    expect(text).toContain('<div class="with-logo"><h1');
    expect(text.replaceAll('\n', '')).toContain(
      `<dt>Site</dt><dd class="mono">app.example</dd><dt>Your account</dt><dd>${user.handle}<br>`,
    );
  });

  it('shows the application’s logo', async () => {
    const [application, user] = await fresh();
    const logo = 'a'.repeat(64);
    await database.db.update(applications).set({ logo }).where(eq(applications.id, application.id));
    expect((await ask(application, user, 'payments:read')).text).toContain(
      `<img class="app-logo" src="/application-logos/${application.id}/${logo}" alt="" width="48" height="48">`,
    );
  });

  it('names the account, and lets another user sign in and get the same prompt', async () => {
    const [application, user] = await fresh();
    const page = await ask(application, user, 'payments:read');
    expect(page.text).toMatch(
      /<button class="link" form="consent" formaction="\/sign-out" name="return"[^>]*>Not you\?/,
    );
    const [, there = ''] = /name="return" value="([^"]+)"/.exec(page.text) ?? [];
    const leave = (fields: Record<string, string>) =>
      postForm(
        `${app.url}/sign-out`,
        { ...hiddenFields(page.text), return: there.replaceAll('&amp;', '&'), ...fields },
        { Cookie: user.cookie, Origin: 'https://pay.example.com' },
      );
    expect((await leave({ 'form-token': 'f'.repeat(64) })).status).toBe(403);
    const left = await leave({});
    expect([left.status, left.location?.pathname]).toEqual([303, '/sign-in']);
    const [asked, again] = [
      new URL(left.location?.searchParams.get('return') ?? '', app.url),
      new URLSearchParams(hiddenFields(page.text)),
    ];
    again.delete('form-token');
    expect([asked.pathname, Object.fromEntries(asked.searchParams)]).toEqual([
      '/oauth/v1/authorize',
      Object.fromEntries(again),
    ]);
    // The user is signed out, and there is no redirect to another site.
    expect((await ask(application, user, 'payments:read')).location?.pathname).toBe('/sign-in');
    const evil = await leave({ return: 'https://evil.example/' });
    expect(evil.location?.searchParams.get('return')).toBe('/account');
  });

  it('persists, so the same or fewer scopes cause no new prompt', async () => {
    const [application, user] = await fresh();
    await newCode(app, application, user, { scope: 'auth.user_identity:read payments:read' });
    for (const scope of [
      'payments:read auth.user_identity:read',
      'payments:read',
      'auth.user_identity:read auth.user_identity:read',
    ]) {
      expect((await ask(application, user, scope)).location?.searchParams.get('code'), scope).toMatch(/^code_/);
    }
  });

  it('prompts again only for new scopes, and marks them as new', async () => {
    const [application, user] = await fresh();
    await newCode(app, application, user, { scope: 'payments:read' });
    const more = await ask(application, user, 'payments:read users.balance:read');
    expect(more.status).toBe(200);
    expect(more.text).toContain('<title>Allow more? ');
    expect(more.text).toMatch(/<h1 class="title anywhere"><bdi>.*<\/bdi> asks for more<\/h1>/);
    const added = more.text.indexOf('It will also be able to');
    const again = more.text.indexOf('You’ve already allowed it to');
    expect(added).toBeGreaterThan(0);
    expect(more.text.indexOf('ee your balance')).toBeGreaterThan(added);
    expect(more.text.indexOf('ee your balance')).toBeLessThan(again);
    expect(more.text.indexOf('ee your payments')).toBeGreaterThan(again);
    expect((await decide(app, more, user, 'deny')).location?.searchParams.get('error')).toBe('access_denied');
    expect((await ask(application, user, 'payments:read')).status).toBe(303);
    const alone = await ask(application, user, 'users.balance:read');
    expect(alone.status).toBe(200);
    expect(alone.text).toContain('It will also be able to');
    expect(alone.text).not.toContain('You’ve already allowed it to');
  });

  it('applies only to one user and one application', async () => {
    const [application, user] = await fresh();
    const [otherApplication, otherUser] = await fresh();
    await newCode(app, application, user);
    expect((await ask(application, otherUser, 'auth.user_identity:read')).status).toBe(200);
    expect((await ask(otherApplication, user, 'auth.user_identity:read')).status).toBe(200);
  });

  it('accepts the form only from the session in which it was shown', async () => {
    const [application, user] = await fresh();
    const [, other] = await fresh();
    const page = await ask(application, user, 'payments:read');
    const fields = hiddenFields(page.text);
    const post = (changes: Record<string, string>, headers: Record<string, string>) =>
      postForm(`${app.url}/oauth/v1/authorize`, { ...fields, decision: 'allow', ...changes }, headers);
    const forgeries: [Record<string, string>, Record<string, string>][] = [
      [{}, { Cookie: other.cookie }],
      [{ 'form-token': '' }, { Cookie: user.cookie }],
      [{ 'form-token': 'f'.repeat(64) }, { Cookie: user.cookie }],
      [{}, { Cookie: user.cookie, Origin: 'https://evil.example' }],
      [{}, { Cookie: user.cookie, Origin: 'https://pay.example.com.evil.example' }],
      [{}, { Cookie: user.cookie, 'Sec-Fetch-Site': 'cross-site' }],
      [{}, { Cookie: user.cookie, 'Sec-Fetch-Site': 'same-site', Origin: 'null' }],
    ];
    for (const [changes, headers] of forgeries) {
      const answer = await post(changes, headers);
      expect([answer.status, answer.location], JSON.stringify([changes, headers])).toEqual([403, null]);
      expect(answer.text).toContain('<title>Please start again ');
      expect(answer.text).toContain('<p>Nothing was shared. Go back to the application and start again.</p>');
    }
    const deny = await post({ 'form-token': '', decision: 'deny' }, { Cookie: user.cookie });
    expect([deny.status, deny.location]).toEqual([403, null]);
    expect((await ask(application, user, 'payments:read')).status).toBe(200);
    expect((await ask(application, other, 'payments:read')).status).toBe(200);
    expect((await post({}, {})).location?.pathname).toBe('/sign-in');
    for (const headers of [
      { Origin: 'https://pay.example.com', 'Sec-Fetch-Site': 'same-origin' },
      { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' },
    ]) {
      expect((await post({}, { Cookie: user.cookie, ...headers })).location?.searchParams.get('code')).toMatch(
        /^code_/,
      );
    }
  });

  it('prompts again if the decision is neither to allow nor to refuse', async () => {
    const [application, user] = await fresh();
    const page = await ask(application, user, 'payments:read');
    for (const decision of ['', 'ALLOW', 'yes']) expect((await decide(app, page, user, decision)).status).toBe(200);
    const both = await postForm(
      `${app.url}/oauth/v1/authorize`,
      [...Object.entries(hiddenFields(page.text)), ['decision', 'allow'], ['decision', 'deny']],
      { Cookie: user.cookie },
    );
    expect([both.status, both.location?.searchParams.get('code') ?? null]).toEqual([400, null]);
  });

  it('appears in the list with its scopes and its date', async () => {
    const [application, user] = await fresh({ name: 'First' });
    const [later] = await fresh({ name: 'Second' });
    const begin = app.clock.ms;
    await newCode(app, application, user, { scope: 'payments:read' });
    app.clock.ms += 1000;
    await newCode(app, later, user, { scope: 'users.balance:read' });
    app.clock.ms += 1000;
    await newCode(app, application, user, { scope: 'payments:read users.asset:read' });
    const listed = await listConsents(database.db, Number(user.id));
    expect(
      listed.map(({ application: { name }, since, scopes }) => [
        name,
        since.getTime() - begin,
        scopes.map(({ scope, grantedAt }) => [scope, grantedAt.getTime() - begin]),
      ]),
    ).toEqual([
      ['Second', 1000, [['users.balance:read', 1000]]],
      [
        'First',
        0,
        [
          ['payments:read', 0],
          ['users.asset:read', 2000],
        ],
      ],
    ]);
  });

  it('a revocation immediately ends tokens, codes and the stored consent', async () => {
    const [application, user] = await fresh();
    const [kept] = await fresh();
    const [, other] = await fresh();
    const tokens = await newTokens(app, application, user);
    const code = await newCode(app, application, user);
    const untouched = [
      (await newTokens(app, kept, user)).access_token,
      (await newTokens(app, application, other)).access_token,
    ];
    expect(await identityStatus(tokens.access_token)).toBe(200);

    expect(await revokeConsent(database.db, Number(user.id), application.id)).toBe(true);
    expect(await identityStatus(tokens.access_token)).toBe(401);
    const refreshed = await token(app, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
      client_id: application.oauthIdentifier,
    });
    expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant']);
    expect((await token(app, redemption(application, code))).body.error).toBe('invalid_grant');
    expect((await ask(application, user, 'auth.user_identity:read')).status).toBe(200);
    for (const one of untouched) expect(await identityStatus(one)).toBe(200);
    expect((await listConsents(database.db, Number(user.id))).map((one) => one.application.id)).toEqual([kept.id]);
    expect(await revokeConsent(database.db, Number(user.id), application.id)).toBe(false);
  });

  it('invalidates everything issued during its revocation', async () => {
    const [application, user] = await fresh();
    await newCode(app, application, user);
    const tokens = await newTokens(app, application, user);
    const given = await Promise.all(
      Array.from({ length: 24 }, async (_, i) => {
        if (i === 12) await revokeConsent(database.db, Number(user.id), application.id);
        if (i % 2 === 0)
          return token(app, {
            grant_type: 'refresh_token',
            refresh_token: tokens.refresh_token,
            client_id: application.oauthIdentifier,
          });
        return ask(application, user, 'auth.user_identity:read');
      }),
    );
    for (const answer of given) expect([200, 303, 400]).toContain(answer.status);
    for (const answer of given)
      if (answer.body?.access_token) expect(await identityStatus(answer.body.access_token)).toBe(401);
    const left = await Promise.all([
      database.db.$count(authorizations, eq(authorizations.userId, Number(user.id))),
      database.db.$count(accessTokens, and(eq(accessTokens.userId, Number(user.id)), eq(accessTokens.kind, 'user'))),
    ]);
    expect(left).toEqual([0, 0]);
  });
});
