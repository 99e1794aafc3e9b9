import { refundsResponse } from '../../../protocol/http/api-v2.ts';
import { refundsTo } from '../../payments/refunds.ts';
import { serve, type RouteFamily } from '../../routing/route.ts';
import { routeMaker, type ApiContext } from '../route.ts';
import { ID, TXID } from '../openapi/samples.ts';

/** Max refunds per response: more than a wallet checks in one run. */
const MAX_REFUNDS_PER_RESPONSE = 100;

export function refundRoutes(context: ApiContext): RouteFamily {
  const { db } = context;
  const route = routeMaker(context);
  return serve([
    route(
      {
        tag: 'Wallets',
        by: 'wallet',
        id: 'listRefunds',
        method: 'get',
        path: '/api/v2/me/refunds',
        summary:
          'Lists refunds of the account’s own payments, newest first, at most 100: the refunded payment, the transaction and the amount',
        answers: { 200: refundsResponse },
        example: { answer: { refunds: [{ paymentId: ID, txid: TXID, satoshis: '200000' }] } },
      },
      async ({ user }) => ({
        refunds: (await refundsTo(db, user.id, MAX_REFUNDS_PER_RESPONSE)).map(({ satoshis, ...refund }) => ({
          ...refund,
          satoshis: satoshis.toString(),
        })),
      }),
    ),
  ]);
}
