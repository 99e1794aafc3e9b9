/** Who looks at the pages. */
import type { Request, RequestHandler, Response } from 'express';
import type { Addresses } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { readSession } from '../identity/session.ts';
import type { Viewer } from '../page/layout.ts';

/** What {@link readViewer} works with. */
export interface ViewerContext {
  db: Database;
  addresses: Addresses;
  now: () => Date;
}

/**
 * Who sent a request, null for nobody who is signed in. Asked of the database once a request; the header of the page
 * names them.
 */
export async function readViewer(
  { db, addresses, now }: ViewerContext,
  request: Request,
  response: Response,
): Promise<Viewer | null> {
  if (response.locals.viewer === undefined) {
    const session = await readSession(db, request, addresses.secure, now());
    response.locals.viewer = session && { ...session, paymail: `${session.user.handle}@${addresses.paymailDomain}` };
  }
  return response.locals.viewer as Viewer | null;
}

/** Lets every page that a browser shows name who is signed in. Its styles, scripts and pictures need not know. */
export function recogniseViewer(context: ViewerContext): RequestHandler {
  const recognise: RequestHandler = async (request, response, next) => {
    await readViewer(context, request, response);
    next();
  };
  return (request, response, next) =>
    request.headers.cookie !== undefined && request.headers.accept?.includes('text/html') === true
      ? recognise(request, response, next)
      : next();
}
