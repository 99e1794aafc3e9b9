/**
 * What pages of other origins may call (Fetch standard, section 3.2): the API and the token endpoints. Whoever calls
 * proves who they are by the token or secret that they send, so every origin is as good as any other; a cookie proves
 * nothing here (identity/owner.ts), and browsers hide answers to requests that carry one, since credentials are never
 * allowed.
 */
import type { RequestHandler } from 'express';

/** Introspection is not among them: it takes a client secret, which no page has. */
const PATHS =
  /^\/(?:api\/v[12]|oauth\/v1\/(?:token|revoke|auth-proxy\/token)|\.well-known\/oauth-authorization-server)(?:\/|$)/i;
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, Prefer',
  // Seconds; Chromium keeps it no longer.
  'Access-Control-Max-Age': '7200',
};
/** Response headers that a page may read in addition to the safelisted ones. */
const EXPOSED = 'Retry-After, WWW-Authenticate, X-Request-Id';

/**
 * Answers preflights and lets every origin read every answer, errors too: so it comes before whatever may refuse a
 * request.
 */
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
