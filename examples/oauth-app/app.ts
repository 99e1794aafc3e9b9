/**
 * Signs users in with Service Button, and shows the data that they permit the application to read. openid-client
 * handles OAuth. This file serves the pages and stores the tokens.
 */
import { randomBytes } from 'node:crypto';
import express, { type Express, type Request, type Response } from 'express';
import * as oauth from 'openid-client';
import { readUser } from './api.ts';
import { homePage, problemPage, userPage } from './pages.ts';

/** The application's credentials and URL. `baseUrl` followed by `/callback` is its registered redirect URL. */
export interface OAuthAppSettings {
  serviceUrl: string;
  clientId: string;
  /** Set only for applications that must authenticate with their secret. */
  clientSecret?: string | undefined;
  baseUrl: string;
}

/** The requested scopes. Request only the scopes that you need, because users see the list. */
const SCOPE = 'auth.user_identity:read users.profiles:read users.balance:read payments:read';

/** A visitor's session. Sessions are in memory. A real application stores them in a database. */
interface Visit {
  /** Set during a sign-in, to verify the service's response. */
  pending?: { state: string; verifier: string };
  tokens?: { access: string; refresh: string | undefined; expiresAt: number };
}

export async function createOAuthApp({
  serviceUrl,
  clientId,
  clientSecret,
  baseUrl,
}: OAuthAppSettings): Promise<Express> {
  const visits = new Map<string, Visit>();
  // Plain http is acceptable only for testing on your own machine.
  const isLoopback = ['localhost', '127.0.0.1'].includes(new URL(serviceUrl).hostname);
  const service = await oauth.discovery(
    new URL(serviceUrl),
    clientId,
    undefined,
    clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(clientSecret),
    {
      algorithm: 'oauth2',
      execute: isLoopback ? [oauth.allowInsecureRequests] : [],
    },
  );
  const app = express();
  app.disable('x-powered-by');
  app.use((_request, response, next) => {
    response.set({
      'Content-Security-Policy':
        "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
    });
    next();
  });
  app.get('/style.css', (_request, response) => response.sendFile('style.css', { root: import.meta.dirname }));

  app.get('/', async (request, response) => {
    const tokens = visitOf(request)?.tokens;
    if (!tokens) return void response.send(homePage());
    try {
      return void response.send(userPage(await readUser(serviceUrl, await accessToken(tokens))));
    } catch (error) {
      // If the permission was revoked or has expired, the visitor must sign in again.
      if (!isOver(error)) throw error;
      visits.delete(cookieOf(request));
      return void response.send(homePage('Your permission has ended. Sign in again to go on.'));
    }
  });

  /**
   * Redirects the visitor to the service. `state` binds the response to this browser, and PKCE binds the code to this
   * server.
   */
  app.get('/sign-in', async (request, response) => {
    const state = oauth.randomState();
    const verifier = oauth.randomPKCECodeVerifier();
    begin(response, { pending: { state, verifier } });
    const address = oauth.buildAuthorizationUrl(service, {
      redirect_uri: `${baseUrl}/callback`,
      scope: SCOPE,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(request.query.new !== undefined && { landing: 'register' }),
    });
    response.redirect(303, address.href);
  });

  /** The redirect URL. openid-client checks state, issuer and errors before it requests tokens. */
  app.get('/callback', async (request, response) => {
    const pending = visitOf(request)?.pending;
    if (!pending)
      return void response.status(400).send(problemPage('This answer belongs to no sign-in of this browser.'));
    visits.delete(cookieOf(request));
    try {
      const answer = await oauth.authorizationCodeGrant(service, new URL(request.originalUrl, baseUrl), {
        expectedState: pending.state,
        pkceCodeVerifier: pending.verifier,
      });
      begin(response, { tokens: kept(answer) });
      return void response.redirect(303, '/');
    } catch (error) {
      const refused = error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied';
      return void response
        .status(refused ? 200 : 400)
        .send(
          problemPage(
            refused ? 'You did not allow it, so we know nothing about you.' : 'Signing in did not work. Try again.',
          ),
        );
    }
  });

  /**
   * Ends the local session. The permission remains until the user revokes it at the service, under “Connected apps”.
   */
  app.post('/sign-out', async (request, response) => {
    const tokens = visitOf(request)?.tokens;
    visits.delete(cookieOf(request));
    if (tokens) await oauth.tokenRevocation(service, tokens.refresh ?? tokens.access);
    response.clearCookie('visit').redirect(303, '/');
  });

  async function accessToken(tokens: NonNullable<Visit['tokens']>): Promise<string> {
    if (tokens.expiresAt < Date.now() + 60_000 && tokens.refresh !== undefined) {
      // The response contains no refresh token, because the current refresh token remains valid.
      Object.assign(tokens, kept(await oauth.refreshTokenGrant(service, tokens.refresh), tokens.refresh));
    }
    return tokens.access;
  }

  const visitOf = (request: Request) => visits.get(cookieOf(request));

  /** Moves a visit to a new session ID, to prevent session fixation. */
  function begin(response: Response, visit: Visit): void {
    const name = randomBytes(32).toString('base64url');
    visits.set(name, visit);
    response.cookie('visit', name, { httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:') });
  }

  return app;
}

function cookieOf(request: Request): string {
  return /(?:^|; *)visit=([\w-]{43})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
}

function kept(answer: oauth.TokenEndpointResponse, refresh = answer.refresh_token): NonNullable<Visit['tokens']> {
  return { access: answer.access_token, refresh, expiresAt: Date.now() + (answer.expires_in ?? 0) * 1000 };
}

/** True if the permission has ended, according to the API (401) or the token endpoint (invalid_grant). */
function isOver(error: unknown): boolean {
  return (
    (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') ||
    (error instanceof Error && (error.cause as { status?: number } | undefined)?.status === 401)
  );
}
