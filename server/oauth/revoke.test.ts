import { beforeAll, describe, expect, it } from 'vitest';
import type { TestApplication } from '../testing.ts';
import {
  authorize,
  authorizeQuery,
  basic,
  newApplication,
  newTokens,
  newUser,
  postForm,
  token,
  type TestUser,
} from './testing.ts';
import { useService } from '../testing-service.ts';

describe('token revocation and introspection', () => {
  const { app } = useService({ baseUrl: 'https://pay.example.com' });
  let user: TestUser;
  let application: TestApplication;
  let other: TestApplication;
  let confidential: TestApplication;

  beforeAll(async () => {
    user = await newUser(app, 'somebody');
    application = await newApplication(app, user);
    other = await newApplication(app, user);
    confidential = await newApplication(app, user, { requireSecret: true });
  });

  const revoke = (fields: Record<string, string | undefined>, headers: Record<string, string> = {}) =>
    postForm(`${app.url}/oauth/v1/revoke`, fields, headers);
  const introspect = (
    tokenText: string | undefined,
    headers: Record<string, string> = basic(application.clientIdentifier, application.clientSecret),
    more: Record<string, string> = {},
  ) => postForm(`${app.url}/oauth/v1/introspect`, { token: tokenText, ...more }, headers);
  const identityStatus = async (accessToken: string) =>
    (await app.get('/api/v1/auth/user_identity', { Authorization: `Bearer ${accessToken}` })).status;
  const refresh = (of: TestApplication, refreshToken: string) =>
    token(app, { grant_type: 'refresh_token', client_id: of.oauthIdentifier, refresh_token: refreshToken });
  const ownToken = async (of: TestApplication): Promise<string> =>
    (
      await token(
        app,
        { grant_type: 'client_credentials', scope: 'application_access:write' },
        basic(of.clientIdentifier, of.clientSecret),
      )
    ).body.access_token;

  describe('revocation', () => {
    it('ends only the given access token', async () => {
      const tokens = await newTokens(app, application, user);
      const answer = await revoke({ token: tokens.access_token, client_id: application.oauthIdentifier });
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(await identityStatus(tokens.access_token)).toBe(401);
      expect((await refresh(application, tokens.refresh_token)).status).toBe(200);
    });

    it.each(['refresh_token', 'access_token', 'nonsense', undefined])(
      'ends a refresh token and its access tokens, with the hint %s',
      async (token_type_hint) => {
        const tokens = await newTokens(app, application, user);
        const second = (await refresh(application, tokens.refresh_token)).body.access_token;
        expect(
          (await revoke({ token: tokens.refresh_token, client_id: application.oauthIdentifier, token_type_hint }))
            .status,
        ).toBe(200);
        expect((await refresh(application, tokens.refresh_token)).body.error).toBe('invalid_grant');
        expect([await identityStatus(tokens.access_token), await identityStatus(second)]).toEqual([401, 401]);
        // The user's consent remains, because only the application gave up its token.
        expect((await authorize(app, authorizeQuery(application), user)).status).toBe(303);
      },
    );

    it('ends an application’s own token', async () => {
      const own = await ownToken(application);
      expect((await revoke({ token: own }, basic(application.clientIdentifier, application.clientSecret))).status).toBe(
        200,
      );
      expect((await app.get('/api/v1/payments', { Authorization: `Bearer ${own}` })).status).toBe(401);
    });

    it('responds the same for an unknown token and for another client’s, which stays valid', async () => {
      const tokens = await newTokens(app, application, user);
      const own = await ownToken(application);
      for (const one of [
        'unknown',
        tokens.access_token,
        tokens.refresh_token,
        own,
        user.accessToken,
        user.cookie.replace(/^[^=]*=/, ''),
      ]) {
        const answer = await revoke({ token: one, client_id: other.oauthIdentifier });
        expect([answer.status, answer.text]).toEqual([200, '{}']);
      }
      expect(await identityStatus(tokens.access_token)).toBe(200);
      expect((await refresh(application, tokens.refresh_token)).status).toBe(200);
      expect((await app.get('/api/v1/payments', { Authorization: `Bearer ${own}` })).status).toBe(200);
      expect(await identityStatus(user.accessToken)).toBe(200);
      expect((await authorize(app, authorizeQuery(application), user)).location?.pathname).toBe('/callback');
    });

    it('rejects unknown clients and incomplete requests', async () => {
      const tokens = await newTokens(app, confidential, user);
      const cases: [Record<string, string | undefined>, Record<string, string>, number, string][] = [
        [{ token: tokens.refresh_token }, {}, 401, 'invalid_client'],
        [{ token: tokens.refresh_token, client_id: 'nobody' }, {}, 401, 'invalid_client'],
        [{ token: tokens.refresh_token, client_id: confidential.oauthIdentifier }, {}, 401, 'invalid_client'],
        [{ token: tokens.refresh_token }, basic(confidential.clientIdentifier, 'wrong'), 401, 'invalid_client'],
        [{ token: tokens.refresh_token }, { Authorization: 'Digest bearer' }, 401, 'invalid_client'],
        [{ token: tokens.refresh_token, client_secret: confidential.clientSecret }, {}, 400, 'invalid_request'],
        [{ client_id: application.oauthIdentifier }, {}, 400, 'invalid_request'],
      ];
      for (const [fields, headers, status, error] of cases) {
        const answer = await revoke(fields, headers);
        expect([answer.status, answer.body.error]).toEqual([status, error]);
        expect(answer.body.error_description).not.toBe('');
        if (status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
      }
      expect(await identityStatus(tokens.access_token)).toBe(200);
    });

    it('rejects JSON as a form', async () => {
      const tokens = await newTokens(app, application, user);
      const answer = await app.post('/oauth/v1/revoke', {
        token: tokens.refresh_token,
        client_id: application.oauthIdentifier,
      });
      expect([answer.status, answer.body]).toEqual([
        400,
        { error: 'invalid_request', error_description: 'The body must be application/x-www-form-urlencoded.' },
      ]);
      expect((await refresh(application, tokens.refresh_token)).status).toBe(200);
    });

    it('accepts JSON with a bearer token for a refresh token of the same user and application', async () => {
      const byBearer = (accessToken: string, body: unknown) =>
        app.post('/oauth/v1/revoke', body, { Authorization: `Bearer ${accessToken}` });
      const tokens = await newTokens(app, application, user);
      const elsewhere = await newTokens(app, other, user);
      const stranger = await newTokens(app, application, await newUser(app, 'a-stranger'));
      for (const notMine of [elsewhere.refresh_token, stranger.refresh_token, 'unknown'])
        expect((await byBearer(tokens.access_token, { refresh_token: notMine })).status).toBe(200);
      expect((await refresh(other, elsewhere.refresh_token)).status).toBe(200);
      expect((await refresh(application, stranger.refresh_token)).status).toBe(200);

      for (const bad of ['unknown', user.accessToken, await ownToken(application)]) {
        const answer = await byBearer(bad, { refresh_token: tokens.refresh_token });
        expect([answer.status, answer.body, answer.headers.get('www-authenticate')]).toEqual([
          401,
          { error: 'invalid_token', error_description: 'The access token is unknown, expired or revoked.' },
          'Bearer error="invalid_token"',
        ]);
      }
      expect((await byBearer(tokens.access_token, {})).body.error).toBe('invalid_request');
      for (const malformed of ['', 'a b', `unknown, Bearer ${tokens.access_token}`]) {
        const answer = await byBearer(malformed, { refresh_token: tokens.refresh_token });
        expect([answer.status, answer.body]).toEqual([
          400,
          { error: 'invalid_request', error_description: 'The Authorization header is malformed.' },
        ]);
      }
      expect((await refresh(application, tokens.refresh_token)).status).toBe(200);
      expect((await byBearer(` ${tokens.access_token}`, { refresh_token: tokens.refresh_token })).status).toBe(200);
      expect((await refresh(application, tokens.refresh_token)).body.error).toBe('invalid_grant');
      expect(await identityStatus(tokens.access_token)).toBe(401);
    });
  });

  describe('introspection', () => {
    it('describes a client’s own tokens', async () => {
      const tokens = await newTokens(app, application, user, 'payments:read auth.user_identity:read');
      const begin = Math.floor(app.clock.ms / 1000);
      const common = {
        active: true,
        scope: 'payments:read auth.user_identity:read',
        client_id: application.oauthIdentifier,
        iss: 'https://pay.example.com',
        sub: user.id,
      };
      const access = await introspect(tokens.access_token);
      expect([access.status, access.body]).toEqual([200, { ...common, token_type: 'Bearer', exp: begin + 3600 }]);
      expect(access.headers.get('cache-control')).toBe('no-store');
      expect((await introspect(tokens.refresh_token)).body).toEqual({ ...common, exp: begin + 30 * 24 * 3600 });
      expect((await introspect(await ownToken(application))).body).toEqual({
        active: true,
        scope: 'application_access:write',
        client_id: application.clientIdentifier,
        token_type: 'Bearer',
        exp: begin + 3600,
        iss: 'https://pay.example.com',
      });
    });

    it('names the user only with the required scopes', async () => {
      const tokens = await newTokens(app, application, user, 'payments:read');
      expect((await introspect(tokens.access_token)).body).not.toHaveProperty('sub');
      expect((await introspect(tokens.refresh_token)).body).not.toHaveProperty('sub');
    });

    it('returns only “inactive” for unknown, expired, revoked and other clients’ tokens', async () => {
      const tokens = await newTokens(app, application, user);
      const foreign = await newTokens(app, other, user);
      const over = await newTokens(app, application, user);
      app.clock.ms += 3_600_000;
      user = { ...user, ...(await newUser(app, 'somebody-later')) };
      const inactive = [
        'unknown',
        over.access_token,
        foreign.access_token,
        foreign.refresh_token,
        await ownToken(other),
        user.accessToken,
        user.cookie.replace(/^[^=]*=/, ''),
      ];
      await revoke({ token: tokens.refresh_token, client_id: application.oauthIdentifier });
      for (const one of [...inactive, tokens.refresh_token, tokens.access_token]) {
        const answer = await introspect(one);
        expect([answer.status, answer.text]).toEqual([200, '{"active":false}']);
      }
    });

    it('requires a secret from every client', async () => {
      const { access_token: accessToken } = await newTokens(app, application, user);
      for (const [headers, more] of [
        [{}, {}],
        [{}, { client_id: application.oauthIdentifier }],
        [basic(application.clientIdentifier, 'wrong'), {}],
        [{ Authorization: `Bearer ${accessToken}` }, {}],
      ] as const) {
        const answer = await introspect(accessToken, headers, more);
        expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
      }
      expect((await introspect(undefined)).body.error).toBe('invalid_request');
    });
  });

  it('takes its own origin from the settings, regardless of the Host header', async () => {
    for (const headers of [
      {},
      { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http', Forwarded: 'host=evil.example' },
    ]) {
      const { status, body, headers: told } = await app.get('/.well-known/oauth-authorization-server', headers);
      expect([status, told.get('access-control-allow-origin')]).toEqual([200, '*']);
      expect(told.get('cache-control')).toBe('public, max-age=300');
      expect(body).toMatchObject({
        issuer: 'https://pay.example.com',
        authorization_endpoint: 'https://pay.example.com/oauth/v1/authorize',
        token_endpoint: 'https://pay.example.com/oauth/v1/token',
        revocation_endpoint: 'https://pay.example.com/oauth/v1/revoke',
        introspection_endpoint: 'https://pay.example.com/oauth/v1/introspect',
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      });
      expect(JSON.stringify(body)).not.toContain('evil');
    }
  });
});
