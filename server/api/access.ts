import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { PaymentOrder } from '../../protocol/payments/payment.ts';
import type { User } from '../identity/accounts.ts';
import type { Access } from '../identity/tokens.ts';

/** Returns the token's user if their ID equals `id`, the user ID in the path. @throws ServiceError `not-found` */
export function namedUser(access: Access, id: unknown): User {
  if (!access.user || String(access.user.id) !== id) throw new ServiceError('not-found');
  return access.user;
}

/** True if the token's scopes allow reading the profile along with the identity. */
export function mayReadProfile({ scopes }: Access): boolean {
  return scopes === null || scopes.includes('users.profiles:read');
}

/** True if the token's scopes allow reading the user's asset holdings along with the balance. */
export function mayReadAssets({ scopes }: Access): boolean {
  return scopes === null || scopes.includes('users.asset:read');
}

export function isOldestFirst({ sort }: { sort?: PaymentOrder | undefined }): boolean {
  return sort !== undefined && !sort.startsWith('-');
}
