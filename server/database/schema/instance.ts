/** What instances of the service share: secrets, facts, answers to repeated writes, rate limits. */
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

/**
 * Secrets that all instances of this service share, made by the first that needs one. In clear: others are told them.
 */
export const instanceSecrets = pgTable('instance_secrets', {
  name: text().primaryKey(),
  value: text().notNull(),
  createdAt: time('created_at').notNull(),
});

/** What holds for all instances of this service: `network`, the one that it was begun on. */
export const instanceFacts = pgTable('instance_facts', {
  name: text().primaryKey(),
  value: text().notNull(),
});

/** Answers to writes that carried an `Idempotency-Key`, so that the same write again gets the same answer. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** Who asked: a user or an application. */
    subject: text().notNull(),
    key: text().notNull(),
    /** SHA-256 of method, path and body. */
    requestHash: text('request_hash').notNull(),
    /** Null while the first one is still being worked on. */
    status: integer(),
    body: text(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.subject, table.key] }),
    index('idempotency_keys_created_at').on(table.createdAt),
  ],
);

/** How much of each limit is used, as a token bucket. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    /** The limit's name and whom it counts: a hash of an address, or a client. */
    key: text().primaryKey(),
    /** What was left at `updatedAt`, in thousandths of a request. */
    left: integer().notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [index('rate_limits_updated_at').on(table.updatedAt)],
);
