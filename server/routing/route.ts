/** An HTTP API route, declared once for Express, OpenAPI, the reference and the tests that call every route. */
import { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import type * as z from 'zod/mini';
import type { ErrorCode } from '../../protocol/errors/service-error.ts';
import type { Scope } from '../identity/scopes.ts';

/** Parts of the reference, in order, with their descriptions. */
export const TAGS = {
  'API v2': 'Plain JSON. Money is text, times are ISO 8601 UTC.',
  OAuth: 'The authorization code flow and tokens (RFC 6749, 7009, 7636, 7662, 8414, 9207).',
  Applications: 'A user’s own applications, for the wallet and this service’s own pages.',
  'API v1': 'JSON:API documents (application/vnd.api+json), for software written for the first generation.',
  Wallets: 'For wallets: registration, sign-in, payments, balances, and payments received by paymail.',
  Paymail: 'For wallets and services that pay this service’s users (bsvalias). Pages of any site may call it.',
  Network: 'For the payment network itself.',
  Devnet: 'The embedded test network, only on devnet: ARC, WhatsOnChain, an index of 1Sat ordinals and a faucet.',
} as const;

/**
 * Permitted callers, in this order: anyone; wallets; wallets even without an account here; wallets and our own pages;
 * OAuth clients; the user in the browser; the network's gateway; wallets and tokens with one of these scopes.
 */
export type Caller = 'anybody' | 'wallet' | 'any-wallet' | 'owner' | 'client' | 'person' | 'gateway' | readonly Scope[];

/** Bodies without a schema: server-sent events (WHATWG HTML, 9.2), a page, plain text, a redirect. */
export type Unstructured = 'events' | 'page' | 'text' | 'redirect';

/** Media type of a request body. */
export type BodyType =
  | 'application/json'
  | 'application/vnd.api+json'
  | 'application/x-www-form-urlencoded'
  | 'application/octet-stream'
  | 'text/plain';

/** A route's declaration, typed by its schemas: query `Q`, body `B`, responses `A`. */
export interface Declaration<Q = unknown, B = unknown, A = unknown> {
  id: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** The full path after the service's origin, with parameters in braces. */
  path: `/${string}`;
  tag: keyof typeof TAGS;
  summary: string;
  by: Caller;
  query?: z.ZodMiniType<Q>;
  body?: z.ZodMiniType<B>;
  /** True if requests without a body are also accepted. */
  bodyOptional?: boolean;
  bodyType?: BodyType;
  /** Schemas for other accepted media types. */
  otherBodies?: Readonly<Partial<Record<BodyType, z.ZodMiniType>>>;
  /** Responses by status, the usual one first. Null for a response without a body. */
  answers: Readonly<Record<number, z.ZodMiniType<A> | Unstructured | null>>;
  /** Error codes in addition to those implied by `by`. */
  errors?: readonly ErrorCode[];
  once?: boolean;
  /** An example request and its usual response. A test checks both against the schemas. */
  example?: { query?: NoInfer<Q>; body?: NoInfer<B>; answer?: NoInfer<A> };
}

export interface Route extends Declaration {
  handlers: readonly RequestHandler[];
}

/** A part of the HTTP API: its declared routes, and the router that serves them. */
export interface RouteFamily {
  routes: readonly Route[];
  router: Router;
  /** Sends this part's errors in its own format. Errors passed on get the default format. */
  onError?: ErrorRequestHandler;
}

export function usualStatus({ answers }: Pick<Declaration, 'answers'>): number {
  return Number(Object.keys(answers)[0]);
}

/** Creates a router for these routes. @param base the common path prefix at which the router is mounted */
export function serve(routes: readonly Route[], base = ''): RouteFamily {
  const router = Router();
  for (const { method, path, handlers } of routes)
    router[method](path.slice(base.length).replaceAll(/\{(\w+)\}/g, ':$1'), ...handlers);
  return { routes, router };
}

/** Returns all error codes that a route can return. Returns none for devnet, whose errors have different formats. */
export function errorsOf({ by, once, tag, path, query, body, errors = [] }: Declaration): ErrorCode[] {
  if (tag === 'Devnet') return [];
  const open = by === 'anybody' || by === 'client' || by === 'person';
  const access: ErrorCode[] = open
    ? []
    : by === 'gateway'
      ? ['unauthenticated']
      : ['unauthenticated', 'insufficient-scope'];
  const own: ErrorCode[] = by === 'owner' ? ['forbidden'] : [];
  const keyed: ErrorCode[] = once ? ['idempotency-conflict', 'request-under-way'] : [];
  // Any input can be malformed: invalid percent-encoding, a malformed token, a key of the wrong length.
  const isRead = !open || once || query !== undefined || body !== undefined || path.includes('{');
  const malformed: ErrorCode[] = isRead ? ['invalid-request'] : [];
  const received: ErrorCode[] = body ? ['too-large', 'request-timeout'] : [];
  const any: ErrorCode[] = ['too-many-requests', 'service-unavailable'];
  return [...new Set([...errors, ...malformed, ...received, ...access, ...own, ...keyed, ...any])];
}
