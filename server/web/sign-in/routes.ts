/** Pages for signing in and out. The API performs the sign-in. */
import { Router } from 'express';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { findByOauthIdentifier } from '../../applications/store.ts';
import type { Addresses } from '../../config.ts';
import type { Database } from '../../database/connect.ts';
import { endSession, fromOwnPages, readSession } from '../../identity/session.ts';
import { textBody } from '../../http/body.ts';
import { FORM_TOKEN, fieldsOf } from '../form.ts';
import { sendPage } from '../../page/layout.ts';
import { returnPath } from './return-path.ts';
import { signInPage } from './sign-in-page.ts';

export interface SignInContext {
  db: Database;
  network: Network;
  addresses: Addresses;
  now: () => Date;
}

/** Larger than other forms, because the return path can contain an application's long `state`. */
const formBody = textBody('application/x-www-form-urlencoded', '100kb');

/**
 * - GET /sign-in?return=<path>&landing=login|register: the page; 303 to the path for signed-in visitors.
 * - POST /sign-out: 303 to the home page or, with `return=<path>`, to sign in as another user and then to that path.
 *   403 `forbidden` unless sent by one of this server's own pages.
 */
export function signInRoutes({ db, network, addresses, now }: SignInContext): Router {
  const router = Router();
  const { baseUrl, paymailDomain, secure } = addresses;

  router.get('/sign-in', async (request, response) => {
    const returnTo = returnPath(request.query.return, baseUrl);
    if (await readSession(db, request, secure, now())) {
      response.set('Cache-Control', 'no-store').redirect(303, returnTo);
      return;
    }
    const landing = request.query.landing === 'register' ? 'register' : 'login';
    sendPage(
      response,
      signInPage({ landing, returnTo, application: await applicationOf(db, returnTo, baseUrl), paymailDomain }),
      network,
    );
  });

  router.post('/sign-out', fromOwnPages(baseUrl), formBody, async (request, response) => {
    const session = await readSession(db, request, secure, now());
    const fields = fieldsOf(request.body);
    if (session && fields[FORM_TOKEN] !== session.formToken) throw new ServiceError('forbidden');
    await endSession(db, request, response, secure);
    response
      .set('Cache-Control', 'no-store')
      .redirect(303, fields.return === undefined ? '/' : signInPath(returnPath(fields.return, baseUrl)));
  });

  return router;
}

const signInPath = (returnTo: string) => `/sign-in?return=${encodeURIComponent(returnTo)}`;

/** Returns the name of the application whose authorization continues after signing in, or null. */
async function applicationOf(db: Database, returnTo: string, baseUrl: string): Promise<string | null> {
  const { pathname, searchParams } = new URL(returnTo, baseUrl);
  const client = searchParams.get('client_id');
  if (pathname !== '/oauth/v1/authorize' || client === null || !/^[A-Za-z0-9]{1,100}$/.test(client)) return null;
  return (await findByOauthIdentifier(db, client))?.name ?? null;
}
