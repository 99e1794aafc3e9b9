/** Registration and sign-in by signature. */
import { Router, type Request, type Response } from 'express';
import { challengeRequest, signedChallenge, signedRegistration, type Session } from '../../protocol/api.ts';
import type { Network } from '../../protocol/address.ts';
import { ServiceError } from '../../protocol/errors.ts';
import type { Addresses } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { jsonBody, readBody } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import { checkFree, createUser, findByPublicKey, handleExists, type User } from '../identity/accounts.ts';
import { createChallenge, createOpenChallenge, redeemChallenge } from '../identity/challenges.ts';
import { checkRegistration, isReserved, readHandle } from '../identity/registration.ts';
import { beginSession } from '../identity/session.ts';
import { TOKEN_SECONDS, issueToken } from '../identity/tokens.ts';

/** What these routes work with. */
export interface IdentityContext {
  db: Database;
  network: Network;
  addresses: Addresses;
  now: () => Date;
}

/**
 * - POST /api/v2/sign-in/challenges: 201, of another form for `{}`, which a page sends; 400 `invalid-request`,
 * `invalid-handle`; 409 `key-taken`, `handle-taken`.
 * - POST /api/v2/users: 201; 401 `invalid-challenge`, `invalid-signature`; 409 `key-taken`, `handle-taken`.
 * - POST /api/v2/sign-in: 200; 401 `invalid-challenge`, `invalid-signature`; 404 `unknown-account`.
 * - GET /api/v2/handles/{handle}: 200; 400 `invalid-handle`.
 */
export function identityRoutes({ db, network, addresses, now }: IdentityContext): Router {
  const router = Router();
  const challenges = { db, origin: addresses.baseUrl, now };

  router.post('/api/v2/sign-in/challenges', noStore, jsonBody('100kb'), async (request, response) => {
    if (isEmptyObject(request.body)) {
      response.status(201).json(await createOpenChallenge(challenges));
      return;
    }
    const { publicKey, register } = readBody(challengeRequest, request.body);
    if (register) {
      checkRegistration(register, network);
      await checkFree(db, publicKey, register.handle);
    }
    response.status(201).json(await createChallenge(challenges, publicKey, register));
  });

  router.post('/api/v2/users', noStore, jsonBody('100kb'), async (request, response) => {
    const signed = readBody(signedRegistration, request.body);
    if (signed.register) checkRegistration(signed.register, network);
    const registration = await redeemChallenge(challenges, 'register', signed);
    if (!registration) throw new ServiceError('invalid-challenge');
    const user = await createUser(db, signed.publicKey, registration, now());
    await answerSession(request, response.status(201), user);
  });

  router.post('/api/v2/sign-in', noStore, jsonBody('100kb'), async (request, response) => {
    const signed = readBody(signedChallenge, request.body);
    await redeemChallenge(challenges, 'sign-in', signed);
    const user = await findByPublicKey(db, signed.publicKey);
    if (!user) throw new ServiceError('unknown-account');
    await answerSession(request, response.status(200), user);
  });

  router.get('/api/v2/handles/:handle', noStore, async (request, response) => {
    const handle = readHandle(String(request.params.handle));
    response.json({ handle, available: !isReserved(handle) && !(await handleExists(db, handle)) });
  });

  /** The account and a wallet's token; a session cookie too, but only for the server's own pages. */
  async function answerSession(request: Request, response: Response, user: User): Promise<void> {
    if (request.headers.origin === addresses.baseUrl) {
      await beginSession(db, response, user.id, addresses.secure, now());
    }
    const { id, handle, name } = user;
    const accessToken = await issueToken(db, 'wallet', id, now());
    const body: Session = {
      user: { id: String(id), handle, paymail: `${handle}@${addresses.paymailDomain}`, name },
      accessToken,
      expiresIn: TOKEN_SECONDS,
    };
    response.json(body);
  }

  return router;
}

/** `{}`: somebody who does not know the key. */
function isEmptyObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
}
