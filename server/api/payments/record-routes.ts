/** The service's records of an account's transactions, for wallets restored from recovery words. */
import { recordsQuery, recordsResponse } from '../../../protocol/http/records.ts';
import { metadataOf } from '../../../protocol/payments/metadata.ts';
import { receivedRecords, sentRecords } from '../../payments/records.ts';
import { serve, type RouteFamily } from '../../routing/route.ts';
import { routeMaker, type ApiContext } from '../route.ts';
import { SCRIPT, TXID } from '../openapi/samples.ts';

export function recordRoutes(context: ApiContext): RouteFamily {
  const { db } = context;
  const route = routeMaker(context);
  return serve([
    route(
      {
        tag: 'Wallets',
        by: 'wallet',
        id: 'listRecords',
        method: 'get',
        path: '/api/v2/me/records',
        summary:
          'Returns the account’s reports of these transactions, and the senders of those received by paymail, for a restored wallet. At most 50 transactions',
        query: recordsQuery,
        answers: { 200: recordsResponse },
        errors: ['invalid-request'],
        example: {
          query: { txids: TXID },
          answer: {
            sent: [
              {
                txid: TXID,
                origin: 'https://shop.example',
                clientIdentifier: null,
                serviceAmount: '2.50',
                currency: 'USD',
                ...metadataOf({ label: 'A book', buttonId: 'invoice-17' }),
                outputs: [
                  { type: 'PAYMAIL', to: 'till@shop.example', scripts: [{ script: SCRIPT, satoshis: '5000000' }] },
                ],
              },
            ],
            received: [],
          },
        },
      },
      async ({ user, query }) => {
        const txids = [...new Set(query.txids.split(','))];
        const [sent, received] = [await sentRecords(db, user.id, txids), await receivedRecords(db, user.id, txids)];
        return { sent, received };
      },
    ),
  ]);
}
