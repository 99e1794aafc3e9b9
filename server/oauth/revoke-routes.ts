/** Tokens that are given back (RFC 7009), and what stands behind one (RFC 7662). */
import { Router, type Request } from 'express';
import { jsonBody } from '../http/body.ts';
import { readToken } from '../identity/tokens.ts';
import type { OAuthContext } from './authorize-routes.ts';
import { endAccessToken, endAuthorization, findRefreshToken } from './authorizations.ts';
import { mayActForUsers, readClient } from './client.ts';
import { OAuthError, invalidClient, invalidToken, postOnly, uncached } from './error.ts';
import { introspect } from './introspection.ts';
import { formBody, formParameters, required } from './parameters.ts';
import { jsonParameters } from './token-routes.ts';

const REVOKE = '/oauth/v1/revoke';
const INTROSPECT = '/oauth/v1/introspect';

/**
 * - POST /oauth/v1/revoke: 200, whether there was something to revoke or not; 400, 401. Either RFC 7009's form, or a
 * bearer
 *   with JSON `{refresh_token}`, as the original's client library sends it.
 * - POST /oauth/v1/introspect: 200; 400, 401. For a client with its secret, about its own tokens.
 */
export function revokeRoutes({ db, addresses, now }: Pick<OAuthContext, 'db' | 'addresses' | 'now'>): Router {
  const router = Router();

  router.post(REVOKE, uncached, formBody, jsonBody('100kb'), async (request, response) => {
    if (/^bearer(?: |$)/i.test(request.headers.authorization ?? '')) await revokeByBearer(request);
    else await revokeByForm(request);
    response.json({});
  });

  /**
   * A refresh token ends with all that came from its authorization (RFC 7009, section 2.1), an access token alone. One
   * that is unknown or another client's is left alone, and the answer is the same (section 2.2).
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

  /** The bearer must be of the same application and user as the refresh token. */
  async function revokeByBearer(request: Request): Promise<void> {
    const refreshToken = required(jsonParameters(request), 'refresh_token');
    const bearer = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (bearer === undefined) throw new OAuthError('invalid_request', 'The Authorization header is malformed.');
    const access = await readToken(db, bearer, now());
    if (access?.kind !== 'user') throw invalidToken();
    const refresh = (await findRefreshToken(db, refreshToken, now()))?.authorization;
    if (refresh && refresh.applicationId === access.application?.id && refresh.userId === access.user?.id)
      await endAuthorization(db, refresh.id);
  }

  router.post(INTROSPECT, uncached, formBody, async (request, response) => {
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
  });

  router.all([REVOKE, INTROSPECT], uncached, postOnly);
  return router;
}
