/** What the reference shows of webhooks. */
import type * as z from 'zod/mini';
import {
  WEBHOOK_EVENTS,
  type webhookEvent,
  type WebhookEvent,
  type webhookWithSecret,
} from '../../protocol/webhooks.ts';
import { PAYMENT, TIME } from './samples.ts';

const STATUS = {
  'payment.received': 'RECEIVED',
  'payment.completed': 'COMPLETED',
  'payment.failed': 'FAILED',
} as const;

/** Both forms of the body of each event. */
export const WEBHOOK_EXAMPLES = Object.fromEntries(
  WEBHOOK_EVENTS.map((type) => {
    const payment = { ...PAYMENT, status: STATUS[type] };
    return [
      type,
      { signed: { type, timestamp: TIME, data: { payment } }, withSecret: { secret: 'of your choice', payment } },
    ];
  }),
) as Record<WebhookEvent, { signed: z.output<typeof webhookEvent>; withSecret: z.output<typeof webhookWithSecret> }>;
