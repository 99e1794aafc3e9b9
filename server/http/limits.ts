/** Rate limits per IP address. Pages, files and /healthz aren't limited. */
import type { RequestHandler } from 'express';
import type { RateLimits } from './rate-limit.ts';

/** High enough for many users behind one IP address, and for merchants' servers. Limits per token: api/route.ts. */
export const LIMITS = {
  /** Registration and sign-in, with two requests each: one creates a row, and the other requires a signature check. */
  'sign-in': { perMinute: 300, burst: 600 },
  /** Lookups of handles and user IDs as users type them, and of assets named by buttons. */
  handles: { perMinute: 300, burst: 600 },
  /** High, because guessing is infeasible: codes and secrets have 256 random bits. */
  oauth: { perMinute: 3_000, burst: 3_000 },
  'api-read': { perMinute: 12_000, burst: 12_000 },
  'api-write': { perMinute: 1_200, burst: 1_200 },
  /** Public keys and profiles of paymails. */
  'paymail-read': { perMinute: 3_000, burst: 3_000 },
  /** Destinations, each of which creates a row, and payments to them. Both can cause requests to other hosts. */
  paymail: { perMinute: 600, burst: 600 },
  forms: { perMinute: 300, burst: 300 },
} as const;

export function limitOf(method: string, path: string): keyof typeof LIMITS | null {
  const reads = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  if (/^\/api\/v2\/(?:handles\/|assets\/|users\/\d+\/paymail$)/i.test(path)) return 'handles';
  if (/^\/api\/v2\/(?:sign-in|users)(?:\/|$)/i.test(path)) return 'sign-in';
  // One gateway sends all of the network's callbacks.
  if (/^\/api\/v2\/network\/callbacks\//i.test(path)) return 'api-read';
  if (/^\/oauth\//i.test(path)) return 'oauth';
  if (/^\/api\//i.test(path)) return reads ? 'api-read' : 'api-write';
  if (/^\/bsvalias\//i.test(path)) return reads ? 'paymail-read' : 'paymail';
  return reads || /^\/devnet\//i.test(path) ? null : 'forms';
}

export function addressLimits(limits: RateLimits): RequestHandler {
  const handlers = Object.fromEntries(
    Object.entries(LIMITS).map(([name, limit]) => [name, limits.limit({ name, ...limit })]),
  ) as Record<keyof typeof LIMITS, RequestHandler>;
  return (request, response, next) => {
    const name = limitOf(request.method, request.path);
    return name === null ? next() : handlers[name](request, response, next);
  };
}
