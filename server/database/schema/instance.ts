/** State shared by the service's instances: secrets, facts, responses to repeated writes, rate limits. */
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

/** Secrets shared by all instances, in plain text because they are sent to other services. */
export const instanceSecrets = pgTable('instance_secrets', {
  name: text().primaryKey(),
  value: text().notNull(),
  createdAt: time('created_at').notNull(),
});

/** Facts about the deployment: the network and paymail domain with which it was first started, and scan watermarks. */
export const instanceFacts = pgTable('instance_facts', {
  name: text().primaryKey(),
  value: text().notNull(),
});

/** Responses to writes with an `Idempotency-Key`, replayed if the write is repeated. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** The caller: a user, and the application that acts for the user, if any. */
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

/** Rate limit states, as token buckets. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    /** The limit's name and its subject: a hashed IP address, or a client. */
    key: text().primaryKey(),
    /** Number of requests available at `updatedAt`, in thousandths. */
    left: integer().notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [index('rate_limits_updated_at').on(table.updatedAt)],
);
