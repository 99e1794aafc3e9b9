/** State that the service's instances share: secrets, facts, responses to repeated writes, rate limits. */
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

/** Secrets shared by all instances, in clear because they are sent to others. */
export const instanceSecrets = pgTable('instance_secrets', {
  name: text().primaryKey(),
  value: text().notNull(),
  createdAt: time('created_at').notNull(),
});

/** Facts about all instances of this service: `network`, its first network. */
export const instanceFacts = pgTable('instance_facts', {
  name: text().primaryKey(),
  value: text().notNull(),
});

/** Responses to writes with an `Idempotency-Key`, so that a repeated write gets the same response. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** The caller: a user or an application. */
    subject: text().notNull(),
    key: text().notNull(),
    /** SHA-256 of method, path and body. */
    requestHash: text('request_hash').notNull(),
    /** Null while the first request is in progress. */
    status: integer(),
    body: text(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.subject, table.key] }),
    index('idempotency_keys_created_at').on(table.createdAt),
  ],
);

/** The state of each rate limit, as a token bucket. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    /** The limit's name and its subject: a hash of an address, or a client. */
    key: text().primaryKey(),
    /** Thousandths of a request left at `updatedAt`. */
    left: integer().notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [index('rate_limits_updated_at').on(table.updatedAt)],
);
