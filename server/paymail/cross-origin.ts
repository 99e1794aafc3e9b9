/** CORS for the paymail host, which pages on other origins (web wallets) also query (Fetch standard, section 3.2). */
import type { RequestHandler } from 'express';
import { readableByAll } from '../http/headers.ts';

const PATHS = /^\/(?:bsvalias|\.well-known\/bsvalias)(?:\/|$)/i;
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers': 'Content-Type',
  'Access-Control-Max-Age': '86400',
};

/**
 * Answers preflights, and makes all of the paymail host's responses readable by every origin. Runs before any handler
 * that can reject a request, so errors are readable as well.
 */
export const paymailCrossOrigin: RequestHandler = (request, response, next) => {
  if (!PATHS.test(request.path)) {
    next();
    return;
  }
  readableByAll(request, response, () => {
    response.setHeader('Access-Control-Expose-Headers', 'Retry-After');
    if (request.method === 'OPTIONS') response.set(PREFLIGHT).status(204).end();
    else next();
  });
};
