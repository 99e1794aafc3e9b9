/** Puts events of payments into the outbox, in the same transaction as the change that they tell of. */
import { and, eq, isNotNull, max } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { applications, webhookEvents } from '../database/schema.ts';
import { randomAlphanumeric } from '../identity/random.ts';
import type { StoredPayment } from '../payments/store.ts';
import { paymentView } from '../payments/view.ts';

/** What webhooks tell of. */
export type EventType = typeof webhookEvents.$inferSelect['type'];

/** The body of an event (Standard Webhooks, "Payload structure"): the payment as `GET /api/v2/payments/{id}` shows it. */
function eventBody(type: EventType, stored: StoredPayment, now: Date): string {
  return JSON.stringify({ type, timestamp: now.toISOString(), data: { payment: paymentView(stored).payment } });
}

/**
 * Notes an event for the application whose client identifier the payment names, where there is one that has a webhook.
 * @param tx the handle of the transaction that changes the payment
 */
export async function enqueuePaymentEvent(tx: Database, stored: StoredPayment, type: EventType, now: Date): Promise<void> {
  const { id: paymentId, clientIdentifier } = stored.payment;
  if (clientIdentifier === null) return;
  const [application] = await tx.select({ id: applications.id }).from(applications)
    .where(and(eq(applications.clientIdentifier, clientIdentifier), isNotNull(applications.webhookUrl)));
  if (!application) return;
  // Nobody else counts on: the transaction has just made the payment, or holds the lock on its row.
  const [last] = await tx.select({ sequence: max(webhookEvents.sequence) }).from(webhookEvents)
    .where(and(eq(webhookEvents.applicationId, application.id), eq(webhookEvents.paymentId, paymentId)));
  await tx.insert(webhookEvents).values({
    id: `msg_${randomAlphanumeric(24)}`, applicationId: application.id, paymentId, sequence: (last?.sequence ?? 0) + 1,
    type, body: eventBody(type, stored, now), state: 'pending', createdAt: now, nextAttemptAt: now,
  });
}
