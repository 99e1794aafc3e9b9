/** Token revocation (RFC 7009) and introspection (RFC 7662). */
import type { Request, Response } from 'express';
import { introspectResponse, revokeBearerRequest, revokeResponse, tokenForm } from '../../protocol/http/oauth.ts';
import { jsonBody } from '../http/body.ts';
import { readToken } from '../identity/tokens.ts';
import type { Route } from '../routing/route.ts';
import type { OAuthContext } from './authorize-routes.ts';
import { endAccessToken, endAuthorization, findRefreshToken } from './authorizations.ts';
import { mayActForUsers, readClient } from './client.ts';
import { OAuthError, invalidClient, invalidToken, uncached } from './error.ts';
import { introspect } from './introspection.ts';
import { formBody, formParameters, required } from './parameters.ts';
import { jsonParameters } from './token-routes.ts';

/** Error statuses are 400 and 401, as in RFC 6749, section 5.2. */
export function revokeRoutes({ db, addresses, now }: Pick<OAuthContext, 'db' | 'addresses' | 'now'>): Route[] {
  const shared = { method: 'post', tag: 'OAuth', by: 'client', bodyType: 'application/x-www-form-urlencoded' } as const;
  return [
    {
      ...shared,
      id: 'revokeToken',
      path: '/oauth/v1/revoke',
      summary:
        'Revokes a token, and with a refresh token everything issued from its authorization. 200 even for unknown tokens. JSON bodies need a bearer token of the same user and application',
      body: tokenForm,
      otherBodies: { 'application/json': revokeBearerRequest },
      answers: { 200: revokeResponse },
      example: { body: { token: 'tGzv3JOkF0XG5Qx2TlKWIA', client_id: 'oauth-of-the-shop' }, answer: {} },
      handlers: [uncached, formBody, jsonBody('100kb'), revoke],
    },
    {
      ...shared,
      id: 'introspectToken',
      path: '/oauth/v1/introspect',
      summary: 'Returns the state of the client’s own token. The client authenticates with its secret',
      body: tokenForm,
      answers: { 200: introspectResponse },
      example: {
        body: { token: '2YotnFZFEjr1zCsicMWpAA' },
        answer: {
          active: true,
          scope: 'auth.user_identity:read payments:read',
          client_id: 'oauth-of-the-shop',
          token_type: 'Bearer',
          exp: 1_772_370_000,
          iss: 'https://pay.example',
          sub: '17',
        },
      },
      handlers: [uncached, formBody, inspect],
    },
  ];

  /** Accepts RFC 7009's form, or JSON with a bearer token, as sent by the original service's client library. */
  async function revoke(request: Request, response: Response): Promise<void> {
    const header = request.headers.authorization ?? '';
    if (/^bearer(?: |$)/i.test(header)) await revokeByBearer(request, header);
    else await revokeByForm(request);
    response.json({});
  }

  /**
   * Revokes a token. For a refresh token, revokes everything issued from its authorization (RFC 7009, section 2.1).
   * Unknown tokens and other clients' tokens get the same response (section 2.2).
   */
  async function revokeByForm(request: Request): Promise<void> {
    const parameters = formParameters(request);
    const token = required(parameters, 'token');
    const client = await readClient(db, request, parameters);
    if (!client) throw invalidClient();
    const application = client.proven ? client.application : mayActForUsers(client);
    const refresh = await findRefreshToken(db, token, now());
    if (refresh?.authorization.applicationId === application.id) await endAuthorization(db, refresh.authorization.id);
    const access = await readToken(db, token, now());
    if (access?.application?.id === application.id) await endAccessToken(db, token);
  }

  /** Requires a bearer token for the same application and user as the refresh token. */
  async function revokeByBearer(request: Request, header: string): Promise<void> {
    const refreshToken = required(jsonParameters(request), 'refresh_token');
    const bearer = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
    if (bearer === undefined) throw new OAuthError('invalid_request', 'The Authorization header is malformed.');
    const access = await readToken(db, bearer, now());
    if (access?.kind !== 'user') throw invalidToken();
    const refresh = (await findRefreshToken(db, refreshToken, now()))?.authorization;
    if (refresh && refresh.applicationId === access.application?.id && refresh.userId === access.user?.id)
      await endAuthorization(db, refresh.id);
  }

  async function inspect(request: Request, response: Response): Promise<void> {
    const parameters = formParameters(request);
    const client = await readClient(db, request, parameters);
    if (!client?.proven) throw invalidClient();
    response.json(
      await introspect(
        { db, issuer: addresses.baseUrl, now: now() },
        client.application,
        required(parameters, 'token'),
      ),
    );
  }
}
