/** The cookie session of the server's own pages. Only those pages accept it. */
import { createHash } from 'node:crypto';
import { and, eq, or } from 'drizzle-orm';
import type { CookieOptions, Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Database } from '../database/connect.ts';
import { accessTokens } from '../database/schema.ts';
import type { User } from './accounts.ts';
import { hashSecret } from '../secrets.ts';
import { SESSION_SECONDS, issueToken, readToken } from './tokens.ts';

/** A signed-in user of the pages, and the token in their forms against forged requests. */
export interface Session {
  user: User;
  /** Known only to the pages of this session, derived from its secret. */
  formToken: string;
}

const nameOf = (secure: boolean) => (secure ? '__Host-session' : 'session');
const optionsOf = (secure: boolean): CookieOptions => ({ httpOnly: true, secure, sameSite: 'lax', path: '/' });

function cookieOf(request: Request, secure: boolean): string | null {
  const prefix = `${nameOf(secure)}=`;
  const found = (request.headers.cookie ?? '').split(/; */).filter((one) => one.startsWith(prefix));
  // With two cookies of one name, someone else set one of them.
  return found.length === 1 ? (found[0] as string).slice(prefix.length) : null;
}

async function beginSession(
  db: Database,
  response: Response,
  userId: number,
  secure: boolean,
  now: Date,
): Promise<string> {
  const token = await issueToken(db, 'session', userId, now);
  response.cookie(nameOf(secure), token, { ...optionsOf(secure), maxAge: SESSION_SECONDS * 1000 });
  return token;
}

/** The bearer token of a sign-in on the pages, derived from the session's secret so that signing out finds it. */
const bearerOf = (sessionToken: string): string =>
  `wallet_${createHash('sha256').update(`bearer ${sessionToken}`).digest('base64url')}`;

/** Begins a session and stores its bearer token, which ends with it. @returns the bearer token */
export async function beginSessionWithToken(
  db: Database,
  response: Response,
  userId: number,
  secure: boolean,
  now: Date,
): Promise<string> {
  const bearer = bearerOf(await beginSession(db, response, userId, secure, now));
  return issueToken(db, 'wallet', userId, now, bearer);
}

/** The user signed in on the pages, or null. */
export async function readSession(db: Database, request: Request, secure: boolean, now: Date): Promise<Session | null> {
  const token = cookieOf(request, secure);
  if (token === null || !/^session_[A-Za-z0-9_-]{43}$/.test(token)) return null;
  const access = await readToken(db, token, now);
  if (access?.kind !== 'session' || !access.user) return null;
  return { user: access.user, formToken: hashSecret(`form ${token}`) };
}

/** Ends the session of a request, and the bearer token issued with it. */
export async function endSession(db: Database, request: Request, response: Response, secure: boolean): Promise<void> {
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
  response.clearCookie(nameOf(secure), optionsOf(secure));
}

/** A request's source as reported by the browser. A page can't write either header. */
function saidOrigin(request: Request): { origin: string | null; site: string | null } {
  const { origin, 'sec-fetch-site': site } = request.headers;
  return {
    origin: origin === undefined || origin === 'null' ? null : origin,
    site: typeof site === 'string' ? site : null,
  };
}

/** True if the browser reports that another site's page sent a request. */
export function isFromElsewhere(request: Request, baseUrl: string): boolean {
  const { origin, site } = saidOrigin(request);
  return (origin !== null && origin !== baseUrl) || (site !== null && site !== 'same-origin');
}

/**
 * Accepts only requests from this server's own pages, with the session's form token. Another site's carry its origin
 * (Fetch standard, section 3.2). A form on a page without referrers, such as ours, sends `null`; then the browser's
 * `Sec-Fetch-Site` decides.
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
