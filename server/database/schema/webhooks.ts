import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { WEBHOOK_EVENTS } from '../../../protocol/payments/payment-types.ts';
import { applications } from './oauth.ts';
import { payments } from './payments.ts';
import { time } from './columns.ts';

/** The bodies of events sent to several receivers. Each is deleted after the last event that refers to it. */
export const webhookBodies = pgTable('webhook_bodies', {
  id: uuid().primaryKey(),
  body: text().notNull(),
});

/** The webhook outbox. An event is inserted in the transaction of the change that it reports. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    /** `msg_…`: the `webhook-id`, the same for every attempt. */
    id: text().primaryKey(),
    applicationId: uuid('application_id')
      .notNull()
      .references(() => applications.id, { onDelete: 'cascade' }),
    /** Null for a test event, which doesn't wait for other events. */
    paymentId: uuid('payment_id').references(() => payments.id),
    /** Orders one payment's events for one application. Each event waits for the previous one. */
    sequence: integer().notNull(),
    type: text({ enum: WEBHOOK_EVENTS }).notNull(),
    /** Null if the body is in {@link webhookBodies}. */
    body: text(),
    bodyId: uuid('body_id').references(() => webhookBodies.id),
    state: text({ enum: ['pending', 'delivered', 'given-up'] }).notNull(),
    attempts: integer().notNull().default(0),
    createdAt: time('created_at').notNull(),
    /** Time of the next attempt, postponed as a lease when an attempt starts. Null once delivered or abandoned. */
    nextAttemptAt: time('next_attempt_at'),
    /** Equals `nextAttemptAt` while the event waits for an earlier one. A claim changes only `nextAttemptAt`. */
    postponedUntil: time('postponed_until'),
  },
  (table) => [
    unique('webhook_events_order').on(table.applicationId, table.paymentId, table.sequence),
    // Finds the event that a later one waits for, without reading delivered or abandoned events.
    index('webhook_events_pending')
      .on(table.applicationId, table.paymentId, table.sequence)
      .where(sql`${table.state} = 'pending'`),
    // Used when a payment that was already received is reported, and when a payment is deleted.
    index('webhook_events_payment_id').on(table.paymentId),
    // Indexed by application first so that no application waits for another application's queue.
    index('webhook_events_due')
      .on(table.applicationId, table.nextAttemptAt)
      .where(sql`${table.nextAttemptAt} is not null`),
    index('webhook_events_over')
      .on(table.createdAt)
      .where(sql`${table.nextAttemptAt} is null`),
    index('webhook_events_body_id')
      .on(table.bodyId)
      .where(sql`${table.bodyId} is not null`),
    index('webhook_events_application_id').on(table.applicationId, table.createdAt),
  ],
);

/** The delivery log, with each attempt and its result. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid().primaryKey(),
    eventId: text('event_id')
      .notNull()
      .references(() => webhookEvents.id, { onDelete: 'cascade' }),
    attemptedAt: time('attempted_at').notNull(),
    durationMs: integer('duration_ms').notNull(),
    /** The receiver's HTTP status; null if there was no response. */
    status: integer(),
    /** Error message for the application's owner. */
    error: text(),
    /** The first 2,000 characters of the receiver's response, or null. */
    response: text(),
  },
  (table) => [index('webhook_deliveries_event_id').on(table.eventId, table.attemptedAt)],
);
