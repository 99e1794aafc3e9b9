/** Puts events of payments into the outbox, in the same transaction as the change that they report. */
import { and, eq, inArray, isNotNull, not, sql } from 'drizzle-orm';
import type { Refund } from '../../protocol/payments/payment-types.ts';
import type { Database } from '../database/connect.ts';
import { applications, receivedTransactions, webhookEvents } from '../database/schema.ts';
import { randomAlphanumeric } from '../secrets.ts';
import type { StoredPayment } from '../payments/stored-payment.ts';
import { paymentView } from '../payments/view.ts';

export type EventType = (typeof webhookEvents.$inferSelect)['type'];

/**
 * The body of an event (Standard Webhooks, "Payload structure"): the payment as `GET /api/v2/payments/{id}` showed it
 * then.
 */
function eventBody(type: EventType, stored: StoredPayment, now: Date, refund?: Refund): string {
  const { payment } = paymentView(stored);
  const then =
    type === 'payment.received'
      ? { ...payment, status: 'RECEIVED', statusDescription: null, network: 'seen' }
      : payment;
  return JSON.stringify({ type, timestamp: now.toISOString(), data: { payment: then, ...(refund && { refund }) } });
}

/** The receivers of a payment's events, and how many each has received so far. */
interface Audience {
  applicationId: string;
  last: number;
  announced: EventType[];
  /** True if its webhooks are in the signed format, not the original service's. */
  signedForm: boolean;
}

/**
 * The application whose client identifier the payment names, and those that its recipients here own, if they have a
 * webhook and don't know it as another payment, received before its sender reported it (payment-reports/adopt.ts).
 */
async function audienceOf(tx: Database, { id, clientIdentifier }: StoredPayment['payment']): Promise<Audience[]> {
  // Each by its own index: with several conditions combined, the database would check them on every application.
  const candidates = sql`(
    select a.id from ${applications} a where a.client_identifier = ${clientIdentifier}
    union select a.id from ${applications} a join ${receivedTransactions} r on r.user_id = a.owner_id where r.payment_id = ${id}::uuid
    union select known.application_id from ${webhookEvents} known where known.payment_id = ${id}::uuid)`;
  const knowsOther = sql<boolean>`exists (
    select 1 from ${receivedTransactions} r join ${webhookEvents} known on known.payment_id = r.id
    where r.payment_id = ${id}::uuid and r.id <> ${id}::uuid and known.application_id = ${applications.id})`;
  const found = await tx
    .select({
      applicationId: applications.id,
      signedForm: sql<boolean>`${applications.webhookBodySecret} is null`,
      last: sql<number>`coalesce(max(${webhookEvents.sequence}), 0)`.mapWith(Number),
      announced: sql<
        EventType[]
      >`coalesce(json_agg(${webhookEvents.type}) filter (where ${webhookEvents.type} is not null), '[]'::json)`,
    })
    .from(applications)
    .leftJoin(webhookEvents, and(eq(webhookEvents.applicationId, applications.id), eq(webhookEvents.paymentId, id)))
    .where(and(isNotNull(applications.webhookUrl), inArray(applications.id, candidates), not(knowsOther)))
    .groupBy(applications.id);
  return found;
}

/**
 * Stores an event for all who receive the payment's events ({@link audienceOf}), except those that have it. @param tx
 * changes the payment
 */
export async function enqueuePaymentEvent(
  tx: Database,
  stored: StoredPayment,
  type: EventType,
  now: Date,
): Promise<void> {
  // No concurrent numbering: the transaction has just made the payment, or holds the lock on its row.
  const audience = (await audienceOf(tx, stored.payment)).filter(({ announced }) => !announced.includes(type));
  await store(tx, audience, stored, type, eventBody(type, stored, now), now);
}

/**
 * Stores the event of a refund, one for each, for receivers of the signed format: a handler for the original service's
 * format, which had no such event, would take it for another payment.
 * @param tx records the refund; it holds the lock on the payment's row
 */
export async function enqueueRefundEvent(
  tx: Database,
  stored: StoredPayment,
  refund: Refund,
  now: Date,
): Promise<void> {
  const audience = (await audienceOf(tx, stored.payment)).filter(({ signedForm }) => signedForm);
  await store(tx, audience, stored, 'payment.refunded', eventBody('payment.refunded', stored, now, refund), now);
}

/**
 * Stores the event with the verdict on a payment's tokens, for receivers of the signed format, as in {@link
 * enqueueRefundEvent}.
 * @param tx records the verdict; it holds the lock on the payment's row
 */
export async function enqueueCheckedEvent(tx: Database, stored: StoredPayment, now: Date): Promise<void> {
  const audience = (await audienceOf(tx, stored.payment)).filter(
    ({ signedForm, announced }) => signedForm && !announced.includes('payment.checked'),
  );
  await store(tx, audience, stored, 'payment.checked', eventBody('payment.checked', stored, now), now);
}

/**
 * Stores the event that the network no longer confirms a payment, each time that happens, for receivers of the signed
 * format, as in {@link enqueueRefundEvent}.
 * @param tx records it; it holds the lock on the payment's row
 */
export async function enqueueContestedEvent(tx: Database, stored: StoredPayment, now: Date): Promise<void> {
  const audience = (await audienceOf(tx, stored.payment)).filter(({ signedForm }) => signedForm);
  await store(tx, audience, stored, 'payment.contested', eventBody('payment.contested', stored, now), now);
}

async function store(
  tx: Database,
  audience: readonly Audience[],
  stored: StoredPayment,
  type: EventType,
  body: string,
  now: Date,
): Promise<void> {
  if (audience.length === 0) return;
  await tx.insert(webhookEvents).values(
    audience.map(({ applicationId, last }) => ({
      id: `msg_${randomAlphanumeric(24)}`,
      applicationId,
      paymentId: stored.payment.id,
      sequence: last + 1,
      type,
      body,
      state: 'pending' as const,
      createdAt: now,
      nextAttemptAt: now,
    })),
  );
}

/** Stores all past events of a payment, for those who receive its events only from now on. */
export async function enqueueMissedEvents(tx: Database, stored: StoredPayment, now: Date): Promise<void> {
  await enqueuePaymentEvent(tx, stored, 'payment.received', now);
  const { status, tokenValidity, network } = stored.payment;
  if (tokenValidity !== null && tokenValidity !== 'unverified' && status !== 'FAILED')
    await enqueueCheckedEvent(tx, stored, now);
  if (status === 'RECEIVED' && network !== 'seen') await enqueueContestedEvent(tx, stored, now);
  if (status === 'COMPLETED') await enqueuePaymentEvent(tx, stored, 'payment.completed', now);
  if (status === 'FAILED') await enqueuePaymentEvent(tx, stored, 'payment.failed', now);
}
