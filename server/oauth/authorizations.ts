/**
 * Authorizations: each is one run of the code flow, from the code to the tokens. Every step locks the row first so
 * that a concurrent revocation waits, and then also revokes everything that the step has issued.
 */
import { randomUUID } from 'node:crypto';
import { and, desc, eq, gt, inArray, isNotNull, isNull, lte } from 'drizzle-orm';
import type { Application } from '../applications/store.ts';
import type { Database } from '../database/connect.ts';
import { accessTokens, applications, authorizationCodes, authorizations, refreshTokens } from '../database/schema.ts';
import { hashSecret, randomSecret } from '../secrets.ts';
import { issueToken } from '../identity/tokens.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { Client } from './client.ts';
import { holdConsent, rememberConsent } from '../identity/consents.ts';
import { matchesChallenge } from './pkce.ts';
import type { UserScope } from '../identity/scopes.ts';

/** Lifetime of a code in ms (RFC 6749, section 4.1.2, recommends at most ten minutes). */
const CODE_MS = 60_000;
/** Time without use after which a refresh token expires (ms). */
export const IDLE_MS = 30 * 24 * 3600_000;

/**
 * Maximum number of redeemed authorizations per user and application, for example for several devices, and also the
 * maximum number of unredeemed ones. Each kind replaces only its own oldest, because any page can open the authorization
 * endpoint in the user's browser, but only the application can redeem the codes.
 */
export const MAX_AUTHORIZATIONS = 100;

/** The same lock order as when an application is deleted, to prevent deadlocks. */
const APPLICATION_FIRST = [applications, authorizations];

export const after = (now: Date, ms: number) => new Date(now.getTime() + ms);

export interface Grant {
  userId: number;
  application: Application;
  request: AuthorizationRequest;
  now: Date;
}

/**
 * Issues an authorization code, or returns null if the user must be prompted.
 * @param allowed true if the user has just consented; stores the consent in the code's transaction
 */
export async function issueCode(
  db: Database,
  { userId, application, request, now }: Grant,
  allowed: boolean,
): Promise<string | null> {
  const issued = await db.transaction(async (tx) => {
    if (allowed) await rememberConsent(tx, userId, application.id, request.scopes, now);
    if (!(await holdConsent(tx, userId, application.id, request.scopes))) return null;
    const id = randomUUID();
    const code = randomSecret('code_');
    const expiresAt = after(now, CODE_MS);
    await tx
      .insert(authorizations)
      .values({ id, userId, applicationId: application.id, scopes: [...request.scopes], createdAt: now, expiresAt });
    await tx.insert(authorizationCodes).values({
      codeHash: hashSecret(code),
      authorizationId: id,
      redirectUri: request.redirectUri,
      codeChallenge: request.codeChallenge,
      expiresAt,
    });
    return code;
  });
  await deleteBeyondLimit(db, { userId, applicationId: application.id }, 'unredeemed', now);
  return issued;
}

/** Deletes authorizations beyond the limit. Must be called outside transactions, to avoid deadlocks. */
async function deleteBeyondLimit(
  db: Database,
  { userId, applicationId }: { userId: number; applicationId: string },
  kind: 'redeemed' | 'unredeemed',
  now: Date,
): Promise<void> {
  const { usedAt } = authorizationCodes;
  const older = await db
    .select({ id: authorizations.id })
    .from(authorizations)
    .innerJoin(authorizationCodes, eq(authorizationCodes.authorizationId, authorizations.id))
    .where(
      and(
        eq(authorizations.userId, userId),
        eq(authorizations.applicationId, applicationId),
        kind === 'redeemed' ? isNotNull(usedAt) : isNull(usedAt),
      ),
    )
    .orderBy(desc(authorizations.createdAt), desc(authorizations.id))
    .offset(MAX_AUTHORIZATIONS);
  if (older.length === 0) return;
  const ids = older.map(({ id }) => id);
  // A code that has been redeemed since it was read has a later expiry.
  const stillUnredeemed = lte(authorizations.expiresAt, after(now, CODE_MS));
  await db
    .delete(authorizations)
    .where(and(inArray(authorizations.id, ids), kind === 'unredeemed' ? stillUnredeemed : undefined));
}

/** A client's request to redeem a code. */
export interface Redemption {
  code: string;
  redirectUri: string;
  codeVerifier: string | undefined;
}

export interface Redeemed {
  accessToken: string;
  refreshToken: string;
  scopes: readonly string[];
}

/** `replayed` is the ID of an authorization whose code was already used. */
type Outcome = { redeemed: Redeemed; userId: number } | { replayed: string } | null;

/**
 * Redeems a code once, even if requests are concurrent. Any further attempt by the code's client is a replay, and
 * revokes the authorization and everything issued from it (RFC 6749, section 4.1.2; RFC 9700, section 4.5).
 * @returns null if the code is invalid
 */
export async function redeemCode(
  db: Database,
  application: Application,
  redemption: Redemption,
  now: Date,
): Promise<Redeemed | null> {
  const codeHash = hashSecret(redemption.code);
  const outcome = await db.transaction(async (tx): Promise<Outcome> => {
    const [found] = await tx
      .select({ code: authorizationCodes, authorization: authorizations })
      .from(authorizationCodes)
      .innerJoin(authorizations, eq(authorizations.id, authorizationCodes.authorizationId))
      .innerJoin(applications, eq(applications.id, authorizations.applicationId))
      .where(and(eq(authorizationCodes.codeHash, codeHash), eq(authorizations.applicationId, application.id)))
      .for('key share', { of: APPLICATION_FIRST });
    if (!found) return null;
    const { code, authorization } = found;
    if (code.usedAt !== null) return { replayed: authorization.id };
    if (
      code.redirectUri !== redemption.redirectUri ||
      !matchesChallenge(code.codeChallenge, redemption.codeVerifier) ||
      code.expiresAt <= now
    )
      return null;
    const used = await tx
      .update(authorizationCodes)
      .set({ usedAt: now })
      .where(and(eq(authorizationCodes.codeHash, codeHash), isNull(authorizationCodes.usedAt)))
      .returning({ codeHash: authorizationCodes.codeHash });
    if (used.length === 0) return { replayed: authorization.id };
    const { id: authorizationId, userId, scopes } = authorization;
    const refreshToken = randomSecret('refresh_');
    const expiresAt = after(now, IDLE_MS);
    await tx.update(authorizations).set({ expiresAt }).where(eq(authorizations.id, authorizationId));
    await tx
      .insert(refreshTokens)
      .values({ tokenHash: hashSecret(refreshToken), authorizationId, createdAt: now, expiresAt });
    const accessToken = await issueToken(
      tx,
      'user',
      { userId, applicationId: application.id, authorizationId, scopes: scopes as UserScope[] },
      now,
    );
    return { redeemed: { accessToken, refreshToken, scopes }, userId };
  });
  // Revoked outside the transaction, because concurrent attempts with the same code also lock the row, and upgrading
  // the lock could deadlock.
  if (outcome !== null && 'replayed' in outcome) await endAuthorization(db, outcome.replayed);
  if (outcome === null || 'replayed' in outcome) return null;
  await deleteBeyondLimit(db, { userId: outcome.userId, applicationId: application.id }, 'redeemed', now);
  return outcome.redeemed;
}

/** Returns a valid refresh token's authorization, and when the token expires if unused. */
export async function findRefreshToken(
  db: Database,
  token: string,
  now: Date,
): Promise<{ authorization: typeof authorizations.$inferSelect; expiresAt: Date } | null> {
  const [found] = await db
    .select({ authorization: authorizations, expiresAt: refreshTokens.expiresAt })
    .from(refreshTokens)
    .innerJoin(authorizations, eq(authorizations.id, refreshTokens.authorizationId))
    .where(and(eq(refreshTokens.tokenHash, hashSecret(token)), gt(refreshTokens.expiresAt, now)));
  return found ?? null;
}

/** Returns the client that a refresh token was issued to, without authenticating it. Null for an unknown token. */
export async function findRefreshTokensClient(db: Database, token: string): Promise<Client | null> {
  const [found] = await db
    .select({ application: applications })
    .from(refreshTokens)
    .innerJoin(authorizations, eq(authorizations.id, refreshTokens.authorizationId))
    .innerJoin(applications, eq(applications.id, authorizations.applicationId))
    .where(eq(refreshTokens.tokenHash, hashSecret(token)));
  return found ? { application: found.application, proven: false } : null;
}

export async function endAuthorization(db: Database, id: string): Promise<void> {
  await db.delete(authorizations).where(eq(authorizations.id, id));
}

export async function endAccessToken(db: Database, token: string): Promise<void> {
  await db.delete(accessTokens).where(eq(accessTokens.tokenHash, hashSecret(token)));
}

export async function deleteExpiredAuthorizations(db: Database, now: Date): Promise<void> {
  await db.delete(authorizations).where(lte(authorizations.expiresAt, now));
}
