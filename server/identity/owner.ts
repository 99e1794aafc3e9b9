/** Authenticates users who call the API for themselves, with a wallet's token or a session on this service's pages. */
import type { Request } from 'express';
import type { Addresses } from '../config.ts';
import type { Database } from '../database/connect.ts';
import type { User } from './accounts.ts';
import { assertFromOwnPages, isFromElsewhere, readSession } from './session.ts';
import { requireWallet } from './tokens.ts';

export interface OwnerContext {
  db: Database;
  addresses: Addresses;
  now: () => Date;
}

/**
 * Returns the user who sent a request with a wallet token or, from this service's own pages, with a session.
 * State-changing requests with a session must come from the service's own pages ({@link assertFromOwnPages}).
 * @throws ServiceError `unauthenticated`, `insufficient-scope`, `invalid-request`, `forbidden` (another site's page)
 */
export async function requireOwner({ db, addresses, now }: OwnerContext, request: Request): Promise<User> {
  if (request.headers.authorization === undefined) {
    const session = await readSession(db, request, addresses.secure, now());
    if (session) {
      const reads = request.method === 'GET' || request.method === 'HEAD';
      if (!reads) assertFromOwnPages(request, addresses.baseUrl);
      if (!isFromElsewhere(request, addresses.baseUrl)) return session.user;
    }
  }
  return requireWallet(db, request, now());
}
