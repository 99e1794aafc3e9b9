/** The token endpoint, and the JSON form of its refresh grant. */
import type { Request, RequestHandler } from 'express';
import { proxyTokenRequest, tokenRequest, tokenResponse } from '../../protocol/http/oauth.ts';
import { jsonBody } from '../http/body.ts';
import { sendJson } from '../http/send-json.ts';
import { TOKEN_SECONDS } from '../identity/tokens.ts';
import type { Route } from '../routing/route.ts';
import type { OAuthContext } from './authorize-routes.ts';
import { findRefreshTokensClient } from './authorizations.ts';
import { readClient } from './client.ts';
import { OAuthError, uncached } from './error.ts';
import { GRANT_TYPES, unknownRefreshToken, type GrantType } from './grants.ts';
import { formBody, formParameters, required, type Parameters } from './parameters.ts';

const ANSWER = {
  access_token: '2YotnFZFEjr1zCsicMWpAA',
  token_type: 'Bearer',
  expires_in: TOKEN_SECONDS,
  scope: 'application_access:write',
} as const;

/** Error statuses are 400 and 401, as in RFC 6749, section 5.2. */
export function tokenRoutes({ db, now }: Pick<OAuthContext, 'db' | 'now'>): Route[] {
  const issue: RequestHandler = async (request, response) => {
    const parameters = formParameters(request);
    const type = readGrantType(parameters, GRANT_TYPES);
    sendJson(response, await type.grant(db, await readClient(db, request, parameters), parameters, now()));
  };

  const refresh: RequestHandler = async (request, response) => {
    const parameters = jsonParameters(request);
    const type = readGrantType(parameters, { refresh_token: GRANT_TYPES.refresh_token });
    const client =
      (await readClient(db, request, parameters)) ??
      (await findRefreshTokensClient(db, required(parameters, 'refresh_token')));
    if (!client) throw unknownRefreshToken();
    sendJson(response, await type.grant(db, client, parameters, now()));
  };

  return [
    {
      id: 'issueToken',
      method: 'post',
      path: '/oauth/v1/token',
      tag: 'OAuth',
      summary:
        'Issues a token for a code, for a refresh token, or for the application itself with the scope application_access:write',
      by: 'client',
      body: tokenRequest,
      bodyType: 'application/x-www-form-urlencoded',
      answers: { 200: tokenResponse },
      example: { body: { grant_type: 'client_credentials', scope: 'application_access:write' }, answer: ANSWER },
      handlers: [uncached, formBody, issue],
    },
    {
      id: 'refreshToken',
      method: 'post',
      path: '/oauth/v1/auth-proxy/token',
      tag: 'OAuth',
      summary: 'Issues a token for a refresh token, as JSON. Confidential applications must also authenticate',
      by: 'anybody',
      body: proxyTokenRequest,
      answers: { 200: tokenResponse },
      example: {
        body: { grant_type: 'refresh_token', refresh_token: 'tGzv3JOkF0XG5Qx2TlKWIA' },
        answer: { ...ANSWER, refresh_token: 'tGzv3JOkF0XG5Qx2TlKWIA', scope: 'auth.user_identity:read payments:read' },
      },
      handlers: [uncached, jsonBody('100kb'), refresh],
    },
  ];
}

/** Returns the requested grant type. Missing parameters are reported before client authentication. */
function readGrantType(parameters: Parameters, known: Readonly<Record<string, GrantType | undefined>>): GrantType {
  const name = required(parameters, 'grant_type');
  const type = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!type) throw new OAuthError('unsupported_grant_type', `grant_type must be ${Object.keys(known).join(', ')}.`);
  for (const need of type.needs) required(parameters, need);
  return type;
}

/** Returns the string properties of a JSON object. @throws OAuthError `invalid_request` */
export function jsonParameters(request: Request): Parameters {
  const body: unknown = request.body;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new OAuthError('invalid_request', 'The body must be a JSON object.');
  const members = new Map(Object.entries(body));
  return {
    repeated: [],
    get(name) {
      const value: unknown = members.get(name);
      return typeof value === 'string' && value !== '' ? value : undefined;
    },
  };
}
