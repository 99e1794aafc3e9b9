/** Headers that every answer carries. */
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Security headers (helmet), with a policy under which a page runs nothing but this server's own files: no inline
 * script or style, no frame around it. The button draws with constructable style sheets, which need no exception.
 * @param secure true where browsers come by https: then they are told to stay there
 */
export function securityHeaders(secure: boolean): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    strictTransportSecurity: secure ? { maxAge: 365 * 24 * 3600, includeSubDomains: false } : false,
  });
}

/** Lets scripts of any site read an answer that holds nothing private. Never with credentials (Fetch standard, 3.2). */
export const readableByAll: RequestHandler = (_request, response, next) => {
  response.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
  next();
};

/** Keeps an answer out of every cache. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};
