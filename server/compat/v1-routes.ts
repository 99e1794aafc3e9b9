import * as api from '../../protocol/compat/api-v1.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { heldAssets } from '../assets/held.ts';
import { amountIn } from '../balances/amount.ts';
import { readBalance } from '../balances/store.ts';
import { jsonapi } from '../http/json-api.ts';
import { profileAttributes } from '../identity/profile.ts';
import { countUserPayments, listPayments, readPayment, type Filters } from '../payments/read.ts';
import type { StoredPayment } from '../payments/stored-payment.ts';
import { readerOf } from '../payments/visibility.ts';
import { serve, type RouteFamily } from '../routing/route.ts';
import { isOldestFirst, mayReadAssets, mayReadProfile, namedUser } from '../api/access.ts';
import { paymentResources } from '../api/payments/payment-resource.ts';
import { routeMaker, type ApiContext } from '../api/route.ts';
import { ASSET, ATTRIBUTES, PAYMENT_RESOURCES, TIME } from '../api/openapi/samples.ts';

/** Maximum number of payments that a page number can skip. */
const FURTHEST = 10_000;

/** Routes under /api/v1. Requests for another user's resource get 404 `not-found`, as if it didn't exist. */
export function v1Routes(context: ApiContext): RouteFamily {
  const { db, addresses, rates, currencies } = context;
  const route = routeMaker(context);
  const currencyRoute = (kind: 'crypto' | 'fiat', id: string, summary: string, code: string, name: string) =>
    route(
      {
        id,
        method: 'get',
        path: `/api/v1/currencies/${kind}`,
        tag: 'API v1',
        summary,
        by: 'anybody',
        answers: { 200: api.currenciesDocument },
        example: { answer: { data: [{ id: code, type: 'currencies', attributes: { code, name } }], jsonapi } },
      },
      async ({ response }) => {
        const { [kind]: listed } = await currencies();
        response.set('Cache-Control', 'public, max-age=60');
        return { data: listed.map((one) => ({ id: one.code, type: 'currencies', attributes: { ...one } })), jsonapi };
      },
    );

  return serve([
    route(
      {
        id: 'readIdentity',
        method: 'get',
        path: '/api/v1/auth/user_identity',
        tag: 'API v1',
        summary: 'Returns the user’s identity',
        by: ['auth.user_identity:read'],
        answers: { 200: api.identityDocument },
        example: {
          answer: { data: { id: '17', type: 'user_identities', attributes: { id: '17', name: 'Alice' } }, jsonapi },
        },
      },
      ({ user: { id, name } }) => ({
        data: { id: String(id), type: 'user_identities', attributes: { id: String(id), name } },
        jsonapi,
      }),
    ),
    route(
      {
        id: 'readProfileDocument',
        method: 'get',
        path: '/api/v1/users/{id}/profile',
        tag: 'API v1',
        summary: 'The user’s profile',
        by: ['users.profiles:read'],
        answers: { 200: api.profileDocument },
        errors: ['not-found'],
        example: { answer: { data: { id: '17', type: 'profiles', attributes: ATTRIBUTES }, jsonapi } },
      },
      ({ access, params }) => {
        const user = namedUser(access, params.id);
        return {
          data: { id: String(user.id), type: 'profiles', attributes: profileAttributes(user, addresses) },
          jsonapi,
        };
      },
    ),
    route(
      {
        id: 'readUserDocument',
        method: 'get',
        path: '/api/v1/users/{id}',
        tag: 'API v1',
        summary: 'Returns the user, with the profile if the token has users.profiles:read',
        by: ['auth.user_identity:read'],
        answers: { 200: api.userDocument },
        errors: ['not-found'],
        example: { answer: { data: { id: '17', type: 'users', attributes: { ...ATTRIBUTES, id: '17' } }, jsonapi } },
      },
      ({ access, params }) => {
        const user = namedUser(access, params.id);
        const id = String(user.id);
        const profile = mayReadProfile(access) ? profileAttributes(user, addresses) : {};
        return { data: { id, type: 'users', attributes: { ...profile, id, name: user.name } }, jsonapi };
      },
    ),
    route(
      {
        id: 'readBalanceDocument',
        method: 'get',
        path: '/api/v1/users/{id}/balance',
        tag: 'API v1',
        summary:
          'Returns the balance last published by the wallet, with assets if the token may read them. 404 until one is published',
        by: ['users.balance:read'],
        answers: { 200: api.balanceDocument },
        errors: ['not-found'],
        example: {
          answer: {
            data: {
              id: '17',
              type: 'amounts',
              attributes: { amount: '75.00', currency: 'EUR', satoshis: '150000000', 'published-at': TIME },
              relationships: { 'asset-amounts': { data: [{ id: ASSET.id, type: 'asset-amounts' }] } },
            },
            included: [
              {
                id: ASSET.id,
                type: 'asset-amounts',
                attributes: {
                  amount: '12.50',
                  currency: ASSET.id,
                  name: ASSET.name,
                  'paymail-alias': ASSET.paymailAlias,
                  'paymail-domain': ASSET.paymailDomain,
                  'token-id': ASSET.tokenId,
                },
              },
            ],
            jsonapi,
          },
        },
      },
      async ({ access, params }) => {
        const user = namedUser(access, params.id);
        const { satoshis, publishedAt, assets: published } = await readBalance(db, user.id);
        const known = await rates().then(
          ({ value }) => value,
          () => ({}),
        );
        const amount = amountIn(user.defaultCurrency, satoshis, known) ?? amountIn('BSV', satoshis, {});
        const attributes = { ...amount, 'published-at': publishedAt.toISOString() };
        const data = { id: String(user.id), type: 'amounts' as const, attributes };
        const held = published && mayReadAssets(access) ? await heldAssets(db, published) : [];
        if (held.length === 0) return { data, jsonapi };
        const included = held.map(({ asset, amount }) => ({
          id: asset.id,
          type: 'asset-amounts' as const,
          attributes: {
            amount,
            currency: asset.id,
            name: asset.name,
            'paymail-alias': asset.paymailAlias,
            'paymail-domain': addresses.paymailDomain,
            'token-id': asset.tokenId,
          },
        }));
        const references = included.map(({ id, type }) => ({ id, type }));
        return { data: { ...data, relationships: { 'asset-amounts': { data: references } } }, included, jsonapi };
      },
    ),
    route(
      {
        id: 'listUserPayments',
        method: 'get',
        path: '/api/v1/users/{id}/payments',
        tag: 'API v1',
        summary: 'Lists payments that the user sent or received, in pages',
        by: ['payments:read'],
        query: api.userPaymentsQuery,
        answers: { 200: api.userPaymentsDocument },
        errors: ['not-found', 'invalid-request'],
        example: {
          query: { 'page[number]': '1', 'page[size]': '20' },
          answer: {
            data: [PAYMENT_RESOURCES.payment],
            included: PAYMENT_RESOURCES.included,
            meta: { 'total-pages': 1 },
            jsonapi,
          },
        },
      },
      async (call) => {
        const user = namedUser(call.access, call.params.id);
        const { query } = call;
        const limit = Number(query['page[size]'] ?? 20);
        const filters = filtersOf(query);
        const offset = (Number(query['page[number]'] ?? 1) - 1) * limit;
        if (offset > FURTHEST)
          throw new ServiceError('invalid-request', {
            message: 'Pages can’t go beyond 10,000 payments. Use a filter, or the cursors of /api/v2.',
          });
        const { payments } = await listPayments(db, { userId: user.id, clientIdentifiers: [] }, filters, {
          limit,
          offset,
          oldestFirst: isOldestFirst(query),
        });
        const pages = Math.ceil((await countUserPayments(db, user.id, filters, FURTHEST + limit)) / limit);
        return { ...resources(payments), meta: { 'total-pages': pages }, jsonapi };
      },
    ),
    route(
      {
        id: 'listPaymentDocuments',
        method: 'get',
        path: '/api/v1/payments',
        tag: 'API v1',
        summary: 'Lists payments that the user may read, or that were made through the application',
        by: ['payments:read', 'application_access:write'],
        query: api.paymentsQuery,
        answers: { 200: api.paymentsDocument },
        errors: ['invalid-request'],
        example: {
          query: { limit: '20', 'filter[button-id]': 'invoice-17' },
          answer: {
            data: [PAYMENT_RESOURCES.payment],
            included: PAYMENT_RESOURCES.included,
            links: { next: null },
            jsonapi,
          },
        },
      },
      async (call) => {
        const reader = await readerOf(db, call.access);
        const { query } = call;
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
          more && offset + limit <= FURTHEST
            ? `${addresses.baseUrl}/api/v1/payments?${new URLSearchParams(parameters)}`
            : null;
        return { ...resources(payments), links: { next }, jsonapi };
      },
    ),
    route(
      {
        id: 'readPaymentDocument',
        method: 'get',
        path: '/api/v1/payments/{id}',
        tag: 'API v1',
        summary: 'One payment',
        by: ['payments:read', 'application_access:write'],
        answers: { 200: api.paymentDocument },
        errors: ['not-found'],
        example: { answer: { data: PAYMENT_RESOURCES.payment, included: PAYMENT_RESOURCES.included, jsonapi } },
      },
      async ({ access, params }) => {
        const reader = await readerOf(db, access);
        const { payment, included } = paymentResources(await readPayment(db, reader, String(params.id)));
        return { data: payment, included, jsonapi };
      },
    ),
    currencyRoute('crypto', 'listCryptoCurrencies', 'Cryptocurrencies', 'BSV', 'Bitcoin SV'),
    currencyRoute('fiat', 'listFiatCurrencies', 'National currencies', 'EUR', 'Euro'),
  ]);
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
