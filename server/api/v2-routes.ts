/** The API's second generation, as far as applications read it: plain JSON. */
import { Router } from 'express';
import type * as z from 'zod/mini';
import * as api from '../../protocol/api-v2.ts';
import { balanceMessage } from '../../protocol/balance-message.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { amountIn } from '../balances/amount.ts';
import { readBalance } from '../balances/store.ts';
import { jsonBody, readBody } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import { answerOnce } from '../http/idempotency.ts';
import type { User } from '../identity/accounts.ts';
import { requireOwner } from '../identity/owner.ts';
import { listPayments, readCursor, readPayment, writeCursor } from '../payments/read.ts';
import type { StoredPayment } from '../payments/stored-payment.ts';
import { paymentView } from '../payments/view.ts';
import { readerOf, type Reader } from '../payments/visibility.ts';
import { isOldestFirst, mayReadProfile, readQuery, requireAccess, type ApiContext } from './access.ts';
import { changeProfile, profileOf } from '../identity/profile.ts';
import type { Access } from '../identity/tokens.ts';
import type { Request } from 'express';

const PAYMENTS = { user: 'payments:read', application: 'application_access:write' } as const;

/**
 * All but the currencies take a bearer token with a scope: 401 `unauthenticated`, 403 `insufficient-scope`. What is
 * somebody else's does not exist: 404 `not-found`.
 * - GET /api/v2/me (auth.user_identity:read): the profile too, where the token has its scope
 * - GET /api/v2/me/profile (users.profiles:read)
 * - PATCH /api/v2/me (wallets, and this service's own pages): 200; 400 `invalid-request`
 * - GET /api/v2/me/balances, also as /api/v2/me/wallets/active/balances (users.balance:read); 404 while none was
 * published
 * - GET /api/v2/me/payments, GET /api/v2/me/payments/{id} (payments:read or application_access:write): those that the
 * user
 *   sent or got; or that were made through the application itself
 * - GET /api/v2/payments, GET /api/v2/payments/{id} (payments:read or application_access:write): those made through the
 *   user's applications, too; or through the application itself
 * - GET /api/v2/me/assets (users.asset:read): empty until they are designed
 * - GET /api/v2/currencies
 */
export function v2Routes(context: ApiContext): Router {
  const { db, addresses, now, rates, currencies } = context;
  const router = Router();

  router.get('/api/v2/me', noStore, async (request, response) => {
    const access = await requireAccess(context, request, response, { user: 'auth.user_identity:read' });
    const user = userOf(access);
    const body: z.infer<typeof api.meResponse> = {
      user: { id: String(user.id), name: user.name },
      profile: mayReadProfile(access) ? profileOf(user, addresses.paymailDomain) : null,
    };
    response.json(body);
  });

  router.get('/api/v2/me/profile', noStore, async (request, response) => {
    const user = userOf(await requireAccess(context, request, response, { user: 'users.profiles:read' }));
    const body: z.infer<typeof api.profileResponse> = { profile: profileOf(user, addresses.paymailDomain) };
    response.json(body);
  });

  router.patch('/api/v2/me', noStore, jsonBody('100kb'), async (request, response) => {
    const user = await requireOwner(context, request);
    const change = readBody(api.profileChange, request.body);
    await answerOnce({
      db,
      now,
      request,
      response,
      subject: `user:${user.id}`,
      write: async (tx) => {
        const body: z.infer<typeof api.profileResponse> = {
          profile: profileOf(await changeProfile(tx, user.id, change, currencies), addresses.paymailDomain),
        };
        return { status: 200, body };
      },
    });
  });

  router.get(['/api/v2/me/balances', '/api/v2/me/wallets/active/balances'], noStore, async (request, response) => {
    const user = userOf(await requireAccess(context, request, response, { user: 'users.balance:read' }));
    const { satoshis, signature, publishedAt } = await readBalance(db, user.id);
    const known = await rates().then(
      ({ value }) => value,
      () => ({}),
    );
    const shown = [...new Set(['BSV', user.defaultCurrency])];
    const published = { satoshis: String(satoshis), time: publishedAt.toISOString() };
    const message = balanceMessage({ origin: addresses.baseUrl, userId: String(user.id), ...published });
    const body: z.infer<typeof api.balancesResponse> = {
      balances: shown.flatMap((currency) => amountIn(currency, satoshis, known) ?? []),
      published: { ...published, publicKey: user.publicKey, message, signature },
    };
    response.json(body);
  });

  router.get('/api/v2/me/payments', noStore, async (request, response) => {
    response.json(
      await paymentList(request, await ownReaderOf(await requireAccess(context, request, response, PAYMENTS))),
    );
  });

  router.get('/api/v2/me/payments/:id', noStore, async (request, response) => {
    const reader = await ownReaderOf(await requireAccess(context, request, response, PAYMENTS));
    response.json(paymentView(await readPayment(db, reader, String(request.params.id))));
  });

  router.get('/api/v2/payments', noStore, async (request, response) => {
    response.json(
      await paymentList(request, await readerOf(db, await requireAccess(context, request, response, PAYMENTS))),
    );
  });

  router.get('/api/v2/payments/:id', noStore, async (request, response) => {
    const reader = await readerOf(db, await requireAccess(context, request, response, PAYMENTS));
    response.json(paymentView(await readPayment(db, reader, String(request.params.id))));
  });

  router.get('/api/v2/me/assets', noStore, async (request, response) => {
    await requireAccess(context, request, response, { user: 'users.asset:read' });
    const body: z.infer<typeof api.assetsResponse> = { assets: [] };
    response.json(body);
  });

  router.get('/api/v2/currencies', async (_request, response) => {
    const { crypto, fiat } = await currencies();
    const body: z.infer<typeof api.currenciesResponse> = { crypto: [...crypto], fiat: [...fiat] };
    response.set('Cache-Control', 'public, max-age=60').json(body);
  });

  /** What is one's own: what a user sent or got, and what was made through an application that asks in its own name. */
  async function ownReaderOf(access: Access): Promise<Reader> {
    return access.user ? { userId: access.user.id, clientIdentifiers: [] } : readerOf(db, access);
  }

  async function paymentList(request: Request, reader: Reader): Promise<z.infer<typeof api.paymentsResponse>> {
    const { limit = '20', cursor, sort, ...filters } = readQuery(api.paymentListQuery, request);
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const { payments, more } = await listPayments(db, reader, filters, {
      limit: Number(limit),
      after,
      oldestFirst: isOldestFirst({ sort }),
    });
    const last = payments.at(-1);
    return { payments: payments.map(listed), nextCursor: more && last ? writeCursor(last.payment) : null };
  }

  return router;
}

function userOf({ user }: Access): User {
  if (!user) throw new ServiceError('not-found');
  return user;
}

function listed({ rawtxListed, ...stored }: StoredPayment & { rawtxListed: boolean }) {
  const { payment } = paymentView(stored);
  return rawtxListed ? payment : { ...payment, rawtx: null };
}
