/**
 * A route of the HTTP interface, declared once: Express serves it, and OpenAPI, the reference page and the tests that
 * call every route read the same object.
 */
import { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import type * as z from 'zod/mini';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { Scope } from '../identity/scopes.ts';

/** Parts of the reference, in order. */
export const TAGS = {
  'API v2': 'Plain JSON. Money is text, times are ISO 8601 UTC.',
  OAuth: 'The authorization code flow and tokens (RFC 6749, 7009, 7636, 7662, 8414, 9207).',
  Applications: 'A user’s own applications, for the wallet and this service’s own pages.',
  'API v1': 'JSON:API documents (application/vnd.api+json), for software written for the first generation.',
  Wallets: 'For wallets: registration, sign-in, payments, balances, and payments received by paymail.',
  Paymail: 'For wallets and services that pay this service’s users (bsvalias). Pages of any site may call it.',
  Network: 'For the payment network itself.',
  Devnet:
    'The embedded test network: ARC, WhatsOnChain, an index of 1Sat ordinals and a faucet. It is there on devnet alone.',
} as const;

/**
 * Who may call a route: anybody; tokens with one of these scopes, and wallets; wallets, also those without an account
 * here, or wallets and this service's own pages; OAuth clients; the person in the browser; the network's gateway.
 */
export type Caller = 'anybody' | 'wallet' | 'any-wallet' | 'owner' | 'client' | 'person' | 'gateway' | readonly Scope[];

/** Bodies that are not described by a schema: server-sent events (WHATWG HTML, 9.2), a page, plain text; a redirect. */
export type Unstructured = 'events' | 'page' | 'text' | 'redirect';

/** A request's body by its media type. */
export type BodyType =
  | 'application/json'
  | 'application/vnd.api+json'
  | 'application/x-www-form-urlencoded'
  | 'application/octet-stream'
  | 'text/plain';

/** What is said of a route, by what its schemas read: query `Q`, body `B`, answers `A`. */
export interface Declaration<Q = unknown, B = unknown, A = unknown> {
  /** OpenAPI's operationId. */
  id: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** The whole path below the service's origin, with parameters in braces. */
  path: `/${string}`;
  tag: keyof typeof TAGS;
  summary: string;
  by: Caller;
  query?: z.ZodMiniType<Q>;
  body?: z.ZodMiniType<B>;
  /** A request without one is answered, too. */
  bodyOptional?: boolean;
  /** JSON where it is left out. */
  bodyType?: BodyType;
  /** Other forms that the body may have. */
  otherBodies?: Readonly<Partial<Record<BodyType, z.ZodMiniType>>>;
  /** Answers by status, the usual one first; null has no body. */
  answers: Readonly<Record<number, z.ZodMiniType<A> | Unstructured | null>>;
  /** Codes of errors besides those that follow from who may call it. */
  errors?: readonly ErrorCode[];
  /** Takes `Idempotency-Key`. */
  once?: boolean;
  /** What a request and its usual answer may look like. A test holds them against the schemas. */
  example?: { query?: NoInfer<Q>; body?: NoInfer<B>; answer?: NoInfer<A> };
}

/** A route with what serves it. */
export interface Route extends Declaration {
  handlers: readonly RequestHandler[];
}

/** A part of the HTTP interface: the routes that it declares, and the router that serves them. */
export interface RouteFamily {
  routes: readonly Route[];
  router: Router;
  /** Answers errors in the form of this part; what it passes on is answered as everywhere. The router has it, too. */
  onError?: ErrorRequestHandler;
}

/** The status of a route's usual answer. */
export function usualStatus({ answers }: Pick<Declaration, 'answers'>): number {
  return Number(Object.keys(answers)[0]);
}

/**
 * A router of these routes.
 * @param base what their paths begin with and the router is mounted at
 */
export function serve(routes: readonly Route[], base = ''): RouteFamily {
  const router = Router();
  for (const { method, path, handlers } of routes)
    router[method](path.slice(base.length).replaceAll(/\{(\w+)\}/g, ':$1'), ...handlers);
  return { routes, router };
}

/** All error codes that a route may answer with in the form of its part; the devnet's have forms of their own. */
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
  // Any input can be malformed: escapes that aren't UTF-8, a token in the wrong form, a key of the wrong length.
  const isRead = !open || once || query !== undefined || body !== undefined || path.includes('{');
  const malformed: ErrorCode[] = isRead ? ['invalid-request'] : [];
  const received: ErrorCode[] = body ? ['too-large', 'request-timeout'] : [];
  const any: ErrorCode[] = ['too-many-requests', 'service-unavailable'];
  return [...new Set([...errors, ...malformed, ...received, ...access, ...own, ...keyed, ...any])];
}
