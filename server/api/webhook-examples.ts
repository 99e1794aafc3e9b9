/** What the reference shows of webhooks. */
import type * as z from 'zod/mini';
import {
  WEBHOOK_EVENTS,
  type webhookEvent,
  type WebhookEvent,
  type webhookWithSecret,
} from '../../protocol/webhooks.ts';
import { TEST_PAYMENT } from '../webhooks/test-event.ts';
import { inOlderForm } from '../webhooks/secret-body.ts';
import { PAYMENT, TIME } from './samples.ts';

const STATUS = {
  'payment.received': 'RECEIVED',
  'payment.completed': 'COMPLETED',
  'payment.failed': 'FAILED',
  'payment.refunded': 'COMPLETED',
  'payment.checked': 'RECEIVED',
  'payment.contested': 'RECEIVED',
} as const;
const REFUND = { paymentId: '2f0e1f6a-64a5-4a8e-9c0d-0a8c2b7c1d11', txid: 'c4'.repeat(32), satoshis: '1000000' };
const TEST = { ...TEST_PAYMENT, clientIdentifier: PAYMENT.clientIdentifier, createdAt: TIME };

/** Both forms of the body of each event. */
export const WEBHOOK_EXAMPLES = Object.fromEntries(
  WEBHOOK_EVENTS.map((type) => {
    const isTest = type === 'webhook.test';
    const isRefund = type === 'payment.refunded';
    const payment = isTest
      ? TEST
      : {
          ...PAYMENT,
          status: STATUS[type],
          ...(isRefund && { refundedSatoshis: REFUND.satoshis }),
          ...(type === 'payment.contested' && { network: 'contested' as const }),
        };
    const data = { payment, ...(isRefund && { refund: REFUND }) };
    const withSecret = inOlderForm(type)
      ? { secret: 'of your choice', payment, ...(isTest && { test: true as const }) }
      : null;
    return [type, { signed: { type, timestamp: TIME, data }, withSecret }];
  }),
) as Record<
  WebhookEvent,
  { signed: z.output<typeof webhookEvent>; withSecret: z.output<typeof webhookWithSecret> | null }
>;
