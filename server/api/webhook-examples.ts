/** What the reference shows of webhooks. */
import type * as z from 'zod/mini';
import {
  WEBHOOK_EVENTS,
  type webhookEvent,
  type WebhookEvent,
  type webhookWithSecret,
} from '../../protocol/webhooks.ts';
import { TEST_PAYMENT } from '../webhooks/test-event.ts';
import { PAYMENT, TIME } from './samples.ts';

const STATUS = {
  'payment.received': 'RECEIVED',
  'payment.completed': 'COMPLETED',
  'payment.failed': 'FAILED',
} as const;
const TEST = { ...TEST_PAYMENT, clientIdentifier: PAYMENT.clientIdentifier, createdAt: TIME };

/** Both forms of the body of each event. */
export const WEBHOOK_EXAMPLES = Object.fromEntries(
  WEBHOOK_EVENTS.map((type) => {
    const isTest = type === 'webhook.test';
    const payment = isTest ? TEST : { ...PAYMENT, status: STATUS[type] };
    const withSecret = { secret: 'of your choice', payment, ...(isTest && { test: true as const }) };
    return [type, { signed: { type, timestamp: TIME, data: { payment } }, withSecret }];
  }),
) as Record<WebhookEvent, { signed: z.output<typeof webhookEvent>; withSecret: z.output<typeof webhookWithSecret> }>;
