/** Bearer tokens (RFC 6750) and cookie sessions: 256 random bits with a prefix for the kind, stored as hashes. */
import { eq, is, lte, sql } from 'drizzle-orm';
import { PgTransaction } from 'drizzle-orm/pg-core';
import type { Request } from 'express';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Application } from '../applications/store.ts';
import { inBatches, perDatabase } from '../database/batch.ts';
import type { Database } from '../database/connect.ts';
import { accessTokens, applications, users } from '../database/schema.ts';
import type { ApplicationScope, Scope, UserScope } from './scopes.ts';
import { USER_COLUMNS, type User } from './accounts.ts';
import { hashSecret, randomSecret } from '../secrets.ts';

/** Lifetime of an access token, in seconds (specification, section 8). */
export const TOKEN_SECONDS = 3600;
/** Lifetime of a session on the server's own pages, in seconds. */
export const SESSION_SECONDS = 12 * 3600;

/**
 * A token's kind, which is also its prefix: `wallet_…` for wallets, `session_…` for our own pages, `user_…` for a
 * user's grant to an application, `application_…` for the application itself.
 */
export type TokenKind = 'wallet' | 'session' | 'user' | 'application';

const SECONDS: Record<TokenKind, number> = {
  wallet: TOKEN_SECONDS,
  session: SESSION_SECONDS,
  user: TOKEN_SECONDS,
  application: TOKEN_SECONDS,
};

/**
 * A token's subject and permissions. Wallets and sessions have no application. An application acting for itself has no
 * user.
 */
export interface TokenSubject {
  userId?: number;
  applicationId?: string;
  authorizationId?: string;
  scopes?: readonly Scope[];
}

/** Creates a token, and the database columns that don't depend on its subject. Only the token's hash is stored. */
export function newToken(kind: TokenKind, now: Date, token = randomSecret(`${kind}_`)) {
  return {
    token,
    row: {
      tokenHash: hashSecret(token),
      kind,
      createdAt: now,
      expiresAt: new Date(now.getTime() + SECONDS[kind] * 1000),
    },
  };
}

/** Creates and stores a token. @param secret the token itself, if it is derived; random by default */
export async function issueToken(
  db: Database,
  kind: TokenKind,
  subject: number | TokenSubject,
  now: Date,
  secret?: string,
): Promise<string> {
  const {
    userId = null,
    applicationId = null,
    authorizationId = null,
    scopes,
  } = typeof subject === 'number' ? { userId: subject } : subject;
  const { token, row } = newToken(kind, now, secret);
  const whole = { ...row, userId, applicationId, authorizationId, scopes: scopes ? [...scopes] : null };
  if (is(db, PgTransaction)) {
    await db.insert(accessTokens).values(whole);
  } else {
    const error = await insertOf(db)(whole);
    if (error !== null) throw error;
  }
  return token;
}

type TokenRow = typeof accessTokens.$inferSelect;

/** Stores concurrently issued tokens in one statement and one commit. Returns each token's error, or null. */
const insertOf = perDatabase((db) => {
  const all = (name: string, type: string) => sql`${sql.placeholder(name)}::${sql.raw(type)}[]`;
  const statement = db
    .insert(accessTokens)
    .select(sql`
    select token_hash, kind, user_id, application_id, authorization_id, string_to_array(scopes, ' '), created_at, expires_at
    from unnest(${all('tokenHash', 'text')}, ${all('kind', 'text')}, ${all('userId', 'bigint')}, ${all('applicationId', 'uuid')}, ${all('authorizationId', 'uuid')},
      ${all('scopes', 'text')}, ${all('createdAt', 'timestamptz')}, ${all('expiresAt', 'timestamptz')})
    as t (token_hash, kind, user_id, application_id, authorization_id, scopes, created_at, expires_at)`)
    .prepare('insert_tokens');
  return inBatches(async (rows: readonly TokenRow[]): Promise<readonly unknown[]> => {
    try {
      await statement.execute({
        tokenHash: rows.map((row) => row.tokenHash),
        kind: rows.map((row) => row.kind),
        userId: rows.map((row) => row.userId),
        applicationId: rows.map((row) => row.applicationId),
        authorizationId: rows.map((row) => row.authorizationId),
        scopes: rows.map((row) => row.scopes?.join(' ') ?? null),
        createdAt: rows.map((row) => row.createdAt.toISOString()),
        expiresAt: rows.map((row) => row.expiresAt.toISOString()),
      });
      return rows.map(() => null);
    } catch {
      // An invalid token, such as one whose application was just deleted, must not affect the other tokens.
      return Promise.all(
        rows.map((row) =>
          db
            .insert(accessTokens)
            .values(row)
            .then(
              () => null,
              (error: unknown) => error,
            ),
        ),
      );
    }
  });
});

/** A valid token: kind, subject and scopes (null for wallets and sessions, which have full access). */
export interface Access {
  kind: TokenKind;
  user: User | null;
  /** Only the columns needed by every request. */
  application: Pick<Application, 'id' | 'clientIdentifier'> | null;
  scopes: readonly string[] | null;
  expiresAt: Date;
}

/** Returns the access that a token grants, or null if the token is unknown, expired or revoked. */
export async function readToken(db: Database, token: string, now: Date): Promise<Access | null> {
  const access = await lookupOf(db)(hashSecret(token));
  return access && access.expiresAt > now ? access : null;
}

/** Every request with a token does this lookup, so concurrent lookups share one statement. */
const lookupOf = perDatabase((db) => {
  const statement = db
    .select({
      token: {
        tokenHash: accessTokens.tokenHash,
        kind: accessTokens.kind,
        scopes: accessTokens.scopes,
        expiresAt: accessTokens.expiresAt,
      },
      user: USER_COLUMNS,
      application: { id: applications.id, clientIdentifier: applications.clientIdentifier },
    })
    .from(accessTokens)
    .leftJoin(users, eq(users.id, accessTokens.userId))
    .leftJoin(applications, eq(applications.id, accessTokens.applicationId))
    .where(sql`${accessTokens.tokenHash} = any(${sql.placeholder('hashes')}::text[])`)
    .prepare('tokens_by_hash');
  return inBatches(async (hashes: readonly string[]): Promise<readonly (Access | null)[]> => {
    const found = await statement.execute({ hashes });
    const byHash = new Map(
      found.map(({ token: { tokenHash, kind, scopes, expiresAt }, user, application }) => [
        tokenHash,
        { kind, user, application, scopes, expiresAt },
      ]),
    );
    return hashes.map((hash) => byHash.get(hash) ?? null);
  });
});

/** The scopes that a route requires. Wallet tokens have full access to their user's data. */
export interface Demand {
  user?: UserScope;
  application?: ApplicationScope;
}

/**
 * Returns the access that a request's bearer token grants. Rejections are explained in `WWW-Authenticate` (RFC 6750,
 * section 3). Accepts tokens only in the header. An additional token in the URL or body is an error (section 2).
 * @throws ServiceError `unauthenticated`, `insufficient-scope`, `invalid-request` (malformed, or two methods)
 */
export async function requireBearer(db: Database, request: Request, now: Date, demand: Demand): Promise<Access> {
  const refuse = (code: 'unauthenticated' | 'insufficient-scope' | 'invalid-request', challenge: string) => {
    request.res?.set('WWW-Authenticate', challenge);
    return new ServiceError(code);
  };
  const header = request.headers.authorization;
  if (header === undefined || !/^bearer(?: |$)/i.test(header)) throw refuse('unauthenticated', 'Bearer');
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
  const twice =
    'access_token' in request.query ||
    (typeof request.body === 'object' && request.body !== null && 'access_token' in request.body);
  if (token === undefined || twice) throw refuse('invalid-request', 'Bearer error="invalid_request"');
  const access = await readToken(db, token, now);
  if (!access || access.kind === 'session') throw refuse('unauthenticated', 'Bearer error="invalid_token"');
  if (access.kind === 'wallet') return access;
  const scope = access.kind === 'user' ? demand.user : demand.application;
  if (scope === undefined || !access.scopes?.includes(scope)) {
    const wanted = demand.user ?? demand.application;
    throw refuse(
      'insufficient-scope',
      `Bearer error="insufficient_scope"${wanted === undefined ? '' : `, scope="${wanted}"`}`,
    );
  }
  return access;
}

/** Returns the user whose wallet sent a request. @throws ServiceError see {@link requireBearer} */
export async function requireWallet(db: Database, request: Request, now: Date): Promise<User> {
  return (await requireBearer(db, request, now, {})).user as User;
}

export async function deleteExpiredTokens(db: Database, now: Date): Promise<void> {
  await db.delete(accessTokens).where(lte(accessTokens.expiresAt, now));
}
