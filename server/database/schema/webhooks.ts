import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { WEBHOOK_EVENTS } from '../../../protocol/payments/payment-types.ts';
import { applications } from './oauth.ts';
import { payments } from './payments.ts';
import { time } from './columns.ts';

/** The outbox of webhooks. An event is inserted in the same transaction as the change that it reports. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    /** `msg_…`: the `webhook-id`, the same at every attempt. */
    id: text().primaryKey(),
    applicationId: uuid('application_id')
      .notNull()
      .references(() => applications.id, { onDelete: 'cascade' }),
    /** Null for a test event, which doesn't wait for others. */
    paymentId: uuid('payment_id').references(() => payments.id),
    /** Numbers the events of one payment to one application: a later one waits for the earlier. */
    sequence: integer().notNull(),
    type: text({ enum: WEBHOOK_EVENTS }).notNull(),
    body: text().notNull(),
    state: text({ enum: ['pending', 'delivered', 'given-up'] }).notNull(),
    attempts: integer().notNull().default(0),
    createdAt: time('created_at').notNull(),
    /** Time of the next attempt. An attempt in progress has already moved it (a lease). Null once it is over. */
    nextAttemptAt: time('next_attempt_at'),
  },
  (table) => [
    unique('webhook_events_order').on(table.applicationId, table.paymentId, table.sequence),
    // Each report of an already received payment, and each deletion, looks up the payment's events.
    index('webhook_events_payment_id').on(table.paymentId),
    // Indexed by application first: each gets its turn, regardless of other applications' queues.
    index('webhook_events_due')
      .on(table.applicationId, table.nextAttemptAt)
      .where(sql`${table.nextAttemptAt} is not null`),
    index('webhook_events_over')
      .on(table.createdAt)
      .where(sql`${table.nextAttemptAt} is null`),
    index('webhook_events_application_id').on(table.applicationId, table.createdAt),
  ],
);

/** The delivery log: every attempt and its result. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid().primaryKey(),
    eventId: text('event_id')
      .notNull()
      .references(() => webhookEvents.id, { onDelete: 'cascade' }),
    attemptedAt: time('attempted_at').notNull(),
    durationMs: integer('duration_ms').notNull(),
    /** The receiver's HTTP status; null without a response. */
    status: integer(),
    /** The reason for a failure, in words for the application's owner. */
    error: text(),
    /** The first 2,000 characters of the receiver's response; null without one. */
    response: text(),
  },
  (table) => [index('webhook_deliveries_event_id').on(table.eventId, table.attemptedAt)],
);
