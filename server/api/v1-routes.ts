/** The API's first generation. Its errors are error documents (see http/errors.ts). */
import { Router } from 'express';
import * as api from '../../protocol/api-v1.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { amountIn } from '../balances/amount.ts';
import { readBalance } from '../balances/store.ts';
import { noStore } from '../http/headers.ts';
import { countOwn, listPayments, readPayment, type Filters } from '../payments/read.ts';
import type { StoredPayment } from '../payments/stored-payment.ts';
import { readerOf } from '../payments/visibility.ts';
import { isOldestFirst, mayReadProfile, namedUser, readQuery, requireAccess, type ApiContext } from './access.ts';
import { sendDocument } from '../http/json-api.ts';
import { paymentResources } from './payment-resource.ts';
import { profileAttributes } from '../identity/profile.ts';

/** An application in its own name, or a user: whoever may read payments. */
const PAYMENTS = { user: 'payments:read', application: 'application_access:write' } as const;

/**
 * All but the currencies take a bearer token with a scope: 401 `unauthenticated`, 403 `insufficient-scope`. What is
 * somebody else's does not exist: 404 `not-found`.
 * - GET /api/v1/auth/user_identity (auth.user_identity:read)
 * - GET /api/v1/users/{id} (auth.user_identity:read): the profile too, where the token has its scope
 * - GET /api/v1/users/{id}/profile (users.profiles:read)
 * - GET /api/v1/users/{id}/balance (users.balance:read); 404 while none was published
 * - GET /api/v1/users/{id}/payments?page[number]&page[size]&sort (payments:read): those that the user sent or got
 * - GET /api/v1/payments?limit&offset&sort, GET /api/v1/payments/{id} (payments:read or application_access:write)
 * - GET /api/v1/currencies/crypto, GET /api/v1/currencies/fiat
 */
export function v1Routes(context: ApiContext): Router {
  const { db, addresses, rates, currencies } = context;
  const router = Router();

  router.get('/api/v1/auth/user_identity', noStore, async (request, response) => {
    const { user } = await requireAccess(context, request, response, { user: 'auth.user_identity:read' });
    if (!user) throw new ServiceError('not-found');
    const id = String(user.id);
    sendDocument(response, api.identityDocument, {
      data: { id, type: 'user_identities', attributes: { id, name: user.name } },
    });
  });

  router.get('/api/v1/users/:id/profile', noStore, async (request, response) => {
    const user = namedUser(
      await requireAccess(context, request, response, { user: 'users.profiles:read' }),
      request.params.id,
    );
    sendDocument(response, api.profileDocument, {
      data: { id: String(user.id), type: 'profiles', attributes: profileAttributes(user, addresses.paymailDomain) },
    });
  });

  router.get('/api/v1/users/:id', noStore, async (request, response) => {
    const access = await requireAccess(context, request, response, { user: 'auth.user_identity:read' });
    const user = namedUser(access, request.params.id);
    const id = String(user.id);
    const profile = mayReadProfile(access) ? profileAttributes(user, addresses.paymailDomain) : {};
    sendDocument(response, api.userDocument, {
      data: { id, type: 'users', attributes: { ...profile, id, name: user.name } },
    });
  });

  router.get('/api/v1/users/:id/balance', noStore, async (request, response) => {
    const user = namedUser(
      await requireAccess(context, request, response, { user: 'users.balance:read' }),
      request.params.id,
    );
    const { satoshis, publishedAt } = await readBalance(db, user.id);
    const inBsv = amountIn('BSV', satoshis, {});
    const own = amountIn(
      user.defaultCurrency,
      satoshis,
      await rates().then(
        ({ value }) => value,
        () => ({}),
      ),
    );
    const attributes = { ...(own ?? inBsv), 'published-at': publishedAt.toISOString() };
    sendDocument(response, api.balanceDocument, { data: { id: String(user.id), type: 'amounts', attributes } });
  });

  router.get('/api/v1/users/:id/payments', noStore, async (request, response) => {
    const user = namedUser(
      await requireAccess(context, request, response, { user: 'payments:read' }),
      request.params.id,
    );
    const query = readQuery(api.userPaymentsQuery, request);
    const limit = Number(query['page[size]'] ?? 20);
    const filters = filtersOf(query);
    const offset = (Number(query['page[number]'] ?? 1) - 1) * limit;
    if (offset > 10_000)
      throw new ServiceError('invalid-request', {
        message: 'Page no further than 10,000 payments: filter, or use the cursors of /api/v2.',
      });
    const { payments } = await listPayments(db, { userId: user.id, clientIdentifiers: [] }, filters, {
      limit,
      offset,
      oldestFirst: isOldestFirst(query),
    });
    const pages = Math.ceil((await countOwn(db, user.id, filters)) / limit);
    sendDocument(response, api.userPaymentsDocument, { ...resources(payments), meta: { 'total-pages': pages } });
  });

  router.get('/api/v1/payments', noStore, async (request, response) => {
    const reader = await readerOf(db, await requireAccess(context, request, response, PAYMENTS));
    const query = readQuery(api.paymentsQuery, request);
    const [limit, offset] = [Number(query.limit ?? 20), Number(query.offset ?? 0)];
    const { payments, more } = await listPayments(db, reader, filtersOf(query), {
      limit,
      offset,
      oldestFirst: isOldestFirst(query),
    });
    const parameters = Object.entries({ ...query, limit: String(limit), offset: String(offset + limit) }).flatMap(
      ([name, value]) => (value === undefined ? [] : [[name, value]]),
    );
    const next =
      more && offset + limit <= 10_000
        ? `${addresses.baseUrl}/api/v1/payments?${new URLSearchParams(parameters)}`
        : null;
    sendDocument(response, api.paymentsDocument, { ...resources(payments), links: { next } });
  });

  router.get('/api/v1/payments/:id', noStore, async (request, response) => {
    const reader = await readerOf(db, await requireAccess(context, request, response, PAYMENTS));
    const { payment, included } = paymentResources(await readPayment(db, reader, String(request.params.id)));
    sendDocument(response, api.paymentDocument, { data: payment, included });
  });

  for (const kind of ['crypto', 'fiat'] as const) {
    router.get(`/api/v1/currencies/${kind}`, async (_request, response) => {
      const { [kind]: listed } = await currencies();
      response.set('Cache-Control', 'public, max-age=60');
      sendDocument(response, api.currenciesDocument, {
        data: listed.map(({ code, name }) => ({ id: code, type: 'currencies', attributes: { code, name } })),
      });
    });
  }

  return router;
}

function filtersOf(query: {
  'filter[button-id]'?: string | undefined;
  'filter[status]'?: Filters['status'];
  'filter[txid]'?: string | undefined;
}): Filters {
  return { buttonId: query['filter[button-id]'], status: query['filter[status]'], txid: query['filter[txid]'] };
}

function resources(payments: readonly (StoredPayment & { rawtxListed: boolean })[]) {
  const all = payments.map(paymentResources);
  return { data: all.map(({ payment }) => payment), included: all.flatMap(({ included }) => included) };
}
