/** The token endpoint, and the JSON form of its refresh grant. */
import { Router, type Request } from 'express';
import { jsonBody } from '../http/body.ts';
import type { OAuthContext } from './authorize-routes.ts';
import { findRefreshTokensClient } from './authorizations.ts';
import { readClient } from './client.ts';
import { OAuthError, postOnly, uncached } from './error.ts';
import { GRANT_TYPES, unknownRefreshToken, type GrantType } from './grants.ts';
import { formBody, formParameters, required, type Parameters } from './parameters.ts';

const TOKEN = '/oauth/v1/token';
const PROXY = '/oauth/v1/auth-proxy/token';

/**
 * - POST /oauth/v1/token: 200; 400 and 401 as RFC 6749, section 5.2.
 * - POST /oauth/v1/auth-proxy/token `{grant_type: 'refresh_token', refresh_token}`: the same answers. Whose token it
 * is, is
 *   told by the token; a confidential application authenticates besides.
 */
export function tokenRoutes({ db, now }: Pick<OAuthContext, 'db' | 'now'>): Router {
  const router = Router();

  router.post(TOKEN, uncached, formBody, async (request, response) => {
    const parameters = formParameters(request);
    const type = readGrantType(parameters, GRANT_TYPES);
    response.json(await type.grant(db, await readClient(db, request, parameters), parameters, now()));
  });

  router.post(PROXY, uncached, jsonBody('100kb'), async (request, response) => {
    const parameters = jsonParameters(request);
    const type = readGrantType(parameters, { refresh_token: GRANT_TYPES.refresh_token });
    const client =
      (await readClient(db, request, parameters)) ??
      (await findRefreshTokensClient(db, required(parameters, 'refresh_token')));
    if (!client) throw unknownRefreshToken();
    response.json(await type.grant(db, client, parameters, now()));
  });

  router.all([TOKEN, PROXY], uncached, postOnly);
  return router;
}

/** The grant that is asked for, with all that it needs: what is missing is told before anybody is authenticated. */
function readGrantType(parameters: Parameters, known: Readonly<Record<string, GrantType | undefined>>): GrantType {
  const name = required(parameters, 'grant_type');
  const type = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!type) throw new OAuthError('unsupported_grant_type', `grant_type must be ${Object.keys(known).join(', ')}.`);
  for (const need of type.needs) required(parameters, need);
  return type;
}

/** The members of a JSON object that are text. @throws OAuthError `invalid_request` */
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
