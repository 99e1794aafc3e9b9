/** API v2 routes for applications, in plain JSON. */
import type * as z from 'zod/mini';
import * as api from '../../protocol/http/api-v2.ts';
import { paymentResponse } from '../../protocol/http/api.ts';
import { assetBalanceMessage, balanceMessage } from '../../protocol/signed-messages/balance-message.ts';
import { heldAssets } from '../assets/held.ts';
import { amountIn } from '../balances/amount.ts';
import { readBalance } from '../balances/store.ts';
import { changeProfile, profileOf } from '../identity/profile.ts';
import type { Access } from '../identity/tokens.ts';
import { listPayments, readCursor, readPayment, writeCursor } from '../payments/read.ts';
import type { StoredPayment } from '../payments/stored-payment.ts';
import { paymentView } from '../payments/view.ts';
import { readerOf, type Reader } from '../payments/visibility.ts';
import { serve, type Route, type RouteFamily } from '../routing/route.ts';
import { isOldestFirst, mayReadAssets, mayReadProfile } from './access.ts';
import { routeMaker, type ApiContext, type Call } from './route.ts';
import { ASSET, PAYMENT, PAYMENT_RESPONSE, PROFILE, PUBLIC_KEY, SIGNATURE, TIME } from './openapi/samples.ts';

const HELD = [{ tokenId: ASSET.tokenId as string, amount: '1250' }];
const BALANCE_ASSET = {
  id: ASSET.id,
  name: ASSET.name,
  paymailAlias: ASSET.paymailAlias,
  paymailDomain: ASSET.paymailDomain,
  tokenId: ASSET.tokenId,
};

/** Routes under /api/v2, for applications. Requests for another user's resource get 404 `not-found`. */
export function v2Routes(context: ApiContext): RouteFamily {
  const { db, addresses, rates, currencies } = context;
  const route = routeMaker(context);

  const balances = (id: string, path: '/api/v2/me/balances' | '/api/v2/me/wallets/active/balances', summary: string) =>
    route(
      {
        id,
        method: 'get',
        path,
        tag: 'API v2',
        summary,
        by: ['users.balance:read'],
        answers: { 200: api.balancesResponse },
        errors: ['not-found'],
        example: {
          answer: {
            balances: [
              { currency: 'BSV', amount: '1.5', satoshis: '150000000' },
              { currency: 'EUR', amount: '69.00', satoshis: '150000000' },
              { currency: ASSET.id, amount: '12.50', satoshis: null, asset: BALANCE_ASSET },
            ],
            published: {
              satoshis: '150000000',
              time: TIME,
              publicKey: PUBLIC_KEY,
              message: balanceMessage({
                origin: 'https://pay.example',
                userId: '17',
                satoshis: '150000000',
                time: TIME,
              }),
              signature: SIGNATURE,
              assets: {
                held: HELD,
                message: assetBalanceMessage({ origin: 'https://pay.example', userId: '17', assets: HELD, time: TIME }),
                signature: SIGNATURE,
              },
            },
          },
        },
      },
      async ({ access, user }) => {
        const balance = await readBalance(db, user.id);
        const { satoshis, signature, publishedAt } = balance;
        const known = await rates().then(
          ({ value }) => value,
          () => ({}),
        );
        const shown = [...new Set(['BSV', user.defaultCurrency])];
        const published = { satoshis: String(satoshis), time: publishedAt.toISOString() };
        const by = { origin: addresses.baseUrl, userId: String(user.id) };
        const message = balanceMessage({ ...by, ...published });
        const { assets: held, assetsSignature } = balance;
        const assets = held &&
          assetsSignature !== null &&
          mayReadAssets(access) && {
            held,
            message: assetBalanceMessage({ ...by, assets: held, time: published.time }),
            signature: assetsSignature,
          };
        return {
          balances: [
            ...shown.flatMap((currency) => amountIn(currency, satoshis, known) ?? []),
            ...(assets ? await heldAssets(db, held) : []).map(({ asset, amount }) => ({
              currency: asset.id,
              amount,
              satoshis: null,
              asset: {
                id: asset.id,
                name: asset.name,
                paymailAlias: asset.paymailAlias,
                paymailDomain: addresses.paymailDomain,
                tokenId: asset.tokenId,
              },
            })),
          ],
          published: { ...published, publicKey: user.publicKey, message, signature, ...(assets && { assets }) },
        };
      },
    );

  const payments = (
    [listId, list]: [id: string, summary: string],
    [oneId, one]: [id: string, summary: string],
    path: '/api/v2/payments' | '/api/v2/me/payments',
    reader: (access: Access) => Promise<Reader>,
  ): Route[] => {
    const shared = { method: 'get', tag: 'API v2', by: ['payments:read', 'application_access:write'] } as const;
    return [
      route(
        {
          ...shared,
          id: listId,
          path,
          summary: list,
          query: api.paymentListQuery,
          answers: { 200: api.paymentsResponse },
          errors: ['invalid-request'],
          example: {
            query: { limit: '20', buttonId: 'invoice-17' },
            answer: { payments: [PAYMENT], nextCursor: null },
          },
        },
        async (call) => paymentList(call, await reader(call.access)),
      ),
      route(
        {
          ...shared,
          id: oneId,
          path: `${path}/{id}`,
          summary: one,
          answers: { 200: paymentResponse },
          errors: ['not-found'],
          example: { answer: PAYMENT_RESPONSE },
        },
        async ({ access, params }) => paymentView(await readPayment(db, await reader(access), String(params.id))),
      ),
    ];
  };

  return serve([
    route(
      {
        id: 'readMe',
        method: 'get',
        path: '/api/v2/me',
        tag: 'API v2',
        summary: 'Returns the user, with the profile if the token has users.profiles:read',
        by: ['auth.user_identity:read'],
        answers: { 200: api.meResponse },
        example: { answer: { user: { id: '17', name: 'Alice' }, profile: PROFILE } },
      },
      ({ access, user }) => ({
        user: { id: String(user.id), name: user.name },
        profile: mayReadProfile(access) ? profileOf(user, addresses) : null,
      }),
    ),
    route(
      {
        id: 'readProfile',
        method: 'get',
        path: '/api/v2/me/profile',
        tag: 'API v2',
        summary: 'The user’s profile',
        by: ['users.profiles:read'],
        answers: { 200: api.profileResponse },
        example: { answer: { profile: PROFILE } },
      },
      ({ user }) => ({ profile: profileOf(user, addresses) }),
    ),
    route(
      {
        id: 'changeProfile',
        method: 'patch',
        path: '/api/v2/me',
        tag: 'Wallets',
        summary: 'Changes the given fields of the profile',
        by: 'owner',
        body: api.profileChange,
        answers: { 200: api.profileResponse },
        errors: ['invalid-request'],
        once: true,
        example: { body: { bio: 'Writes about gardens.' }, answer: { profile: PROFILE } },
      },
      async ({ db: tx, user, body }) => ({
        profile: profileOf(await changeProfile(tx, user.id, body, currencies), addresses),
      }),
    ),
    balances(
      'readBalances',
      '/api/v2/me/balances',
      'Returns the balance last published and signed by the wallet, with assets if the token may read them. 404 until one is published',
    ),
    balances(
      'readWalletBalances',
      '/api/v2/me/wallets/active/balances',
      'Alias of /api/v2/me/balances for older software',
    ),
    ...payments(
      [
        'listOwnPayments',
        'Lists payments that the user sent or received, or for an application, those made through it',
      ],
      ['readOwnPayment', 'Returns one of them'],
      '/api/v2/me/payments',
      // A user's token lists the user's sent and received payments. An application's own token lists payments made
      // through the application.
      async (access) => (access.user ? { userId: access.user.id, clientIdentifiers: [] } : readerOf(db, access)),
    ),
    ...payments(
      ['listPayments', 'Lists payments that the user may read, or that were made through the application'],
      ['readPayment', 'One payment'],
      '/api/v2/payments',
      (access) => readerOf(db, access),
    ),
    route(
      {
        id: 'listCurrencies',
        method: 'get',
        path: '/api/v2/currencies',
        tag: 'API v2',
        summary: 'Lists the currencies for amounts',
        by: 'anybody',
        answers: { 200: api.currenciesResponse },
        example: { answer: { crypto: [{ code: 'BSV', name: 'Bitcoin SV' }], fiat: [{ code: 'EUR', name: 'Euro' }] } },
      },
      async ({ response }) => {
        const { crypto, fiat } = await currencies();
        response.set('Cache-Control', 'public, max-age=60');
        return { crypto: [...crypto], fiat: [...fiat] };
      },
    ),
  ]);

  async function paymentList({ query }: Call<z.output<typeof api.paymentListQuery>, unknown>, reader: Reader) {
    const { limit = '20', cursor, sort, ...filters } = query;
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const { payments: found, more } = await listPayments(db, reader, filters, {
      limit: Number(limit),
      after,
      oldestFirst: isOldestFirst({ sort }),
    });
    const last = found.at(-1);
    return { payments: found.map(listed), nextCursor: more && last ? writeCursor(last.payment) : null };
  }
}

function listed({ rawtxListed, ...stored }: StoredPayment & { rawtxListed: boolean }) {
  const { payment } = paymentView(stored);
  return rawtxListed ? payment : { ...payment, rawtx: null };
}
