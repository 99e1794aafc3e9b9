/** Introspection of a client's own tokens (RFC 7662, section 2.2). */
import type { Application } from '../applications/store.ts';
import type { Database } from '../database/connect.ts';
import { readToken } from '../identity/tokens.ts';
import { findRefreshToken } from './authorizations.ts';

/** The introspection response: only `active: false` for an invalid token or another client's token. */
type Introspection =
  | { active: false }
  | {
      active: true;
      scope: string;
      client_id: string;
      token_type?: 'Bearer';
      /** Seconds since 1970. */
      exp: number;
      iss: string;
      /** The user's ID, if the token's scopes include it. */
      sub?: string;
    };

const seconds = (time: Date) => Math.floor(time.getTime() / 1000);

export async function introspect(
  { db, issuer, now }: { db: Database; issuer: string; now: Date },
  application: Application,
  token: string,
): Promise<Introspection> {
  const subject = (userId: number | undefined, scopes: readonly string[]) =>
    userId !== undefined && scopes.includes('auth.user_identity:read') ? { sub: String(userId) } : {};

  const access = await readToken(db, token, now);
  if (access?.application?.id === application.id) {
    const scopes = access.scopes ?? [];
    return {
      active: true,
      scope: scopes.join(' '),
      client_id: access.kind === 'user' ? application.oauthIdentifier : application.clientIdentifier,
      token_type: 'Bearer',
      exp: seconds(access.expiresAt),
      iss: issuer,
      ...subject(access.user?.id, scopes),
    };
  }
  const refresh = await findRefreshToken(db, token, now);
  if (refresh?.authorization.applicationId === application.id) {
    const { scopes, userId } = refresh.authorization;
    return {
      active: true,
      scope: scopes.join(' '),
      client_id: application.oauthIdentifier,
      exp: seconds(refresh.expiresAt),
      iss: issuer,
      ...subject(userId, scopes),
    };
  }
  return { active: false };
}
