/** What senders to paymails are given, what they paid, and pictures of paymails. */
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { payments } from './payments.ts';
import { bytea, time } from './columns.ts';

/** Pictures of paymails’ profiles, fetched for wallets: a cache, of which any row may go at any time. */
export const avatars = pgTable(
  'avatars',
  {
    /** `alias@domain`, lower case. */
    paymail: text().primaryKey(),
    /** Both null where none was found. */
    type: text({ enum: ['image/png', 'image/jpeg', 'image/webp'] }),
    image: bytea(),
    fetchedAt: time('fetched_at').notNull(),
  },
  (table) => [index('avatars_fetched_at').on(table.fetchedAt)],
);

/**
 * Destinations that were given out to senders, each under a reference that nobody can guess. Unpaid ones go after a
 * while.
 */
export const paymailDestinations = pgTable(
  'paymail_destinations',
  {
    reference: text().primaryKey(),
    /** Who is paid there. */
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    satoshis: bigint({ mode: 'bigint' }).notNull(),
    /** Script (hex), satoshis (text) and the index of the address on `m/44'/236'/2'/0`. */
    outputs: jsonb().$type<{ script: string; satoshis: string; index: number }[]>().notNull(),
    /** True if an address was issued before and may have been paid since: the index did not rule it out. */
    maybePaid: boolean('maybe_paid').notNull().default(false),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    index('paymail_destinations_created_at').on(table.createdAt),
    // Finds the destinations that ask for the same script and value as another.
    index('paymail_destinations_outputs').using('gin', sql`${table.outputs} jsonb_path_ops`),
    index('paymail_destinations_user_id').on(table.userId),
  ],
);

/** A delivery of a transaction under one of several references that it may pay. */
export interface DeliveryClaim {
  reference: string;
  sender: string | null;
  senderVerified: boolean;
  note: string | null;
}

/** What came in at those destinations, each paid once; kept for the wallet until it has acknowledged it. */
export const receivedTransactions = pgTable(
  'received_transactions',
  {
    id: uuid().primaryKey(),
    /** In the order of their coming. */
    sequence: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    reference: text()
      .notNull()
      .unique()
      .references(() => paymailDestinations.reference),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    txid: text().notNull(),
    /**
     * The sender's report where it names this destination, else a payment of its own, which then has this row's id. It
     * has the transaction.
     */
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.id),
    /** When that payment was made: its place in lists. */
    paymentCreatedAt: time('payment_created_at').notNull(),
    /** Who says to have sent it. */
    sender: text(),
    /** The sender's own host says that the key which signed the transaction's id is the sender's. */
    senderVerified: boolean('sender_verified').notNull(),
    note: text(),
    /**
     * The deliveries that may be the payer's, while the transaction pays several references equally well and no report
     * has settled which one: sender and note of this row are null until then. Null if there is no doubt.
     */
    claims: jsonb().$type<DeliveryClaim[]>(),
    createdAt: time('created_at').notNull(),
    acknowledgedAt: time('acknowledged_at'),
  },
  (table) => [
    index('received_transactions_waiting')
      .on(table.userId, table.sequence)
      .where(sql`${table.acknowledgedAt} is null`),
    index('received_transactions_user_id').on(table.userId, table.paymentCreatedAt, table.paymentId),
    index('received_transactions_txid').on(table.txid),
    index('received_transactions_payment_id').on(table.paymentId),
  ],
);
