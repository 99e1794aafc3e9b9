/** Bearer tokens (RFC 6750) and cookie sessions: 256 random bits, told apart by a prefix, kept as hashes. */
import { and, eq, gt, lte } from 'drizzle-orm';
import type { Request } from 'express';
import { ServiceError } from '../../protocol/errors.ts';
import type { Database } from '../database/connect.ts';
import { accessTokens, users } from '../database/schema.ts';
import type { User } from './accounts.ts';
import { hashSecret, randomSecret } from './random.ts';

/** How long a wallet's token is good for, in seconds. */
export const TOKEN_SECONDS = 3600;
/** How long the session of the server's own pages lasts, in seconds. */
export const SESSION_SECONDS = 12 * 3600;

/** A token's kind, which is its prefix too: `wallet_…` for the wallet itself, `session_…` for the server's own pages. */
export type TokenKind = 'wallet' | 'session';

const SECONDS: Record<TokenKind, number> = { wallet: TOKEN_SECONDS, session: SESSION_SECONDS };

/** Makes a token for a user. This answer is the only place where it ever stands in clear. */
export async function issueToken(db: Database, kind: TokenKind, userId: number, now: Date): Promise<string> {
  const token = randomSecret(`${kind}_`);
  const expiresAt = new Date(now.getTime() + SECONDS[kind] * 1000);
  await db.insert(accessTokens).values({ tokenHash: hashSecret(token), kind, userId, createdAt: now, expiresAt });
  return token;
}

/** The user whom a token of this kind stands for, or null. */
async function userOfToken(db: Database, kind: TokenKind, token: string, now: Date): Promise<User | null> {
  const [found] = await db.select({ user: users }).from(accessTokens)
    .innerJoin(users, eq(users.id, accessTokens.userId))
    .where(and(eq(accessTokens.tokenHash, hashSecret(token)), eq(accessTokens.kind, kind), gt(accessTokens.expiresAt, now)));
  return found?.user ?? null;
}

/**
 * The user whose wallet sent a request. On refusal `WWW-Authenticate` says why (RFC 6750, section 3): nothing but the
 * scheme where no credentials came.
 * @throws ServiceError `unauthenticated`, `invalid-request` (malformed header)
 */
export async function requireWallet(db: Database, request: Request, now: Date): Promise<User> {
  const header = request.headers.authorization;
  const refuse = (code: 'unauthenticated' | 'invalid-request', challenge: string) => {
    request.res?.set('WWW-Authenticate', challenge);
    return new ServiceError(code);
  };
  if (header === undefined || !/^bearer(?: |$)/i.test(header)) throw refuse('unauthenticated', 'Bearer');
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
  if (token === undefined) throw refuse('invalid-request', 'Bearer error="invalid_request"');
  const user = await userOfToken(db, 'wallet', token, now);
  if (!user) throw refuse('unauthenticated', 'Bearer error="invalid_token"');
  return user;
}

/** Forgets tokens that are over. */
export async function deleteExpiredTokens(db: Database, now: Date): Promise<void> {
  await db.delete(accessTokens).where(lte(accessTokens.expiresAt, now));
}
