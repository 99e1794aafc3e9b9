/** Runs published client libraries, with all their checks of an authorization server, against the service. */
import * as oauth4webapi from 'oauth4webapi';
import * as openidClient from 'openid-client';
import { AuthorizationCode, ClientCredentials } from 'simple-oauth2';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestApplication } from '../testing.ts';
import { decide, newApplication, newUser, open as openUrl, type TestUser } from './testing.ts';
import { useService } from '../testing-service.ts';

const CALLBACK = 'http://127.0.0.1:4000/callback';
const SCOPE = 'auth.user_identity:read';

describe('a client using a published library', () => {
  const { app } = useService();
  let user: TestUser;
  const applications: Record<'public' | 'confidential', TestApplication> = {} as never;

  beforeAll(async () => {
    user = await newUser(app, 'somebody');
    applications.public = await newApplication(app, user, { redirectUri: CALLBACK });
    applications.confidential = await newApplication(app, user, {
      redirectUri: CALLBACK,
      requireSecret: true,
      requirePkce: true,
    });
  });

  async function browse(address: URL): Promise<URL> {
    const first = await openUrl(address.href, { Cookie: user.cookie });
    const { location } = first.status === 200 ? await decide(app, first, user, 'allow') : first;
    if (!location) throw new Error(`the browser ends at ${first.status} ${first.text}`);
    return location;
  }
  const identity = (accessToken: string) =>
    app.get('/api/v1/auth/user_identity', { Authorization: `Bearer ${accessToken}` });

  describe.each(['public', 'confidential'] as const)('%s', (kind) => {
    it('openid-client can use discovery, code with PKCE, refresh, introspection, revocation and client credentials', async () => {
      const { oauthIdentifier, clientIdentifier, clientSecret } = applications[kind];
      const insecure = { algorithm: 'oauth2' as const, execute: [openidClient.allowInsecureRequests] };
      const authentication = kind === 'public' ? openidClient.None() : openidClient.ClientSecretBasic(clientSecret);
      const config = await openidClient.discovery(
        new URL(app.baseUrl),
        oauthIdentifier,
        undefined,
        authentication,
        insecure,
      );
      expect(config.serverMetadata().issuer).toBe(app.baseUrl);

      const verifier = openidClient.randomPKCECodeVerifier();
      const state = openidClient.randomState();
      const back = await browse(
        openidClient.buildAuthorizationUrl(config, {
          redirect_uri: CALLBACK,
          scope: SCOPE,
          state,
          code_challenge: await openidClient.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }),
      );
      const tokens = await openidClient.authorizationCodeGrant(config, back, {
        pkceCodeVerifier: verifier,
        expectedState: state,
      });
      expect([tokens.token_type, tokens.expires_in, tokens.scope]).toEqual(['bearer', 3600, SCOPE]);
      const answer = await openidClient.fetchProtectedResource(
        config,
        tokens.access_token,
        new URL(`${app.baseUrl}/api/v1/auth/user_identity`),
        'GET',
      );
      expect(((await answer.json()) as { data: { id: string } }).data.id).toBe(user.id);

      const refreshed = await openidClient.refreshTokenGrant(config, tokens.refresh_token ?? '');
      expect((await identity(refreshed.access_token)).status).toBe(200);

      const own = await openidClient.discovery(
        new URL(app.baseUrl),
        clientIdentifier,
        undefined,
        openidClient.ClientSecretBasic(clientSecret),
        insecure,
      );
      expect(
        (await openidClient.clientCredentialsGrant(own, { scope: 'application_access:write' })).access_token,
      ).toMatch(/^application_/);
      expect(await openidClient.tokenIntrospection(own, refreshed.access_token)).toMatchObject({
        active: true,
        client_id: oauthIdentifier,
        sub: user.id,
      });

      await openidClient.tokenRevocation(config, tokens.refresh_token ?? '');
      expect((await identity(refreshed.access_token)).status).toBe(401);
      await expect(openidClient.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
        status: 400,
      });
    });

    it('oauth4webapi can use code with PKCE and issuer, refresh and revocation', async () => {
      const { oauthIdentifier, clientSecret } = applications[kind];
      const insecure = { [oauth4webapi.allowInsecureRequests]: true };
      const issuer = new URL(app.baseUrl);
      const server = await oauth4webapi.processDiscoveryResponse(
        issuer,
        await oauth4webapi.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
      );
      const client: oauth4webapi.Client = { client_id: oauthIdentifier };
      const authentication = kind === 'public' ? oauth4webapi.None() : oauth4webapi.ClientSecretPost(clientSecret);
      const verifier = oauth4webapi.generateRandomCodeVerifier();
      const state = oauth4webapi.generateRandomState();
      const address = new URL(server.authorization_endpoint ?? '');
      address.search = new URLSearchParams({
        response_type: 'code',
        client_id: oauthIdentifier,
        redirect_uri: CALLBACK,
        scope: SCOPE,
        state,
        code_challenge: await oauth4webapi.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).toString();
      // Throws unless state and issuer are as expected.
      const back = oauth4webapi.validateAuthResponse(server, client, await browse(address), state);
      const tokens = await oauth4webapi.processAuthorizationCodeResponse(
        server,
        client,
        await oauth4webapi.authorizationCodeGrantRequest(
          server,
          client,
          authentication,
          back,
          CALLBACK,
          verifier,
          insecure,
        ),
      );
      expect((await identity(tokens.access_token)).status).toBe(200);

      const refreshed = await oauth4webapi.processRefreshTokenResponse(
        server,
        client,
        await oauth4webapi.refreshTokenGrantRequest(
          server,
          client,
          authentication,
          tokens.refresh_token ?? '',
          insecure,
        ),
      );
      expect(refreshed.refresh_token).toBeUndefined();
      await oauth4webapi.processRevocationResponse(
        await oauth4webapi.revocationRequest(server, client, authentication, tokens.refresh_token ?? '', insecure),
      );
      expect((await identity(refreshed.access_token)).status).toBe(401);
    });
  });

  it('oauth4webapi reads the error from the redirect', async () => {
    const issuer = new URL(app.baseUrl);
    const server = await oauth4webapi.processDiscoveryResponse(
      issuer,
      await oauth4webapi.discoveryRequest(issuer, { algorithm: 'oauth2', [oauth4webapi.allowInsecureRequests]: true }),
    );
    const client: oauth4webapi.Client = { client_id: applications.public.oauthIdentifier };
    const address = new URL(server.authorization_endpoint ?? '');
    address.search = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      scope: 'everything',
      state: 'a-state',
    }).toString();
    const back = await browse(address);
    expect(() => oauth4webapi.validateAuthResponse(server, client, back, 'a-state')).toThrow(
      expect.objectContaining({ error: 'invalid_scope' }),
    );
  });

  it('simple-oauth2 can use code, refresh, revocation and client credentials', async () => {
    const { oauthIdentifier, clientIdentifier, clientSecret } = applications.public;
    const auth = { tokenHost: app.baseUrl, tokenPath: '/oauth/v1/token', revokePath: '/oauth/v1/revoke' };
    const client = new AuthorizationCode({
      client: { id: oauthIdentifier, secret: clientSecret },
      auth: { ...auth, authorizePath: '/oauth/v1/authorize' },
    });
    const back = await browse(new URL(client.authorizeURL({ redirect_uri: CALLBACK, scope: SCOPE, state: 'a-state' })));
    expect(back.searchParams.get('state')).toBe('a-state');
    const tokens = await client.getToken({ code: back.searchParams.get('code') ?? '', redirect_uri: CALLBACK });
    expect(tokens.expired()).toBe(false);
    const refreshed = await tokens.refresh();
    expect((await identity(String(refreshed.token.access_token))).status).toBe(200);
    await tokens.revoke('refresh_token');
    expect((await identity(String(refreshed.token.access_token))).status).toBe(401);

    const own = await new ClientCredentials({ client: { id: clientIdentifier, secret: clientSecret }, auth }).getToken({
      scope: 'application_access:write',
    });
    expect(own.token.access_token).toMatch(/^application_/);
  });
});
