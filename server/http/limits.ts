/** Rate limits per address. Pages, files and /healthz are not counted. */
import type { RequestHandler } from 'express';
import type { RateLimits } from './rate-limit.ts';

/** Generous for many people behind one address, and for shops' servers. Tokens have separate limits (api/access.ts). */
export const LIMITS = {
  /** Registration and sign-in, two requests each. Every one leaves a row and costs a signature check. */
  'sign-in': { perMinute: 300, burst: 600 },
  /** Queried while a user types a handle or a user ID, and for assets that buttons name. */
  handles: { perMinute: 300, burst: 600 },
  /** Codes and secrets could be guessed here, but they have 256 random bits. */
  oauth: { perMinute: 3_000, burst: 3_000 },
  'api-read': { perMinute: 12_000, burst: 12_000 },
  'api-write': { perMinute: 1_200, burst: 1_200 },
  /** Keys and profiles of other people's paymails. */
  'paymail-read': { perMinute: 3_000, burst: 3_000 },
  /** Destinations, each a row, and payments to them. Some cause requests to other hosts. */
  paymail: { perMinute: 600, burst: 600 },
  forms: { perMinute: 300, burst: 300 },
} as const;

export function limitOf(method: string, path: string): keyof typeof LIMITS | null {
  const reads = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  if (/^\/api\/v2\/(?:handles\/|assets\/|users\/\d+\/paymail$)/i.test(path)) return 'handles';
  if (/^\/api\/v2\/(?:sign-in|users)(?:\/|$)/i.test(path)) return 'sign-in';
  // All of the network's callbacks come from one gateway.
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
