/** How much one address may ask for. Pages, files and /healthz are not counted. */
import type { RequestHandler } from 'express';
import type { RateLimits } from './rate-limit.ts';

/**
 * Generous for people behind one address, and for a shop's server that speaks for all its users; what a token may do is
 * counted besides (api/access.ts).
 */
export const LIMITS = {
  /** Registration and sign-in, two requests each: every one leaves a row and costs a signature to check. */
  'sign-in': { perMinute: 300, burst: 600 },
  /** Asked for while a handle is typed, or a user ID; an asset that a button names. */
  handles: { perMinute: 300, burst: 600 },
  /** Codes and secrets are guessed here; 256 random bits do not mind. */
  oauth: { perMinute: 3_000, burst: 3_000 },
  'api-read': { perMinute: 12_000, burst: 12_000 },
  'api-write': { perMinute: 1_200, burst: 1_200 },
  /** Of other people's paymails: keys and profiles. */
  'paymail-read': { perMinute: 3_000, burst: 3_000 },
  /** Destinations, each a row, and what is paid there; some have other hosts asked. */
  paymail: { perMinute: 600, burst: 600 },
  /** Forms of the pages. */
  forms: { perMinute: 300, burst: 300 },
} as const;

/** Which limit counts a request, null for none. */
export function limitOf(method: string, path: string): keyof typeof LIMITS | null {
  const reads = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  if (/^\/api\/v2\/(?:handles\/|assets\/|users\/\d+\/paymail$)/i.test(path)) return 'handles';
  if (/^\/api\/v2\/(?:sign-in|users)(?:\/|$)/i.test(path)) return 'sign-in';
  // The network's call-backs come from one gateway.
  if (/^\/api\/v2\/network\/callbacks\//i.test(path)) return 'api-read';
  if (/^\/oauth\//i.test(path)) return 'oauth';
  if (/^\/api\//i.test(path)) return reads ? 'api-read' : 'api-write';
  if (/^\/bsvalias\//i.test(path)) return reads ? 'paymail-read' : 'paymail';
  return reads || /^\/devnet\//i.test(path) ? null : 'forms';
}

/** Counts every request by its address, where a limit holds for it. */
export function addressLimits(limits: RateLimits): RequestHandler {
  const handlers = Object.fromEntries(
    Object.entries(LIMITS).map(([name, limit]) => [name, limits.limit({ name, ...limit })]),
  ) as Record<keyof typeof LIMITS, RequestHandler>;
  return (request, response, next) => {
    const name = limitOf(request.method, request.path);
    return name === null ? next() : handlers[name](request, response, next);
  };
}
