/** All scopes (RFC 6749, section 3.3) with their descriptions. */

/** Scopes granted by users. Each description completes "It may …" on the consent page. */
export const USER_SCOPES = {
  'auth.user_identity:read': 'see your user ID and name',
  'users.profiles:read': 'see your profile: name, paymail, picture, bio, currency and language',
  'users.balance:read': 'see your balance, as last published by your wallet',
  'payments:read':
    'see your payments, sent and received, and those made through your applications: amounts, senders, recipients, times and the data that came with them',
  'users.asset:read': 'see your assets: those you created and, if it may see your balance, those you hold',
  'users.asset:write': 'create, change and delete assets in your name',
} as const;

/** Scopes for an application acting for itself, with its secret. */
export const APPLICATION_SCOPES = {
  'application_access:write': 'see the payments made through it',
} as const;

export type UserScope = keyof typeof USER_SCOPES;
export type ApplicationScope = keyof typeof APPLICATION_SCOPES;
export type Scope = UserScope | ApplicationScope;

/**
 * Parses a `scope` parameter: names separated by single spaces. Removes duplicates, and keeps the order. Null if the
 * parameter is empty or malformed, or if a name isn't in `known` (RFC 6749, section 3.3).
 */
export function readScopes<S extends Scope>(text: string, known: Readonly<Record<S, string>>): S[] | null {
  const names = text.split(' ');
  return names.every((name) => Object.hasOwn(known, name)) ? ([...new Set(names)] as S[]) : null;
}
