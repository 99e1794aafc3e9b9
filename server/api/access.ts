/** What a bearer may see, and in which order. */
import { ServiceError } from '../../protocol/errors.ts';
import type { PaymentOrder } from '../../protocol/payment.ts';
import type { User } from '../identity/accounts.ts';
import type { Access } from '../identity/tokens.ts';

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

/** Does a token that may read the balance let its bearer read what the user holds of assets, too? */
export function mayReadAssets({ scopes }: Access): boolean {
  return scopes === null || scopes.includes('users.asset:read');
}

/** What `sort` in the query of a list of payments says. */
export function isOldestFirst({ sort }: { sort?: PaymentOrder | undefined }): boolean {
  return sort !== undefined && !sort.startsWith('-');
}
