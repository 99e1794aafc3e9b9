import type * as z from 'zod/mini';
import {
  WEBHOOK_EVENTS,
  type webhookEvent,
  type WebhookEvent,
  type webhookWithSecret,
} from '../../../protocol/http/webhooks.ts';
import { TEST_PAYMENT } from '../../webhooks/test-event.ts';
import { inOlderForm } from '../../webhooks/secret-body.ts';
import { PAYMENT, TIME } from '../openapi/samples.ts';

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

export const WEBHOOK_MEANINGS: Readonly<Record<WebhookEvent, string>> = {
  'payment.received':
    'The network has a payment of your application, or one to you. Deliver now if you accept it unconfirmed.',
  'payment.completed': 'A block contains the payment, so it can’t be reversed.',
  'payment.contested':
    'Another transaction spends the same coins, an operator rejected the payment, or the network no longer knows it: see `network`. Wait for `payment.completed` before you deliver.',
  'payment.failed':
    'The network rejected the payment, or has not accepted it for three days. If a block contains it after all, `payment.completed` follows.',
  'payment.refunded': 'A payment was refunded, in whole or in part.',
  'payment.checked':
    'The service has traced the token of a payment back to its mint: `token.validity` of its outputs shows whether the payer had it.',
  'webhook.test': 'Sent by “Send a test event”. Deliver nothing.',
};
