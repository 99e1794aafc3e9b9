import * as z from 'zod/mini';
import { storedPayment } from './api.ts';
import { WEBHOOK_EVENTS } from '../payments/payment-types.ts';

export { WEBHOOK_EVENTS, type WebhookEvent } from '../payments/payment-types.ts';

/** The signed body of a webhook (Standard Webhooks, "Payload structure"). */
export const webhookEvent = z.object({
  type: z.enum(WEBHOOK_EVENTS),
  timestamp: z.string(),
  data: z.object({
    /** In `payment.refunded` events, the refunded payment, whose `refundedSatoshis` is the total so far. */
    payment: storedPayment,
    /** Present only in `payment.refunded` events. */
    refund: z.optional(z.object({ paymentId: z.string(), txid: z.string(), satoshis: z.string() })),
  }),
});
/** The original service's body, for applications that have a body secret. */
export const webhookWithSecret = z.object({
  secret: z.string(),
  payment: storedPayment,
  /** True in test events, absent in all other events. */
  test: z.optional(z.literal(true)),
});

/** GET /api/v2/me/applications/{id}/webhook-events, newest first. */
export const webhookEventsResponse = z.object({
  events: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      /** Null for test events. */
      paymentId: z.nullable(z.string()),
      state: z.enum(['pending', 'delivered', 'given-up']),
      createdAt: z.string(),
      nextAttemptAt: z.nullable(z.string()),
      deliveries: z.array(
        z.object({
          attemptedAt: z.string(),
          durationMs: z.number(),
          status: z.nullable(z.number()),
          error: z.nullable(z.string()),
          /** The beginning of the receiver's response, or null if the receiver didn't respond. */
          response: z.nullable(z.string()),
        }),
      ),
    }),
  ),
  nextCursor: z.nullable(z.string()),
});
export const webhookEventsQuery = z.strictObject({
  limit: z.optional(z.string().check(z.regex(/^(?:[1-9]\d?|100)$/))),
  cursor: z.optional(z.string().check(z.regex(/^\d{1,14}_msg_[A-Za-z0-9]{1,40}$/))),
});
/** 202 response to POST …/webhook-events/{eventId}/resend */
export const resendResponse = z.object({});
/** 202 response to POST …/webhook-events/test: the new event's ID in the list of events. */
export const testEventResponse = z.object({ id: z.string() });
