/** The outbox of webhooks, and how deliveries went. */
import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { WEBHOOK_EVENTS } from '../../../protocol/payment-types.ts';
import { applications } from './oauth.ts';
import { payments } from './payments.ts';
import { time } from './columns.ts';

/** The outbox of webhooks: an event stands here in the same transaction as the change that it tells of. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    /** `msg_…`: the `webhook-id`, the same at every attempt. */
    id: text().primaryKey(),
    applicationId: uuid('application_id')
      .notNull()
      .references(() => applications.id, { onDelete: 'cascade' }),
    /** Null for a test event, which waits for none. */
    paymentId: uuid('payment_id').references(() => payments.id),
    /** Counts the events of one payment to one application: a later one waits for the earlier. */
    sequence: integer().notNull(),
    type: text({ enum: WEBHOOK_EVENTS }).notNull(),
    /** The body, to the byte. */
    body: text().notNull(),
    state: text({ enum: ['pending', 'delivered', 'given-up'] }).notNull(),
    attempts: integer().notNull().default(0),
    createdAt: time('created_at').notNull(),
    /** When it is tried next; an attempt under way has moved it on already (a lease). Null once it is over. */
    nextAttemptAt: time('next_attempt_at'),
  },
  (table) => [
    unique('webhook_events_order').on(table.applicationId, table.paymentId, table.sequence),
    // What a payment's recipients are told is looked at with every payment that is reported after it came in, and when
    // one goes.
    index('webhook_events_payment_id').on(table.paymentId),
    // By application first: each gets its turn, whatever stands in the queue of another.
    index('webhook_events_due')
      .on(table.applicationId, table.nextAttemptAt)
      .where(sql`${table.nextAttemptAt} is not null`),
    index('webhook_events_over')
      .on(table.createdAt)
      .where(sql`${table.nextAttemptAt} is null`),
    index('webhook_events_application_id').on(table.applicationId, table.createdAt),
  ],
);

/** The delivery log: every attempt, and how it ended. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid().primaryKey(),
    eventId: text('event_id')
      .notNull()
      .references(() => webhookEvents.id, { onDelete: 'cascade' }),
    attemptedAt: time('attempted_at').notNull(),
    /** How long it took, in milliseconds. */
    durationMs: integer('duration_ms').notNull(),
    /** The receiver's HTTP status, null where it did not answer. */
    status: integer(),
    /** Why it failed, in words for the application's owner. */
    error: text(),
    /** The beginning of the receiver's answer, of at most 2,000 characters; null where it gave none. */
    response: text(),
  },
  (table) => [index('webhook_deliveries_event_id').on(table.eventId, table.attemptedAt)],
);
