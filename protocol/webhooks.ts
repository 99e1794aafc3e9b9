/** Bodies of the API of an application's webhook events. */
import * as z from 'zod/mini';

/** GET /api/v2/me/applications/{id}/webhook-events: the newest first. */
export const webhookEventsResponse = z.object({
  events: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      paymentId: z.string(),
      state: z.enum(['pending', 'delivered', 'given-up']),
      createdAt: z.string(),
      nextAttemptAt: z.nullable(z.string()),
      deliveries: z.array(
        z.object({
          attemptedAt: z.string(),
          durationMs: z.number(),
          status: z.nullable(z.number()),
          error: z.nullable(z.string()),
        }),
      ),
    }),
  ),
  nextCursor: z.nullable(z.string()),
});
/** Its query. */
export const webhookEventsQuery = z.strictObject({
  limit: z.optional(z.string().check(z.regex(/^(?:[1-9]\d?|100)$/))),
  cursor: z.optional(z.string().check(z.regex(/^\d{1,14}_msg_[A-Za-z0-9]{1,40}$/))),
});
/** 202 of POST …/webhook-events/{eventId}/resend */
export const resendResponse = z.object({});
