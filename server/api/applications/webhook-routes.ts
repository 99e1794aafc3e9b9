import { ServiceError } from '../../../protocol/errors/service-error.ts';
import * as api from '../../../protocol/http/webhooks.ts';
import { findOwnApplication } from '../../applications/store.ts';
import { serve, type RouteFamily } from '../../routing/route.ts';
import { listEvents } from '../../webhooks/log.ts';
import { resend, type ResendContext } from '../../webhooks/resend.ts';
import { sendTestEvent } from '../../webhooks/test-event.ts';
import { routeMaker, type ApiContext } from '../route.ts';
import { ID, TIME } from '../openapi/samples.ts';

const EVENTS = '/api/v2/me/applications/{id}/webhook-events';
const shared = { tag: 'Applications', by: 'owner' } as const;

/** Requests for another user's application get 404 `unknown-application`, as if it didn't exist. */
export function webhookRoutes(context: ApiContext & ResendContext): RouteFamily {
  const { db } = context;
  const route = routeMaker(context);

  return serve([
    route(
      {
        ...shared,
        id: 'listWebhookEvents',
        method: 'get',
        path: EVENTS,
        summary: 'Lists webhook events, newest first, with their newest 20 attempts',
        query: api.webhookEventsQuery,
        answers: { 200: api.webhookEventsResponse },
        errors: ['invalid-request', 'unknown-application'],
        example: {
          query: { limit: '20' },
          answer: {
            events: [
              {
                id: 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
                type: 'payment.received',
                paymentId: ID,
                state: 'delivered',
                createdAt: TIME,
                nextAttemptAt: null,
                deliveries: [{ attemptedAt: TIME, durationMs: 120, status: 200, error: null, response: 'ok' }],
              },
            ],
            nextCursor: null,
          },
        },
      },
      async ({ user, params, query: { limit = '20', cursor = null } }) => {
        const { id } = await findOwnApplication(db, user.id, String(params.id));
        const page = await listEvents(db, id, { limit: Number(limit), cursor });
        if (!page) throw new ServiceError('invalid-request');
        return page;
      },
    ),
    route(
      {
        ...shared,
        id: 'sendTestWebhookEvent',
        method: 'post',
        path: `${EVENTS}/test`,
        summary: 'Delivers a test event, `webhook.test`, without a payment',
        answers: { 202: api.testEventResponse },
        errors: ['invalid-request', 'unknown-application'],
        example: { answer: { id: 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W' } },
      },
      async ({ user, params, response }) => ({
        id: await sendTestEvent(context, await findOwnApplication(db, user.id, String(params.id)), response),
      }),
    ),
    route(
      {
        ...shared,
        id: 'resendWebhookEvent',
        method: 'post',
        path: `${EVENTS}/{eventId}/resend`,
        summary: 'Resends an event. The number of bytes resent is limited',
        answers: { 202: api.resendResponse },
        errors: ['not-found', 'unknown-application'],
        example: { answer: {} },
      },
      async ({ user, params, response }) => {
        const application = await findOwnApplication(db, user.id, String(params.id));
        await resend(context, application, String(params.eventId), response);
        return {};
      },
    ),
  ]);
}
