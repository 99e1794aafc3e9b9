/** Adds payment events to the outbox, in the transaction of the change that they report. */
import { randomUUID } from 'node:crypto';
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { Refund } from '../../protocol/payments/payment-types.ts';
import type { Database } from '../database/connect.ts';
import {
  applications,
  paymentOutputs,
  payments,
  receivedTransactions,
  webhookBodies,
  webhookEvents,
} from '../database/schema.ts';
import { randomAlphanumeric } from '../secrets.ts';
import type { StoredPayment } from '../payments/stored-payment.ts';
import { paymentView } from '../payments/view.ts';

export type EventType = (typeof webhookEvents.$inferSelect)['type'];

/** Age at which finished events are deleted (ms). */
export const KEPT_MS = 90 * 24 * 3600_000;
/** Max total bytes of an event's copies. The service's previous version can deliver only events with their own copy. */
const COPIED_BYTES = 100_000;
/** Max rows per statement, which can have 65,535 parameters. */
const MAX_ROWS = 1_000;

/** An event's body, from its own row or a row of `webhook_bodies`, for queries of `webhook_events`. */
export const storedBody = sql<string>`coalesce(${webhookEvents.body}, (select b.body from ${webhookBodies} b where b.id = ${webhookEvents.bodyId}))`;

/**
 * Returns an event's body (Standard Webhooks, "Payload structure"): the payment as returned by `GET
 * /api/v2/payments/{id}` at the time of the event.
 */
function eventBody(type: EventType, stored: StoredPayment, now: Date, refund?: Refund): string {
  const { payment } = paymentView(stored);
  const then =
    type === 'payment.received'
      ? { ...payment, status: 'RECEIVED', statusDescription: null, network: 'seen' }
      : payment;
  return JSON.stringify({ type, timestamp: now.toISOString(), data: { payment: then, ...(refund && { refund }) } });
}

type EventSubject = Pick<StoredPayment['payment'], 'id' | 'clientIdentifier'>;

/** A receiver of a payment's events, and the events it has received so far. */
interface Audience {
  applicationId: string;
  last: number;
  announced: EventType[];
  /** True if the receiver's webhooks use the signed format instead of the original service's. */
  signedForm: boolean;
  /** True if it was notified of all of its owner's parts under other IDs, and gets their outcome under these IDs. */
  knowsOther: boolean;
}

/**
 * Returns a payment's receivers: the application named by its client identifier, and its recipients' applications.
 * Excludes applications without a webhook URL. A part of a payment has another ID if it was received before the payment
 * was reported (payment-reports/adopt.ts). The application that the report names needs all events under the report's ID,
 * because only they contain its button's ID, so it never counts as `knowsOther`.
 */
async function audienceOf(tx: Database, { id, clientIdentifier }: EventSubject): Promise<Audience[]> {
  // A union, so each part uses its own index. Combined conditions would be checked for every application. A separate
  // payment keeps its outputs after the merge into a report, so its recipients are found by their deliveries.
  const candidates = sql`(
    select a.id from ${applications} a where a.client_identifier = ${clientIdentifier}
    union select a.id from ${applications} a join ${receivedTransactions} r on r.user_id = a.owner_id where r.payment_id = ${id}::uuid
    union select a.id from ${payments} p join ${paymentOutputs} o on o.payment_id = p.id
      join ${applications} a on a.owner_id = o.recipient_id where p.id = ${id}::uuid and p.reported
    union select known.application_id from ${webhookEvents} known where known.payment_id = ${id}::uuid)`;
  // False without outputs to the owner, whose aggregate is null.
  const knowsOther = sql<boolean>`${applications.clientIdentifier} is distinct from ${clientIdentifier} and coalesce((
    select bool_and(exists (
      select 1 from ${receivedTransactions} r join ${webhookEvents} known on known.payment_id = r.id
      where r.payment_id = ${id}::uuid and r.id <> ${id}::uuid and r.reference = o.reference
        and known.application_id = ${applications.id}))
    from ${paymentOutputs} o where o.payment_id = ${id}::uuid and o.recipient_id = ${applications.ownerId}), false)`;
  const found = await tx
    .select({
      applicationId: applications.id,
      signedForm: sql<boolean>`${applications.webhookBodySecret} is null`,
      knowsOther,
      last: sql<number>`coalesce(max(${webhookEvents.sequence}), 0)`.mapWith(Number),
      announced: sql<
        EventType[]
      >`coalesce(json_agg(${webhookEvents.type}) filter (where ${webhookEvents.type} is not null), '[]'::json)`,
    })
    .from(applications)
    .leftJoin(webhookEvents, and(eq(webhookEvents.applicationId, applications.id), eq(webhookEvents.paymentId, id)))
    .where(and(isNotNull(applications.webhookUrl), inArray(applications.id, candidates)))
    .groupBy(applications.id);
  return found;
}

/**
 * Stores a payment's event for all of its receivers ({@link audienceOf}) that haven't received it yet under any ID.
 * @param tx the transaction that changes the payment
 */
export async function enqueuePaymentEvent(
  tx: Database,
  stored: StoredPayment,
  type: EventType,
  now: Date,
): Promise<void> {
  // `payment.received` is never sent after another event, such as the refund of a payment that is delivered later.
  const isTooLate = (last: number) => type === 'payment.received' && last > 0;
  // Sequence numbers can't conflict, because the transaction has created the payment or locked its row.
  const audience = (await audienceOf(tx, stored.payment)).filter(
    ({ last, announced, knowsOther }) => !knowsOther && !announced.includes(type) && !isTooLate(last),
  );
  // A shop that delivers on `payment.received` must not get it for a payment that has failed.
  if (type === 'payment.completed') await storeReceipt(tx, audience, stored, now);
  await store(tx, audience, stored, type, now);
}

/**
 * Stores `payment.received` for new receivers, whose first event it must be: applications that got a webhook URL since,
 * or weren't notified by an earlier version because the payment wasn't delivered. Without a payment's old events, which
 * have been deleted, every receiver would look new.
 */
async function storeReceipt(
  tx: Database,
  audience: readonly Audience[],
  stored: StoredPayment,
  now: Date,
): Promise<void> {
  if (now.getTime() - stored.payment.createdAt.getTime() >= KEPT_MS) return;
  const unaware = audience.filter(({ last, knowsOther }) => last === 0 && !knowsOther);
  await store(tx, unaware, stored, 'payment.received', now);
  for (const one of unaware) one.last = 1;
}

/**
 * Stores a refund's event, one per refund, for receivers of the signed format. The original service's format has no
 * such event, so its handlers would mistake it for another payment. Refunds and tokens are recorded only under the
 * report's ID, so applications notified under the other ID also get these events.
 * @param tx the transaction that has recorded the refund and locked the payment's row
 */
export async function enqueueRefundEvent(
  tx: Database,
  stored: StoredPayment,
  refund: Refund,
  now: Date,
): Promise<void> {
  const audience = await refundAudienceOf(tx, stored.payment);
  // Otherwise, an open payment's next event would no longer be the first one.
  if (stored.payment.status === 'RECEIVED') await storeReceipt(tx, audience, stored, now);
  await store(tx, audience, stored, 'payment.refunded', now, refund);
}

/** Returns the receivers of a payment's refund events. */
export async function refundAudienceOf(db: Database, payment: EventSubject): Promise<Audience[]> {
  return (await audienceOf(db, payment)).filter(({ signedForm }) => signedForm);
}

/**
 * Stores the event with the verdict on a payment's tokens, if there is one, for receivers of the signed format (see
 * {@link enqueueRefundEvent}). A failed payment's verdict is announced only if the payment is mined after all.
 * @param tx the transaction that has recorded the verdict or the payment's status, and locked the payment's row
 */
export async function enqueueCheckedEvent(tx: Database, stored: StoredPayment, now: Date): Promise<void> {
  const { status, tokenValidity } = stored.payment;
  if (status === 'FAILED' || tokenValidity === null || tokenValidity === 'unverified') return;
  const audience = (await audienceOf(tx, stored.payment)).filter(
    ({ signedForm, announced }) => signedForm && !announced.includes('payment.checked'),
  );
  await storeReceipt(tx, audience, stored, now);
  await store(tx, audience, stored, 'payment.checked', now);
}

/**
 * Stores an event each time the network stops confirming a payment, for receivers of the signed format (see {@link
 * enqueueRefundEvent}).
 * @param tx the transaction that has recorded the change and locked the payment's row
 * @param isMissed true if only applications that haven't received such an event need it
 */
export async function enqueueContestedEvent(
  tx: Database,
  stored: StoredPayment,
  now: Date,
  isMissed = false,
): Promise<void> {
  const audience = (await audienceOf(tx, stored.payment)).filter(
    ({ signedForm, knowsOther, announced }) =>
      signedForm && !knowsOther && !(isMissed && announced.includes('payment.contested')),
  );
  await store(tx, audience, stored, 'payment.contested', now);
}

/** Stores an event for each receiver, with one body for all of them unless their copies are small. */
async function store(
  tx: Database,
  audience: readonly Audience[],
  stored: StoredPayment,
  type: EventType,
  now: Date,
  refund?: Refund,
): Promise<void> {
  if (audience.length === 0) return;
  const body = eventBody(type, stored, now, refund);
  const isShared = audience.length > 1 && audience.length * Buffer.byteLength(body) > COPIED_BYTES;
  const bodyId = isShared ? randomUUID() : null;
  if (bodyId !== null) await tx.insert(webhookBodies).values({ id: bodyId, body });
  for (let i = 0; i < audience.length; i += MAX_ROWS)
    await tx.insert(webhookEvents).values(
      audience.slice(i, i + MAX_ROWS).map(({ applicationId, last }) => ({
        id: `msg_${randomAlphanumeric(24)}`,
        applicationId,
        paymentId: stored.payment.id,
        sequence: last + 1,
        type,
        body: isShared ? null : body,
        bodyId,
        state: 'pending' as const,
        createdAt: now,
        nextAttemptAt: now,
      })),
    );
}

/** Stores a payment's past events for applications that have just become receivers. */
export async function enqueueMissedEvents(tx: Database, stored: StoredPayment, now: Date): Promise<void> {
  await enqueuePaymentEvent(tx, stored, 'payment.received', now);
  const { status, network } = stored.payment;
  await enqueueCheckedEvent(tx, stored, now);
  if (status === 'RECEIVED' && network !== 'seen') await enqueueContestedEvent(tx, stored, now, true);
  if (status === 'COMPLETED') await enqueuePaymentEvent(tx, stored, 'payment.completed', now);
  if (status === 'FAILED') await enqueuePaymentEvent(tx, stored, 'payment.failed', now);
}
