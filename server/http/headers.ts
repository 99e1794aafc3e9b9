import type { Request, RequestHandler, Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';

/** Paths that never return a page: the API and the token endpoint. */
const DATA = /^\/(?:api\/v[12]\/|oauth\/v1\/token(?:\/|$))/i;

/**
 * Sign-in pages, which an application can open in a popup. `Cross-Origin-Opener-Policy` would permanently sever the
 * application's reference to the popup.
 */
const SIGN_IN = /^\/(?:oauth\/|sign-in(?:\/|$)|sign-out(?:\/|$))/i;

/**
 * Sets security headers (helmet). Pages can load only this server's own files: no inline scripts or styles, no framing.
 * Data responses get only the relevant headers (OWASP REST Security Cheat Sheet, "Security Headers").
 * @param secure true if browsers use https, which adds HSTS
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

/** Computes helmet's headers once, because they are the same for every request. */
function headersOf(options: HelmetOptions): [name: string, value: string][] {
  const all: [name: string, value: string][] = [];
  const record = { setHeader: (name: string, value: string) => void all.push([name, value]), removeHeader: () => {} };
  helmet(options)({} as Request, record as unknown as Response, (error?: unknown) => {
    if (error) throw error;
  });
  return all;
}

/**
 * Allows a page's forms to redirect to any URL of a scheme (`https:`, or `http:`, which in CSP includes https).
 * Chromium checks `form-action` on every redirect after a form submission, including the application's own.
 */
export function allowFormsTo(response: Response, scheme: string): void {
  const policy = String(response.getHeader('Content-Security-Policy'));
  response.set('Content-Security-Policy', policy.replace("form-action 'self'", `form-action 'self' ${scheme}`));
}

/** Makes a public response readable by scripts on any site, but never with credentials (Fetch standard, 3.2). */
export const readableByAll: RequestHandler = (_request, response, next) => {
  response.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
  next();
};

export const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};
