/** Who calls the API, and how often they may. */
import type { Request, Response } from 'express';
import type * as z from 'zod/mini';
import { ServiceError } from '../../protocol/errors.ts';
import type { PaymentOrder } from '../../protocol/payment.ts';
import type { Addresses } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { isStorable } from '../http/body.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import type { User } from '../identity/accounts.ts';
import { requireBearer, type Access, type Demand } from '../identity/tokens.ts';
import type { RateSource } from '../network/rates.ts';
import type { CurrencySource } from '../network/currencies.ts';

/** What the API works with. */
export interface ApiContext {
  db: Database;
  addresses: Addresses;
  now: () => Date;
  rates: RateSource;
  currencies: CurrencySource;
  limits: RateLimits;
}

/** Requests with a token: of one application for one user, or in its own name; of one wallet. */
const BY_CLIENT = { name: 'client', perMinute: 1_200, burst: 1_200 };

/**
 * The bearer of a request that one of the demands lets in.
 * @throws ServiceError as {@link requireBearer}; `too-many-requests`
 */
export async function requireAccess(
  { db, now, limits }: ApiContext,
  request: Request,
  response: Response,
  demand: Demand,
): Promise<Access> {
  const access = await requireBearer(db, request, now(), demand);
  await limits.take(BY_CLIENT, `${access.application?.id ?? ''} ${access.user?.id ?? ''}`, response);
  return access;
}

/**
 * The user of a token that a user stands behind, who must be the one that the path names.
 * @throws ServiceError `not-found`
 */
export function namedUser(access: Access, id: unknown): User {
  if (!access.user || String(access.user.id) !== id) throw new ServiceError('not-found');
  return access.user;
}

/** Does a token that may read the identity let its bearer read the profile, too? */
export function mayReadProfile({ scopes }: Access): boolean {
  return scopes === null || scopes.includes('users.profiles:read');
}

/** What `sort` in the query of a list of payments says. */
export function isOldestFirst({ sort }: { sort?: PaymentOrder | undefined }): boolean {
  return sort !== undefined && !sort.startsWith('-');
}

/**
 * The query of a request as its schema reads it. What is unknown, repeated or out of range is refused: a mistyped
 * filter would otherwise show everything.
 * @throws ServiceError `invalid-request`
 */
export function readQuery<S extends z.ZodMiniType>(schema: S, request: Request): z.output<S> {
  const read = schema.safeParse({ ...request.query });
  if (read.success && isStorable(read.data)) return read.data;
  if (read.success) throw new ServiceError('invalid-request', { detail: 'text that no database holds' });
  const names = read.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')],
  );
  throw new ServiceError('invalid-request', {
    message: `These parameters are unknown, repeated or out of range: ${names.join(', ').slice(0, 200)}.`,
  });
}
