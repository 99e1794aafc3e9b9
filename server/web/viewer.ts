import type { Request, RequestHandler, Response } from 'express';
import type { Addresses } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { readSession } from '../identity/session.ts';
import type { Viewer } from '../page/layout.ts';

export interface ViewerContext {
  db: Database;
  addresses: Addresses;
  now: () => Date;
}

/** Returns the signed-in user who sent a request, or null. Cached per request for the page header. */
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

/** Looks up the signed-in user for page headers. Skips styles, scripts and pictures. */
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
