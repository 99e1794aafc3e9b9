/**
 * CORS for endpoints that pages on other origins may call (Fetch standard, section 3.2): the API and the token
 * endpoints. Callers authenticate with a token or secret in the request. Cookies aren't accepted (identity/owner.ts).
 */
import type { RequestHandler } from 'express';

/** Introspection is excluded, because it requires a client secret, which pages can't have. */
const PATHS =
  /^\/(?:api\/v[12]|oauth\/v1\/(?:token|revoke|auth-proxy\/token)|\.well-known\/oauth-authorization-server)(?:\/|$)/i;
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, Prefer',
  // Chromium's maximum, in seconds.
  'Access-Control-Max-Age': '7200',
};
/** Response headers that pages may read in addition to CORS-safelisted headers. */
const EXPOSED = 'Retry-After, WWW-Authenticate, X-Request-Id';

/** Answers preflights and sets the CORS headers. Runs first so that errors are also readable. */
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
