/** Cookie sessions for the service's own pages, and for the API routes that these pages call. */
import { createHash } from 'node:crypto';
import { and, eq, or } from 'drizzle-orm';
import type { CookieOptions, Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Database } from '../database/connect.ts';
import { accessTokens } from '../database/schema.ts';
import type { User } from './accounts.ts';
import { hashSecret } from '../secrets.ts';
import { SESSION_SECONDS, issueToken, readToken } from './tokens.ts';

/** A signed-in user of the pages, with the CSRF token for the pages' forms. */
export interface Session {
  user: User;
  /** CSRF token, derived from the session's secret. */
  formToken: string;
}

const nameOf = (secure: boolean) => (secure ? '__Host-session' : 'session');
const optionsOf = (secure: boolean): CookieOptions => ({ httpOnly: true, secure, sameSite: 'lax', path: '/' });

function cookieOf(request: Request, secure: boolean): string | null {
  const prefix = `${nameOf(secure)}=`;
  const found = (request.headers.cookie ?? '').split(/; */).filter((one) => one.startsWith(prefix));
  // If there are two cookies with this name, another host or page has set one of them, so neither is accepted.
  return found.length === 1 ? (found[0] as string).slice(prefix.length) : null;
}

/** Derives the bearer token for a sign-in on the pages from the session's secret so that signing out can revoke it. */
const bearerOf = (sessionToken: string): string =>
  `wallet_${createHash('sha256').update(`bearer ${sessionToken}`).digest('base64url')}`;

/**
 * Begins a session and stores its bearer token, which is revoked when the user signs out. Ends the request's session,
 * because its cookie is replaced, so signing out could no longer end it.
 * @returns the bearer token
 */
export async function beginSessionWithToken(
  db: Database,
  request: Request,
  response: Response,
  userId: number,
  secure: boolean,
  now: Date,
): Promise<string> {
  // In one transaction, so an error of the database doesn't sign the user out, or leave a session without its token.
  const [token, bearer] = await db.transaction(async (tx) => {
    await revokeSession(tx, request, secure);
    const session = await issueToken(tx, 'session', userId, now);
    return [session, await issueToken(tx, 'wallet', userId, now, bearerOf(session))];
  });
  response.cookie(nameOf(secure), token, { ...optionsOf(secure), maxAge: SESSION_SECONDS * 1000 });
  return bearer;
}

/** Returns the session of the user signed in on the pages, or null. */
export async function readSession(db: Database, request: Request, secure: boolean, now: Date): Promise<Session | null> {
  const token = cookieOf(request, secure);
  if (token === null || !/^session_[A-Za-z0-9_-]{43}$/.test(token)) return null;
  const access = await readToken(db, token, now);
  if (access?.kind !== 'session' || !access.user) return null;
  return { user: access.user, formToken: hashSecret(`form ${token}`) };
}

/** Ends the request's session, and revokes the session's bearer token. */
export async function endSession(db: Database, request: Request, response: Response, secure: boolean): Promise<void> {
  await revokeSession(db, request, secure);
  response.clearCookie(nameOf(secure), optionsOf(secure));
}

async function revokeSession(db: Database, request: Request, secure: boolean): Promise<void> {
  const token = cookieOf(request, secure);
  if (token !== null)
    await db
      .delete(accessTokens)
      .where(
        or(
          and(eq(accessTokens.tokenHash, hashSecret(token)), eq(accessTokens.kind, 'session')),
          and(eq(accessTokens.tokenHash, hashSecret(bearerOf(token))), eq(accessTokens.kind, 'wallet')),
        ),
      );
}

/** Returns a request's source from the headers in which browsers report it. Pages can't set these headers. */
function saidOrigin(request: Request): { origin: string | null; site: string | null } {
  const { origin, 'sec-fetch-site': site } = request.headers;
  return {
    origin: origin === undefined || origin === 'null' ? null : origin,
    site: typeof site === 'string' ? site : null,
  };
}

/** True if the browser reports that another site's page sent the request. */
export function isFromElsewhere(request: Request, baseUrl: string): boolean {
  const { origin, site } = saidOrigin(request);
  return (origin !== null && origin !== baseUrl) || (site !== null && site !== 'same-origin');
}

/**
 * Accepts only requests from this service's own pages. Browsers send the origin of other sites' pages (Fetch standard,
 * section 3.2). Forms on pages with `no-referrer`, such as ours, send `null`, so `Sec-Fetch-Site` is checked as well.
 * @throws ServiceError `forbidden`
 */
export function assertFromOwnPages(request: Request, baseUrl: string): void {
  const { origin, site } = saidOrigin(request);
  if (isFromElsewhere(request, baseUrl) || (origin === null && site === null)) throw new ServiceError('forbidden');
}

export function fromOwnPages(baseUrl: string): RequestHandler {
  return (request, _response, next) => {
    assertFromOwnPages(request, baseUrl);
    next();
  };
}
