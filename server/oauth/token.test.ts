import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { rotateClientSecret } from '../applications/store.ts';
import { accessTokens, authorizationCodes, refreshTokens } from '../database/schema.ts';
import type { TestApplication } from '../testing.ts';
import { deleteExpiredAuthorizations } from './authorizations.ts';
import {
  basic,
  challengeOf,
  newApplication,
  newCode,
  newProof,
  newTokens,
  newUser,
  open as openUrl,
  postForm,
  redemption,
  token,
  type FormResponse,
  type TestUser,
} from './testing.ts';
import { useService } from '../testing-service.ts';

const DAY = 24 * 3600_000;
/** Characters allowed by RFC 6749, section 5.2. */
const DESCRIPTION = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/;

describe('the token endpoint', () => {
  const { app, database } = useService({ baseUrl: 'https://pay.example.com' });
  let user: TestUser;
  let application: TestApplication;
  let other: TestApplication;
  let confidential: TestApplication;

  beforeAll(async () => {
    user = await newUser(app, 'somebody');
    application = await newApplication(app, user, { name: 'Public' });
    other = await newApplication(app, user, { name: 'Other' });
    confidential = await newApplication(app, user, { name: 'Confidential', requireSecret: true });
  });

  const identityStatus = async (accessToken: string) =>
    (await app.get('/api/v1/auth/user_identity', { Authorization: `Bearer ${accessToken}` })).status;
  const refreshing = (application: TestApplication, refresh_token: string, more: Record<string, string> = {}) => ({
    grant_type: 'refresh_token',
    client_id: application.oauthIdentifier,
    refresh_token,
    ...more,
  });
  const refusal = ({ status, body, headers }: Pick<FormResponse, 'status' | 'body' | 'headers'>) => {
    expect(body.error_description).toMatch(DESCRIPTION);
    expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
    if (status === 401) expect(headers.get('www-authenticate')).toMatch(/^Basic realm=/);
    return [status, body.error];
  };

  it('[T-01][T-02][T-03] exchanges a code for a one-hour bearer token, a refresh token and the scopes', async () => {
    const code = await newCode(app, application, user, { scope: 'payments:read auth.user_identity:read' });
    const answer = await token(app, redemption(application, code));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^user_[A-Za-z0-9_-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^refresh_[A-Za-z0-9_-]{43}$/),
      scope: 'payments:read auth.user_identity:read',
    });
    expect([answer.headers.get('cache-control'), answer.headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
    expect(await identityStatus(answer.body.access_token)).toBe(200);
  });

  it('[T-04] refreshes any number of times, for an hour each, without a new refresh token', async () => {
    const first = await newTokens(app, application, user, 'payments:read auth.user_identity:read');
    for (let round = 0; round < 2; round += 1) {
      const answer = await token(app, refreshing(application, first.refresh_token));
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          access_token: expect.stringMatching(/^user_/),
          token_type: 'Bearer',
          expires_in: 3600,
          scope: 'payments:read auth.user_identity:read',
        },
      ]);
      expect(await identityStatus(answer.body.access_token)).toBe(200);
    }
    expect(await identityStatus(first.access_token)).toBe(200);
  });

  it('[T-05] [T-06] [V-01] issues an application’s own token with Basic, without a refresh token, for its own data', async () => {
    const answer = await token(
      app,
      { grant_type: 'client_credentials', scope: 'application_access:write' },
      basic(application.clientIdentifier, application.clientSecret),
    );
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^application_[A-Za-z0-9_-]{43}$/),
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'application_access:write',
      },
    ]);
    const mine = await app.get('/api/v1/payments', { Authorization: `Bearer ${answer.body.access_token}` });
    expect([mine.status, mine.body.data]).toEqual([200, []]);
  });

  it('[T-07] ends an access token after 3600 seconds', async () => {
    const { access_token: accessToken } = await newTokens(app, application, user);
    app.clock.ms += 3_599_999;
    expect(await identityStatus(accessToken)).toBe(200);
    app.clock.ms += 1;
    expect(await identityStatus(accessToken)).toBe(401);
    user = { ...user, ...(await newUser(app, 'somebody-later')) };
  });

  it('stores neither the code nor the tokens in plain text', async () => {
    const code = await newCode(app, application, user);
    const tokens = (await token(app, redemption(application, code))).body;
    const rows = JSON.stringify([
      await database.db.select().from(authorizationCodes),
      await database.db.select().from(refreshTokens),
      await database.db.select().from(accessTokens),
    ]);
    expect(rows).toContain(application.id);
    for (const secret of [code, tokens.access_token, tokens.refresh_token]) {
      expect(rows).not.toContain(secret);
      expect(rows).not.toContain(secret.replace(/^[a-z]+_/, ''));
      expect(app.log()).not.toContain(secret);
    }
  });

  it('answers GET with 405', async () => {
    for (const path of ['token', 'revoke', 'introspect', 'auth-proxy/token']) {
      const answer = await openUrl(`${app.url}/oauth/v1/${path}?grant_type=client_credentials`);
      expect([...refusal(answer), answer.headers.get('allow')]).toEqual([405, 'invalid_request', 'POST']);
    }
  });

  it('[T-01] accepts only a form', async () => {
    const fields = redemption(application, await newCode(app, application, user));
    const json = await app.post('/oauth/v1/token', fields);
    expect(refusal(json)).toEqual([400, 'invalid_request']);
    const malformed = await app.post('/oauth/v1/token', '{"a');
    expect(refusal(malformed)).toEqual([400, 'invalid_request']);
    const inQuery = await postForm(
      `${app.url}/oauth/v1/token?${new URLSearchParams(fields as Record<string, string>).toString()}`,
      {},
    );
    expect(refusal(inQuery)).toEqual([400, 'invalid_request']);
    const large = await token(app, { ...fields, more: 'x'.repeat(200_000) });
    expect(refusal(large)).toEqual([413, 'invalid_request']);
    expect((await token(app, fields)).status).toBe(200);
  });

  it('reports its own failure in OAuth’s format without details', async () => {
    await database.db.execute(sql`alter table access_tokens add constraint none_new check (false) not valid`);
    const answer = await token(
      app,
      { grant_type: 'client_credentials', scope: 'application_access:write' },
      basic(application.clientIdentifier, application.clientSecret),
    ).finally(() => database.db.execute(sql`alter table access_tokens drop constraint none_new`));
    expect(refusal(answer)).toEqual([500, 'internal']);
    expect(answer.text).not.toContain('access_tokens');
    expect(app.log()).toContain('none_new');
  });

  it('describes what is wrong with a request', async () => {
    const why = async (fields: Record<string, string | undefined>, headers?: Record<string, string>) =>
      (await token(app, fields, headers)).body.error_description;
    expect(await why({ grant_type: 'password' })).toBe(
      'grant_type must be authorization_code, refresh_token, client_credentials.',
    );
    expect(await why(redemption(application, 'unknown'))).toMatch(/^The code is unknown,/);
    expect(await why(refreshing(application, 'unknown'))).toMatch(/^The refresh token is unknown,/);
    expect(await why({ grant_type: 'client_credentials' }, { Authorization: 'Basic !' })).toBe(
      'The Authorization header must contain a Basic credential.',
    );
  });

  it('rejects any parameter that is sent twice', async () => {
    const fields = Object.entries(redemption(application, await newCode(app, application, user))) as [string, string][];
    for (const [name, value] of [...fields, ['unknown', 'x'] as [string, string]]) {
      const once: [string, string][] = name === 'unknown' ? [...fields, [name, value]] : fields;
      expect(refusal(await token(app, [...once, [name, value]])), name).toEqual([400, 'invalid_request']);
    }
    expect((await token(app, fields)).status).toBe(200);
  });

  it.each(['grant_type', 'code', 'redirect_uri', 'client_id'])('rejects redeeming a code without %s', async (name) => {
    const fields = redemption(application, await newCode(app, application, user));
    for (const value of [undefined, ''])
      expect(refusal(await token(app, { ...fields, [name]: value }))).toEqual([400, 'invalid_request']);
    expect((await token(app, fields)).status).toBe(200);
  });

  it('rejects a refresh without a refresh token', async () => {
    expect(refusal(await token(app, refreshing(application, '')))).toEqual([400, 'invalid_request']);
  });

  it.each([
    'password',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
    'constructor',
    'Authorization_Code',
  ])('rejects the grant type %s as unsupported', async (grant_type) => {
    for (const headers of [{}, basic(application.clientIdentifier, application.clientSecret)]) {
      expect(
        refusal(
          await token(
            app,
            { grant_type, username: 'a', password: 'b', client_id: application.oauthIdentifier },
            headers,
          ),
        ),
      ).toEqual([400, 'unsupported_grant_type']);
    }
  });

  it('rejects wrong secrets and unknown clients, in every grant and both ways', async () => {
    const tokens = await newTokens(app, application, user);
    const code = await newCode(app, application, user);
    const { clientIdentifier, clientSecret, oauthIdentifier } = application;
    const grants = [
      redemption(application, code),
      refreshing(application, tokens.refresh_token),
      { grant_type: 'client_credentials', scope: 'application_access:write' },
    ];
    const wrong: { headers?: Record<string, string>; fields?: Record<string, string | undefined> }[] = [
      { headers: basic(clientIdentifier, `${clientSecret}x`) },
      { headers: basic(clientIdentifier, other.clientSecret) },
      { headers: basic(clientIdentifier, '') },
      { headers: basic(oauthIdentifier, clientSecret.toLowerCase()) },
      { headers: basic('nobody', clientSecret) },
      { headers: basic('', clientSecret) },
      { headers: basic(clientIdentifier, `${clientSecret.slice(0, 9)}:${clientSecret.slice(9)}`) },
      { headers: { Authorization: 'Basic !' } },
      { headers: { Authorization: `Digest ${basic(clientIdentifier, clientSecret).Authorization}` } },
      { headers: { Authorization: `${basic(clientIdentifier, clientSecret).Authorization} more` } },
      { headers: { Authorization: `Basic ${Buffer.from(clientIdentifier).toString('base64')}` } },
      { headers: { Authorization: `Basic ${Buffer.from(oauthIdentifier).toString('base64')}` } },
      { headers: { Authorization: `Basic ${Buffer.from(`${clientIdentifier}:%`).toString('base64')}` } },
      { headers: { Authorization: `Bearer ${tokens.access_token}` } },
      { fields: { client_id: oauthIdentifier, client_secret: `${clientSecret}x` } },
      { fields: { client_id: 'nobody', client_secret: clientSecret } },
      { fields: { client_id: 'nobody' } },
    ];
    for (const grant of grants) {
      for (const { headers = {}, fields = { client_id: undefined } } of wrong) {
        const answer = await token(app, { ...grant, ...fields }, headers);
        expect(refusal(answer), JSON.stringify([grant.grant_type, headers, fields])).toEqual([401, 'invalid_client']);
      }
    }
    expect((await token(app, redemption(application, code))).status).toBe(200);
  });

  it('[T-05] issues no application token without a secret', async () => {
    const grant = { grant_type: 'client_credentials', scope: 'application_access:write' };
    for (const fields of [
      {},
      { client_id: application.oauthIdentifier },
      { client_id: application.clientIdentifier },
      { client_secret: '', client_id: application.oauthIdentifier },
    ]) {
      expect(refusal(await token(app, { ...grant, ...fields }))).toEqual([401, 'invalid_client']);
    }
  });

  it('issues no application token for a secret that is being replaced', async () => {
    const { id, clientIdentifier, clientSecret } = await newApplication(app, user);
    let asked: Promise<FormResponse> | undefined;
    await database.db.transaction(async (tx) => {
      await rotateClientSecret(tx, Number(user.id), id, new Date(app.clock.ms));
      let done = false;
      const grant = { grant_type: 'client_credentials', scope: 'application_access:write' };
      asked = token(app, grant, basic(clientIdentifier, clientSecret)).finally(() => (done = true));
      const waiting = sql`datname = current_database() and wait_event_type = 'Lock'`;
      while (!done && (await database.db.$count(sql`pg_stat_activity`, waiting)) === 0);
    });
    expect(refusal((await asked) as FormResponse)).toEqual([401, 'invalid_client']);
    expect(await database.db.$count(accessTokens, eq(accessTokens.applicationId, id))).toBe(0);
  });

  it('rejects two authentication methods, and two clients', async () => {
    const code = await newCode(app, application, user);
    const { clientIdentifier, clientSecret, oauthIdentifier } = application;
    const header = basic(clientIdentifier, clientSecret);
    for (const fields of [
      { client_id: oauthIdentifier, client_secret: clientSecret },
      { client_id: undefined, client_secret: clientSecret },
      { client_id: other.oauthIdentifier },
      { client_id: 'nobody' },
    ]) {
      expect(
        refusal(await token(app, { ...redemption(application, code), ...fields }, header)),
        JSON.stringify(fields),
      ).toEqual([400, 'invalid_request']);
    }
    expect(
      refusal(
        await token(
          app,
          { grant_type: 'client_credentials', scope: 'application_access:write', client_id: other.clientIdentifier },
          header,
        ),
      ),
    ).toEqual([400, 'invalid_request']);
  });

  it('accepts the secret in every usual way, with either public identifier', async () => {
    const { clientIdentifier, clientSecret, oauthIdentifier } = confidential;
    const percent = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    const ways: { headers?: Record<string, string>; fields?: Record<string, string | undefined> }[] = [
      { headers: basic(clientIdentifier, clientSecret) },
      { headers: basic(clientIdentifier, clientSecret), fields: { client_id: clientIdentifier } },
      { headers: basic(oauthIdentifier, clientSecret), fields: { client_id: undefined } },
      { headers: basic(percent(oauthIdentifier), percent(clientSecret)) },
      { headers: { Authorization: basic(oauthIdentifier, clientSecret).Authorization.replace('Basic ', 'basic  ') } },
      { fields: { client_secret: clientSecret } },
      { fields: { client_id: clientIdentifier, client_secret: clientSecret } },
    ];
    for (const { headers = {}, fields = {} } of ways) {
      const answer = await token(
        app,
        { ...redemption(confidential, await newCode(app, confidential, user)), ...fields },
        headers,
      );
      expect(answer.status, answer.text).toBe(200);
      expect(
        (await token(app, { ...refreshing(confidential, answer.body.refresh_token), ...fields }, headers)).status,
      ).toBe(200);
    }
  });

  it('accepts Basic with an empty secret as a public client', async () => {
    const named = basic(application.oauthIdentifier, '');
    const answer = await token(
      app,
      { ...redemption(application, await newCode(app, application, user)), client_id: undefined },
      named,
    );
    expect([
      answer.status,
      (await token(app, { ...refreshing(application, answer.body.refresh_token), client_id: undefined }, named)).status,
    ]).toEqual([200, 200]);
    expect(refusal(await token(app, { ...redemption(other, await newCode(app, application, user)) }, named))).toEqual([
      400,
      'invalid_request',
    ]);
    expect(
      refusal(
        await token(
          app,
          redemption(confidential, await newCode(app, confidential, user)),
          basic(confidential.oauthIdentifier, ''),
        ),
      ),
    ).toEqual([401, 'invalid_client']);
    expect(
      refusal(await token(app, { grant_type: 'client_credentials', scope: 'application_access:write' }, named)),
    ).toEqual([401, 'invalid_client']);
  });

  it('rejects a confidential client without its secret', async () => {
    const code = await newCode(app, confidential, user);
    expect(refusal(await token(app, redemption(confidential, code)))).toEqual([401, 'invalid_client']);
    const header = basic(confidential.oauthIdentifier, confidential.clientSecret);
    const { refresh_token: refreshToken } = (await token(app, redemption(confidential, code), header)).body;
    expect(refusal(await token(app, refreshing(confidential, refreshToken)))).toEqual([401, 'invalid_client']);
    expect((await token(app, refreshing(confidential, refreshToken), header)).status).toBe(200);
  });

  it('[T-02] rejects a code that is unknown, another client’s, or for another redirect URL, and keeps it valid for its owner', async () => {
    const code = await newCode(app, application, user);
    const wrong = [
      { ...redemption(application, `${code}x`) },
      { ...redemption(application, code.replace('code_', '')) },
      { ...redemption(other, code), redirect_uri: application.redirectUri ?? '' },
      { ...redemption(application, code), redirect_uri: `${application.redirectUri}x` },
      { ...redemption(application, code), redirect_uri: 'https://app.example/' },
    ];
    for (const fields of wrong) expect(refusal(await token(app, fields))).toEqual([400, 'invalid_grant']);
    expect((await token(app, redemption(application, code))).status).toBe(200);
  });

  it('a code expires after a minute', async () => {
    const [inTime, late] = [await newCode(app, application, user), await newCode(app, application, user)];
    app.clock.ms += 59_999;
    expect((await token(app, redemption(application, inTime))).status).toBe(200);
    app.clock.ms += 1;
    expect(refusal(await token(app, redemption(application, late)))).toEqual([400, 'invalid_grant']);
  });

  it('requires the verifier if there was a challenge, and rejects a verifier without a challenge', async () => {
    const { verifier, challenge } = newProof();
    const proven = { code_challenge: challenge, code_challenge_method: 'S256' };
    for (const code_verifier of [
      undefined,
      '',
      newProof().verifier,
      challenge,
      `${verifier}x`,
      verifier.toLowerCase(),
      'short',
      'x'.repeat(129),
    ]) {
      const answer = await token(app, {
        ...redemption(application, await newCode(app, application, user, proven)),
        code_verifier,
      });
      expect(refusal(answer), String(code_verifier)).toEqual([400, 'invalid_grant']);
    }
    const unasked = await token(app, {
      ...redemption(application, await newCode(app, application, user)),
      code_verifier: verifier,
    });
    expect(refusal(unasked)).toEqual([400, 'invalid_grant']);
    expect(
      (
        await token(app, {
          ...redemption(application, await newCode(app, application, user, proven)),
          code_verifier: verifier,
        })
      ).status,
    ).toBe(200);
  });

  it.each([
    ['129 letters', 'x'.repeat(129)],
    ['42 letters', 'x'.repeat(42)],
    ['another letter before them', `!${'x'.repeat(43)}`],
    ['another letter after them', `${'x'.repeat(43)}!`],
  ])('rejects a verifier of %s, even if its hash is the challenge', async (_what, code_verifier) => {
    const code = await newCode(app, application, user, {
      code_challenge: challengeOf(code_verifier),
      code_challenge_method: 'S256',
    });
    expect(refusal(await token(app, { ...redemption(application, code), code_verifier }))).toEqual([
      400,
      'invalid_grant',
    ]);
  });

  it('accepts the example of RFC 7636, appendix B', async () => {
    const code = await newCode(app, application, user, {
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    expect(
      (
        await token(app, {
          ...redemption(application, code),
          code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        })
      ).status,
    ).toBe(200);
  });

  it.each([
    ['with the same values', {}],
    ['with another address', { redirect_uri: 'https://app.example/' }],
    ['with a verifier', { code_verifier: newProof().verifier }],
  ])('[O-09] ends everything issued from a code when it is used again %s', async (_how, changes) => {
    const code = await newCode(app, application, user);
    const { access_token: first, refresh_token: refreshToken } = (await token(app, redemption(application, code))).body;
    const { access_token: second } = (await token(app, refreshing(application, refreshToken))).body;
    expect(refusal(await token(app, { ...redemption(application, code), ...changes }))).toEqual([400, 'invalid_grant']);
    expect([await identityStatus(first), await identityStatus(second)]).toEqual([401, 401]);
    expect(refusal(await token(app, refreshing(application, refreshToken)))).toEqual([400, 'invalid_grant']);
  });

  it('recognizes a replay long afterwards', async () => {
    const code = await newCode(app, application, user);
    const { refresh_token: refreshToken } = (await token(app, redemption(application, code))).body;
    app.clock.ms += DAY;
    await deleteExpiredAuthorizations(database.db, new Date(app.clock.ms));
    expect(refusal(await token(app, redemption(application, code)))).toEqual([400, 'invalid_grant']);
    expect(refusal(await token(app, refreshing(application, refreshToken)))).toEqual([400, 'invalid_grant']);
    user = { ...user, ...(await newUser(app, 'somebody-after-a-replay')) };
  });

  it('doesn’t let another client end an authorization by reusing a code', async () => {
    const code = await newCode(app, application, user);
    const { refresh_token: refreshToken } = (await token(app, redemption(application, code))).body;
    expect(
      refusal(await token(app, { ...redemption(other, code), redirect_uri: application.redirectUri ?? '' })),
    ).toEqual([400, 'invalid_grant']);
    expect((await token(app, refreshing(application, refreshToken))).status).toBe(200);
  });

  it('issues tokens for only one of 32 parallel redemptions, and revokes them because of the replays', async () => {
    const code = await newCode(app, application, user);
    const answers = await Promise.all(Array.from({ length: 32 }, () => token(app, redemption(application, code))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 400 && answer.body.error === 'invalid_grant')).toHaveLength(31);
    const { access_token: accessToken, refresh_token: refreshToken } = (
      answers.find(({ status }) => status === 200) as FormResponse
    ).body;
    expect(refusal(await token(app, redemption(application, code)))).toEqual([400, 'invalid_grant']);
    expect(await identityStatus(accessToken)).toBe(401);
    expect(refusal(await token(app, refreshing(application, refreshToken)))).toEqual([400, 'invalid_grant']);
  });

  it('refreshes in parallel, and each refresh returns a different token', async () => {
    const tokens = await newTokens(app, application, user);
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => token(app, refreshing(application, tokens.refresh_token))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(32).fill(200));
    expect(new Set(answers.map(({ body }) => body.access_token)).size).toBe(32);
    expect(await identityStatus(answers[31]?.body.access_token)).toBe(200);
  });

  it('rejects a refresh token of another client, an unknown one, and an access token', async () => {
    const tokens = await newTokens(app, application, user);
    for (const fields of [
      refreshing(other, tokens.refresh_token),
      refreshing(application, `${tokens.refresh_token}x`),
      refreshing(application, tokens.access_token),
    ]) {
      expect(refusal(await token(app, fields))).toEqual([400, 'invalid_grant']);
    }
    expect((await token(app, refreshing(application, tokens.refresh_token))).status).toBe(200);
  });

  it('[T-08] can narrow a refreshed token’s scopes, and never widens them', async () => {
    const tokens = await newTokens(app, application, user, 'auth.user_identity:read users.profiles:read');
    for (const scope of [
      'payments:read',
      'auth.user_identity:read payments:read',
      'nothing',
      ' ',
      'application_access:write',
    ]) {
      expect(refusal(await token(app, refreshing(application, tokens.refresh_token, { scope }))), scope).toEqual([
        400,
        'invalid_scope',
      ]);
    }
    const narrow = await token(app, refreshing(application, tokens.refresh_token, { scope: 'users.profiles:read' }));
    expect([narrow.status, narrow.body.scope, narrow.body.refresh_token]).toEqual([
      200,
      'users.profiles:read',
      undefined,
    ]);
    expect(await identityStatus(narrow.body.access_token)).toBe(403);
    const both = 'users.profiles:read auth.user_identity:read';
    expect((await token(app, refreshing(application, tokens.refresh_token, { scope: both }))).body.scope).toBe(both);
    const whole = await token(app, refreshing(application, tokens.refresh_token));
    expect([whole.body.scope, await identityStatus(whole.body.access_token)]).toEqual([
      'auth.user_identity:read users.profiles:read',
      200,
    ]);
  });

  it('a refresh token expires after thirty days without use, but not while in use', async () => {
    const [used, unused] = [await newTokens(app, application, user), await newTokens(app, application, user)];
    const pass = async (ms: number) => {
      app.clock.ms += ms;
      await deleteExpiredAuthorizations(database.db, new Date(app.clock.ms));
    };
    await pass(20 * DAY);
    expect((await token(app, refreshing(application, used.refresh_token))).status).toBe(200);
    await pass(10 * DAY - 1);
    expect((await token(app, refreshing(application, used.refresh_token))).status).toBe(200);
    await pass(1);
    expect(refusal(await token(app, refreshing(application, unused.refresh_token)))).toEqual([400, 'invalid_grant']);
    await pass(30 * DAY - 2);
    expect((await token(app, refreshing(application, used.refresh_token))).status).toBe(200);
    await pass(30 * DAY);
    expect(refusal(await token(app, refreshing(application, used.refresh_token)))).toEqual([400, 'invalid_grant']);
    user = { ...user, ...(await newUser(app, 'somebody-much-later')) };
  });

  it.each([
    '',
    'auth.user_identity:read',
    'application_access:write payments:read',
    'everything',
    'application_access:write  application_access:write',
  ])('[T-05] grants an application no scope “%s”', async (scope) => {
    expect(
      refusal(
        await token(
          app,
          { grant_type: 'client_credentials', scope },
          basic(application.clientIdentifier, application.clientSecret),
        ),
      ),
    ).toEqual([400, 'invalid_scope']);
  });

  describe('the token endpoint for JSON (auth-proxy/token)', () => {
    const proxy = (body: unknown, headers: Record<string, string> = {}) =>
      app.post('/oauth/v1/auth-proxy/token', body, headers);

    it('refreshes with only the refresh token', async () => {
      const tokens = await newTokens(app, application, user);
      const answer = await proxy({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          access_token: expect.stringMatching(/^user_/),
          token_type: 'Bearer',
          expires_in: 3600,
          scope: 'auth.user_identity:read',
        },
      ]);
      expect(await identityStatus(answer.body.access_token)).toBe(200);
      expect(
        refusal(
          await proxy({
            grant_type: 'refresh_token',
            refresh_token: tokens.refresh_token,
            client_id: other.oauthIdentifier,
          }),
        ),
      ).toEqual([400, 'invalid_grant']);
    });

    it('requires the secret of a confidential application', async () => {
      const tokens = await newTokens(app, confidential, user);
      const body = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
      expect(refusal(await proxy(body))).toEqual([401, 'invalid_client']);
      expect((await proxy(body, basic(confidential.clientIdentifier, confidential.clientSecret))).status).toBe(200);
    });

    it('rejects a secret without a client', async () => {
      const { refresh_token } = await newTokens(app, application, user);
      const body = { grant_type: 'refresh_token', refresh_token, client_secret: application.clientSecret };
      expect(refusal(await proxy(body))).toEqual([400, 'invalid_request']);
    });

    it.each<[unknown, number, string]>([
      [{ grant_type: 'refresh_token', refresh_token: 'unknown' }, 400, 'invalid_grant'],
      [{ grant_type: 'refresh_token' }, 400, 'invalid_request'],
      [{ grant_type: 'refresh_token', refresh_token: 7 }, 400, 'invalid_request'],
      [{ grant_type: 'refresh_token', refresh_token: '' }, 400, 'invalid_request'],
      [{ refresh_token: 'unknown' }, 400, 'invalid_request'],
      [{ grant_type: 'client_credentials', scope: 'application_access:write' }, 400, 'unsupported_grant_type'],
      [{ grant_type: 'authorization_code', code: 'x', redirect_uri: 'x' }, 400, 'unsupported_grant_type'],
      ['[]', 400, 'invalid_request'],
      ['null', 400, 'invalid_request'],
      ['{', 400, 'invalid_request'],
    ])('rejects %j', async (body, status, error) => {
      expect(refusal(await proxy(body))).toEqual([status, error]);
    });

    it('rejects a form', async () => {
      const tokens = await newTokens(app, application, user);
      expect(
        refusal(
          await proxy(new URLSearchParams(refreshing(application, tokens.refresh_token)).toString(), {
            'Content-Type': 'application/x-www-form-urlencoded',
          }),
        ),
      ).toEqual([400, 'invalid_request']);
    });
  });
});

describe('the token endpoint at its limits for request bodies', () => {
  const { app } = useService({ intake: { budget: 10 } });

  it('responds with Retry-After instead of invalid_request', async () => {
    const { status, body, headers } = await token(app, { grant_type: 'client_credentials' });
    expect([status, body.error, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '5']);
  });
});
