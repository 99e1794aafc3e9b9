/** Routes that list payments received by paymail for the recipient's wallet, and return a user ID's paymail. */
import { eq } from 'drizzle-orm';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import * as api from '../../../protocol/http/received.ts';
import { users } from '../../database/schema.ts';
import type { Lifecycle } from '../../http/health.ts';
import { createEventStreams } from '../../received/event-streams.ts';
import { acknowledge, readInbox } from '../../received/inbox.ts';
import { serve, type RouteFamily } from '../../routing/route.ts';
import { routeMaker, type ApiContext } from '../route.ts';
import { ID, RAWTX, SCRIPT, TIME, TXID } from '../openapi/samples.ts';

const shared = { tag: 'Wallets', by: 'wallet' } as const;

export function receivedRoutes(context: ApiContext & { lifecycle: Lifecycle }): RouteFamily {
  const { db, now, addresses } = context;
  const streams = createEventStreams(context);
  const route = routeMaker(context);

  return serve([
    route(
      {
        ...shared,
        id: 'readReceived',
        method: 'get',
        path: '/api/v2/me/received',
        summary: 'Lists payments received by paymail and not acknowledged yet, oldest first, up to about 5 MB',
        query: api.receivedQuery,
        answers: { 200: api.receivedResponse },
        errors: ['invalid-request'],
        example: {
          answer: {
            received: [
              {
                id: '4711',
                txid: TXID,
                rawtx: RAWTX,
                satoshis: '5000000',
                outputs: [{ script: SCRIPT, satoshis: '5000000', index: 3 }],
                paymentId: ID,
                sender: 'bob@pay.example',
                senderVerified: true,
                note: 'For the roses',
                createdAt: TIME,
              },
            ],
            more: false,
          },
        },
      },
      ({ user, query }) => readInbox(db, user.id, query),
    ),
    route(
      {
        ...shared,
        id: 'acknowledgeReceived',
        method: 'post',
        path: '/api/v2/me/received/acknowledgements',
        summary: 'Confirms that the wallet has stored payments. Other users’ and unknown ones are not counted',
        body: api.acknowledgement,
        answers: { 200: api.acknowledgementResponse },
        errors: ['invalid-request'],
        example: { body: { ids: ['4711'] }, answer: { acknowledged: 1 } },
      },
      async ({ user, body }) => ({ acknowledged: await acknowledge(db, user.id, body.ids, now()) }),
    ),
    route(
      {
        ...shared,
        id: 'listenReceived',
        method: 'get',
        path: '/api/v2/me/received/events',
        summary: 'Streams a server-sent event “received”, without data, for each new payment, until the token expires',
        answers: { 200: 'events' },
        errors: ['service-unavailable'],
      },
      async ({ request, response, user, access }) => {
        if (request.method === 'HEAD') response.end();
        else streams.open(user.id, access.expiresAt, response);
      },
    ),
    route(
      {
        id: 'readUserPaymail',
        method: 'get',
        path: '/api/v2/users/{id}/paymail',
        tag: 'Wallets',
        summary: 'Returns the paymail of the user with this ID',
        by: 'anybody',
        answers: { 200: api.userPaymailResponse },
        errors: ['unknown-recipient'],
        example: { answer: { id: '17', paymail: 'alice@pay.example', name: 'Alice' } },
      },
      async ({ params }) => {
        const id = String(params.id);
        const [user] = /^[1-9]\d{0,14}$/.test(id)
          ? await db
              .select()
              .from(users)
              .where(eq(users.id, Number(id)))
          : [];
        if (!user) throw new ServiceError('unknown-recipient');
        return { id, paymail: `${user.handle}@${addresses.paymailDomain}`, name: user.name };
      },
    ),
  ]);
}
