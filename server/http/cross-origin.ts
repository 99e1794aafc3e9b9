/**
 * Endpoints open to pages of other origins (Fetch standard, section 3.2): the API and the token endpoints. Callers
 * authenticate by the token or secret in the request; cookies don't count here (identity/owner.ts).
 */
import type { RequestHandler } from 'express';

/** Introspection isn't among them, because it requires a client secret, which no page has. */
const PATHS =
  /^\/(?:api\/v[12]|oauth\/v1\/(?:token|revoke|auth-proxy\/token)|\.well-known\/oauth-authorization-server)(?:\/|$)/i;
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, Prefer',
  // Seconds. Chromium's maximum.
  'Access-Control-Max-Age': '7200',
};
/** Response headers that a page may read in addition to the safelisted ones. */
const EXPOSED = 'Retry-After, WWW-Authenticate, X-Request-Id';

/** Answers preflights and makes all responses readable by every origin, errors included, so it runs first. */
export const crossOrigin: RequestHandler = (request, response, next) => {
  if (!PATHS.test(request.path)) {
    next();
    return;
  }
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', EXPOSED);
  if (request.method === 'OPTIONS') response.set(PREFLIGHT).status(204).end();
  else next();
};
