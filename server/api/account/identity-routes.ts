import type { Request, Response } from 'express';
import * as z from 'zod/mini';
import * as api from '../../../protocol/http/api.ts';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { readBody } from '../../http/body.ts';
import { checkFree, createUser, findByPublicKey, type User } from '../../identity/accounts.ts';
import { createChallenge, createOpenChallenge, redeemChallenge } from '../../identity/challenges.ts';
import { isHandleTaken } from '../../identity/handles.ts';
import { checkRegistration, isReserved, readHandle } from '../../identity/registration.ts';
import { beginSessionWithToken } from '../../identity/session.ts';
import { TOKEN_SECONDS, issueToken } from '../../identity/tokens.ts';
import { serve, type RouteFamily } from '../../routing/route.ts';
import { routeMaker, type ApiContext } from '../route.ts';
import { NONCE, PUBLIC_KEY, SIGNATURE, TIME, TOKEN, XPUB } from '../openapi/samples.ts';

const shared = { tag: 'Wallets', by: 'anybody' } as const;
/** The service's own pages send an empty object if they don't have the user's key. */
const challengeRequest = z.union([api.challengeRequest, z.strictObject({})]);
const challengeResponse = z.union([api.challengeResponse, api.openChallengeResponse]);
const SESSION: api.Session = {
  user: { id: '17', handle: 'alice', paymail: 'alice@pay.example', name: 'Alice' },
  accessToken: TOKEN,
  expiresIn: TOKEN_SECONDS,
};

/** Routes for wallets, and for this service's own pages, which submit a wallet's signature. */
export function identityRoutes(context: ApiContext & { network: Network }): RouteFamily {
  const { db, network, addresses, now } = context;
  const challenges = { db, origin: addresses.baseUrl, now };
  const route = routeMaker(context);

  return serve([
    route(
      {
        ...shared,
        id: 'createChallenge',
        method: 'post',
        path: '/api/v2/sign-in/challenges',
        summary: 'Returns a text to sign for registration or sign-in, or only a nonce for the body {} that pages send',
        body: challengeRequest,
        answers: { 201: challengeResponse },
        errors: ['invalid-request', 'invalid-handle', 'key-taken', 'handle-taken'],
        example: {
          body: { publicKey: PUBLIC_KEY, register: { handle: 'alice', name: 'Alice', receivingXpub: XPUB } },
          answer: { nonce: NONCE, message: 'pay.example wants you to sign in …', expiresAt: TIME },
        },
      },
      async ({ request }) => {
        if (isEmptyObject(request.body)) return createOpenChallenge(challenges);
        const { publicKey, register } = readBody(api.challengeRequest, request.body);
        if (register) {
          checkRegistration(register, network);
          await checkFree(db, publicKey, register.handle);
        }
        return createChallenge(challenges, publicKey, register);
      },
    ),
    route(
      {
        ...shared,
        id: 'createUser',
        method: 'post',
        path: '/api/v2/users',
        summary: 'Registers a user',
        body: api.signedRegistration,
        answers: { 201: api.session },
        errors: ['invalid-request', 'invalid-challenge', 'invalid-signature', 'key-taken', 'handle-taken'],
        example: { body: { publicKey: PUBLIC_KEY, nonce: NONCE, signature: SIGNATURE }, answer: SESSION },
      },
      async ({ request, response, body: signed }) => {
        if (signed.register) checkRegistration(signed.register, network);
        const registration = await redeemChallenge(challenges, 'register', signed);
        if (!registration) throw new ServiceError('invalid-challenge');
        return sessionOf(request, response, await createUser(db, signed.publicKey, registration, now()));
      },
    ),
    route(
      {
        ...shared,
        id: 'signIn',
        method: 'post',
        path: '/api/v2/sign-in',
        summary: 'Signs in',
        body: api.signedChallenge,
        answers: { 200: api.session },
        errors: ['invalid-request', 'invalid-challenge', 'invalid-signature', 'unknown-account'],
        example: { body: { publicKey: PUBLIC_KEY, nonce: NONCE, signature: SIGNATURE }, answer: SESSION },
      },
      async ({ request, response, body: signed }) => {
        await redeemChallenge(challenges, 'sign-in', signed);
        const user = await findByPublicKey(db, signed.publicKey);
        if (!user) throw new ServiceError('unknown-account');
        return sessionOf(request, response, user);
      },
    ),
    route(
      {
        ...shared,
        id: 'checkHandle',
        method: 'get',
        path: '/api/v2/handles/{handle}',
        summary: 'Returns whether a handle is available',
        answers: { 200: api.handleResponse },
        errors: ['invalid-handle'],
        example: { answer: { handle: 'alice', available: true } },
      },
      async ({ params }) => {
        const handle = readHandle(String(params.handle));
        return { handle, available: !isReserved(handle) && !(await isHandleTaken(db, handle)) };
      },
    ),
  ]);

  /** Creates a session with a wallet token. Our own pages also get a cookie, which expires with the token. */
  async function sessionOf(request: Request, response: Response, user: User): Promise<api.Session> {
    const { id, handle, name } = user;
    const accessToken =
      request.headers.origin === addresses.baseUrl
        ? await beginSessionWithToken(db, request, response, id, addresses.secure, now())
        : await issueToken(db, 'wallet', id, now());
    return {
      user: { id: String(id), handle, paymail: `${handle}@${addresses.paymailDomain}`, name },
      accessToken,
      expiresIn: TOKEN_SECONDS,
    };
  }
}

function isEmptyObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
}
