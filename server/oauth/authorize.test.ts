import { beforeAll, describe, expect, it } from 'vitest';
import { eq, sql } from 'drizzle-orm';
import { applications } from '../database/schema.ts';
import { SITE_TEXTS } from '../page/texts.ts';
import type { TestApplication } from '../testing.ts';
import {
  REDIRECT_URI,
  authorize,
  authorizeQuery,
  decide,
  hiddenFields,
  newApplication,
  newProof,
  newUser,
  type TestUser,
} from './testing.ts';
import { useService } from '../testing-service.ts';

const ISSUER = 'https://pay.example.com';

describe('the authorize endpoint', () => {
  const { app, database } = useService({ baseUrl: ISSUER });
  let user: TestUser;
  let application: TestApplication;

  beforeAll(async () => {
    user = await newUser(app, 'somebody');
    application = await newApplication(app, user);
  });

  const { challenge } = newProof();

  it.each<[string, Record<string, string | undefined>]>([
    ['client_id unknown', { client_id: 'nobody' }],
    ['client_id missing', { client_id: undefined }],
    ['client_id empty', { client_id: '' }],
    ['redirect_uri missing', { redirect_uri: undefined }],
    ['redirect_uri with another path', { redirect_uri: REDIRECT_URI.replace('/callback', '/Callback') }],
    ['redirect_uri with another port', { redirect_uri: REDIRECT_URI.replace('app.example', 'app.example:8443') }],
    [
      'redirect_uri with the default port spelled out',
      { redirect_uri: REDIRECT_URI.replace('app.example', 'app.example:443') },
    ],
    ['redirect_uri with another query', { redirect_uri: `${REDIRECT_URI}&more=1` }],
    ['redirect_uri without its query', { redirect_uri: REDIRECT_URI.replace(/\?.*/, '') }],
    ['redirect_uri with a fragment', { redirect_uri: `${REDIRECT_URI}#here` }],
    ['redirect_uri with a suffix', { redirect_uri: `${REDIRECT_URI}x` }],
    ['redirect_uri with the registered one as its user', { redirect_uri: `https://app.example@evil.example/callback` }],
    ['redirect_uri with another scheme', { redirect_uri: REDIRECT_URI.replace('https', 'http') }],
  ])('[O-02][O-03] shows a page without a redirect: %s', async (_what, changes) => {
    for (const who of [undefined, user]) {
      const answer = await authorize(app, authorizeQuery(application, changes), who);
      expect([answer.status, answer.location]).toEqual([400, null]);
      expect(answer.headers.get('content-type')).toContain('text/html');
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.text).not.toContain('evil.example');
    }
  });

  it('explains to users why there is no redirect, and to developers how to fix the request', async () => {
    const { refusal } = SITE_TEXTS.en;
    const mute = await newApplication(app, user, { redirectUri: null });
    for (const [reason, query] of [
      ['unknown-application', {}],
      ['unknown-application', authorizeQuery(application, { client_id: 'nobody' })],
      ['no-redirect-uri', authorizeQuery(mute, { redirect_uri: REDIRECT_URI })],
      ['other-redirect-uri', authorizeQuery(application, { redirect_uri: 'https://evil.example/' })],
    ] as const) {
      const { text } = await authorize(app, query, user);
      expect(text).toContain(`<title>${refusal.title} `);
      expect(text).toContain(`<p class="lead">${refusal.reasons[reason]}</p>`);
      expect(text).toContain(refusal.next);
      for (const name of ['client_id', 'redirect_uri'])
        expect(text).toContain(`<span class="mono" dir="ltr">${name}</span>`);
    }
  });

  it('reports no internal failure to the application', async () => {
    const scope = 'users.balance:read';
    const page = await authorize(app, authorizeQuery(application, { scope }), user);
    await database.db.execute(sql`alter table authorization_codes add constraint none_new check (false) not valid`);
    const answer = await decide(app, page, user, 'allow').finally(() =>
      database.db.execute(sql`alter table authorization_codes drop constraint none_new`),
    );
    expect([answer.status, answer.location]).toEqual([500, null]);
    expect(answer.text).not.toContain('authorization_codes');
    // No consent was stored.
    expect((await authorize(app, authorizeQuery(application, { scope }), user)).status).toBe(200);
  });

  it('does not redirect if client_id or redirect_uri was sent twice', async () => {
    for (const name of ['client_id', 'redirect_uri'] as const) {
      const fields = Object.entries(authorizeQuery(application)) as [string, string][];
      const answer = await authorize(
        app,
        [...fields, [name, fields.find(([field]) => field === name)?.[1] ?? '']],
        user,
      );
      expect([answer.status, answer.location]).toEqual([400, null]);
    }
  });

  it('[O-02] accepts only the OAuth identifier, not the one in buttons', async () => {
    expect(
      (await authorize(app, authorizeQuery(application, { client_id: application.clientIdentifier }), user)).status,
    ).toBe(400);
  });

  it.each<[string, string, Record<string, string | undefined>]>([
    ['response_type missing', 'invalid_request', { response_type: undefined }],
    ['response_type empty', 'invalid_request', { response_type: '' }],
    ['response_type token', 'unsupported_response_type', { response_type: 'token' }],
    ['response_type code token', 'unsupported_response_type', { response_type: 'code token' }],
    ['state missing', 'invalid_request', { state: undefined }],
    ['state empty', 'invalid_request', { state: '' }],
    ['landing unknown', 'invalid_request', { landing: 'elsewhere' }],
    ['scope missing', 'invalid_scope', { scope: undefined }],
    ['scope empty', 'invalid_scope', { scope: '' }],
    ['scope blank', 'invalid_scope', { scope: ' ' }],
    ['scope unknown', 'invalid_scope', { scope: 'auth.user_identity:read everything' }],
    ['scope of another case', 'invalid_scope', { scope: 'AUTH.user_identity:read' }],
    ['scope of a prototype', 'invalid_scope', { scope: 'constructor' }],
    ['scopes apart by two blanks', 'invalid_scope', { scope: 'auth.user_identity:read  payments:read' }],
    ['scope of an application', 'invalid_scope', { scope: 'application_access:write' }],
    ['PKCE plain', 'invalid_request', { code_challenge: challenge, code_challenge_method: 'plain' }],
    ['PKCE without a method, which means plain', 'invalid_request', { code_challenge: challenge }],
    [
      'PKCE challenge too short',
      'invalid_request',
      { code_challenge: challenge.slice(1), code_challenge_method: 'S256' },
    ],
    [
      'PKCE challenge with an extra character before it',
      'invalid_request',
      { code_challenge: `!${challenge}`, code_challenge_method: 'S256' },
    ],
    [
      'PKCE challenge with padding',
      'invalid_request',
      { code_challenge: `${challenge}=`, code_challenge_method: 'S256' },
    ],
    [
      'PKCE challenge that is no hash',
      'invalid_request',
      { code_challenge: `${challenge.slice(0, 42)}+`, code_challenge_method: 'S256' },
    ],
    ['PKCE method without a challenge', 'invalid_request', { code_challenge_method: 'S256' }],
  ])('[O-01][O-04][O-05] reports the error to the application: %s', async (_what, error, changes) => {
    for (const who of [undefined, user]) {
      const query = authorizeQuery(application, changes);
      const { status, location, headers } = await authorize(app, query, who);
      expect(status).toBe(303);
      expect(location?.href.startsWith(`${REDIRECT_URI}&`)).toBe(true);
      const { error: told, error_description: why, ...rest } = Object.fromEntries(location?.searchParams ?? []);
      expect([told, why]).toEqual([error, expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)]);
      expect(rest).toEqual({ kept: 'yes it is', iss: ISSUER, ...(query.state && { state: query.state }) });
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  it.each(['response_type', 'scope', 'state', 'landing', 'code_challenge', 'something'])(
    'rejects %s sent twice, and returns no state if state was sent twice',
    async (name) => {
      const fields = Object.entries(authorizeQuery(application)) as [string, string][];
      const { status, location } = await authorize(app, [...fields, [name, 'one'], [name, 'two']], user);
      expect(location?.searchParams.get('error_description')).toBe('A parameter was sent more than once.');
      expect([status, location?.searchParams.get('error'), location?.searchParams.get('iss')]).toEqual([
        303,
        'invalid_request',
        ISSUER,
      ]);
      expect(location?.searchParams.getAll('state')).toEqual(name === 'state' ? [] : ['the state & more']);
    },
  );

  it('rejects an application without a redirect URL', async () => {
    const mute = await newApplication(app, user, { redirectUri: null });
    for (const redirect_uri of [REDIRECT_URI, undefined, 'null']) {
      const answer = await authorize(app, authorizeQuery(mute, { redirect_uri }), user);
      expect([answer.status, answer.location]).toEqual([400, null]);
    }
  });

  it('requires PKCE for an application that is set to require it', async () => {
    const strict = await newApplication(app, user, { requirePkce: true });
    const without = await authorize(app, authorizeQuery(strict), user);
    expect(without.location?.searchParams.get('error')).toBe('invalid_request');
    expect(without.location?.searchParams.get('error_description')).toContain('requires PKCE');
    expect(
      (await authorize(app, authorizeQuery(strict, { code_challenge: challenge, code_challenge_method: 'S256' }), user))
        .status,
    ).toBe(200);
  });

  it.each([
    [undefined, null],
    ['login', null],
    ['register', 'register'],
  ])('[O-06] redirects to sign-in first, with landing %s', async (landing, expected) => {
    const query = authorizeQuery(application, { landing, unknown: 'ignored' });
    const { status, location } = await authorize(app, query);
    expect([status, location?.host, location?.pathname]).toEqual([303, 'relative.example', '/sign-in']);
    expect(location?.searchParams.get('landing')).toBe(expected);
    const back = new URL(location?.searchParams.get('return') ?? '', app.url);
    const { unknown, landing: _, ...kept } = query;
    expect([back.pathname, Object.fromEntries(back.searchParams)]).toEqual([
      '/oauth/v1/authorize',
      landing === undefined ? kept : { ...kept, landing },
    ]);
    expect(unknown).toBe('ignored');
  });

  it('doesn’t ask a signed-in user to register', async () => {
    expect((await authorize(app, authorizeQuery(application, { landing: 'register' }), user)).status).toBe(200);
  });

  it('[O-05][O-07][O-08] prompts, and redirects with code, state and issuer, keeping the registered query', async () => {
    const page = await authorize(app, authorizeQuery(application), user);
    expect(page.status).toBe(200);
    const { status, location } = await decide(app, page, user, 'allow');
    expect(status).toBe(303);
    expect(location?.href.startsWith(`${REDIRECT_URI}&code=`)).toBe(true);
    const { code, ...rest } = Object.fromEntries(location?.searchParams ?? []);
    expect(code).toMatch(/^code_[A-Za-z0-9_-]{43}$/);
    expect(rest).toEqual({ kept: 'yes it is', state: 'the state & more', iss: ISSUER });
  });

  it('reports the user’s rejection to the application, and stores nothing', async () => {
    const other = await newApplication(app, user);
    const { status, location } = await decide(app, await authorize(app, authorizeQuery(other), user), user, 'deny');
    expect([status, Object.fromEntries(location?.searchParams ?? [])]).toEqual([
      303,
      {
        kept: 'yes it is',
        error: 'access_denied',
        error_description: 'The user denied the request.',
        state: 'the state & more',
        iss: ISSUER,
      },
    ]);
    expect((await authorize(app, authorizeQuery(other), user)).status).toBe(200);
  });

  it('returns states of all kinds unchanged', async () => {
    for (const state of ['a+b c%20d', 'é ü 漢字', '<script>&"\'', 'x'.repeat(2000)]) {
      const page = await authorize(app, authorizeQuery(application, { state, scope: 'users.asset:read' }), user);
      expect((await decide(app, page, user, 'deny')).location?.searchParams.get('state')).toBe(state);
    }
  });

  it('checks the whole request again when the decision arrives', async () => {
    const page = await authorize(app, authorizeQuery(application, { scope: 'payments:read' }), user);
    const changed = (changes: Record<string, string>) => {
      const text = Object.entries({ ...hiddenFields(page.text), ...changes })
        .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
        .join('');
      return decide(app, { ...page, text }, user, 'allow');
    };
    expect((await changed({ redirect_uri: 'https://evil.example/' })).status).toBe(400);
    expect((await changed({ client_id: 'nobody' })).status).toBe(400);
    expect((await changed({ scope: 'application_access:write' })).location?.searchParams.get('error')).toBe(
      'invalid_scope',
    );
    // The form must match the current redirect URL, even if it was loaded before the URL was changed.
    await database.db
      .update(applications)
      .set({ redirectUri: 'https://new.example/' })
      .where(eq(applications.id, application.id));
    const late = await decide(app, page, user, 'allow');
    expect([late.status, late.location]).toEqual([400, null]);
    await database.db
      .update(applications)
      .set({ redirectUri: REDIRECT_URI })
      .where(eq(applications.id, application.id));
  });
});
