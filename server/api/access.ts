import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { PaymentOrder } from '../../protocol/payments/payment.ts';
import type { User } from '../identity/accounts.ts';
import type { Access } from '../identity/tokens.ts';

/** The user whom a token acts for, who must be the one in the path. @throws ServiceError `not-found` */
export function namedUser(access: Access, id: unknown): User {
  if (!access.user || String(access.user.id) !== id) throw new ServiceError('not-found');
  return access.user;
}

/** True if a token that may read the identity also lets its bearer read the profile. */
export function mayReadProfile({ scopes }: Access): boolean {
  return scopes === null || scopes.includes('users.profiles:read');
}

/** True if a token that may read the balance also lets its bearer read the user's asset holdings. */
export function mayReadAssets({ scopes }: Access): boolean {
  return scopes === null || scopes.includes('users.asset:read');
}

export function isOldestFirst({ sort }: { sort?: PaymentOrder | undefined }): boolean {
  return sort !== undefined && !sort.startsWith('-');
}
