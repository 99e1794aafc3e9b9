/** Headers that every answer carries. */
import type { Request, RequestHandler, Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';

/** Paths where only data is answered, never a page: the API and the token endpoint. */
const DATA = /^\/(?:api\/v[12]\/|oauth\/v1\/token(?:\/|$))/i;

/**
 * Pages on the way of a sign-in. An application may have opened them in a popup: with `Cross-Origin-Opener-Policy` the browser
 * would cut the popup's link to it, permanently, and the application would take it for closed.
 */
const SIGN_IN = /^\/(?:oauth\/|sign-in(?:\/|$)|sign-out(?:\/|$))/i;

/**
 * Security headers (helmet), with a policy under which a page runs nothing but this server's own files: no inline
 * script or style, no frame around it. The button draws with constructable style sheets, which need no exception.
 * Data carries those that mean something for it (OWASP REST Security Cheat Sheet, "Security Headers"), so that short
 * answers are not headers for the most part.
 * @param secure true where browsers come by https: then they are told to stay there
 */
export function securityHeaders(secure: boolean): RequestHandler {
  const common = {
    xFrameOptions: { action: 'deny' },
    strictTransportSecurity: secure ? { maxAge: 365 * 24 * 3600, includeSubDomains: false } : false,
  } as const;
  const none = ["'none'"];
  const page: HelmetOptions = {
    ...common,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: none,
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: none,
        frameAncestors: none,
      },
    },
  };
  const ofPages = headersOf(page);
  const ofSignIn = headersOf({ ...page, crossOriginOpenerPolicy: false });
  const ofData = headersOf({
    ...common,
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: none, frameAncestors: none } },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  return (request, response, next) => {
    const { path } = request;
    const headers = DATA.test(path) ? ofData : SIGN_IN.test(path) ? ofSignIn : ofPages;
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** What helmet sets: the same for every request, so it is asked once. */
function headersOf(options: HelmetOptions): [name: string, value: string][] {
  const all: [name: string, value: string][] = [];
  const record = { setHeader: (name: string, value: string) => void all.push([name, value]), removeHeader: () => {} };
  helmet(options)({} as Request, record as unknown as Response, (error?: unknown) => {
    if (error) throw error;
  });
  return all;
}

/**
 * Lets the forms of a page lead to any address of a scheme (`https:`, or `http:` with which CSP means both). Chromium
 * holds
 * `form-action` against every redirect that follows a form, so the application's own ones count, too: with the address
 * that it registered alone, whoever is sent on from there would be left standing here.
 */
export function allowFormsTo(response: Response, scheme: string): void {
  const policy = String(response.getHeader('Content-Security-Policy'));
  response.set('Content-Security-Policy', policy.replace("form-action 'self'", `form-action 'self' ${scheme}`));
}

/** Lets scripts of any site read an answer that holds nothing private. Never with credentials (Fetch standard, 3.2). */
export const readableByAll: RequestHandler = (_request, response, next) => {
  response.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
  next();
};

/** Keeps an answer out of every cache. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};
