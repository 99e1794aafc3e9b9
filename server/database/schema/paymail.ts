import { sql } from 'drizzle-orm';
import { bigint, boolean, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { orderColumn, payments } from './payments.ts';
import { bytea, time } from './columns.ts';

/** Cached profile pictures for paymails, fetched for wallets. Any row can be deleted at any time. */
export const avatars = pgTable(
  'avatars',
  {
    /** `alias@domain`, lowercase. */
    paymail: text().primaryKey(),
    /** Null, like `image`, if no picture was found. */
    type: text({ enum: ['image/png', 'image/jpeg', 'image/webp'] }),
    image: bytea(),
    fetchedAt: time('fetched_at').notNull(),
  },
  (table) => [index('avatars_fetched_at').on(table.fetchedAt)],
);

/** Destinations issued to senders, with unguessable references. Unpaid destinations are deleted after 30 days. */
export const paymailDestinations = pgTable(
  'paymail_destinations',
  {
    reference: text().primaryKey(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    satoshis: bigint({ mode: 'bigint' }).notNull(),
    /** Script (hex), satoshis (decimal string), and index of the address on `m/44'/236'/2'/0`. */
    outputs: jsonb().$type<{ script: string; satoshis: string; index: number }[]>().notNull(),
    /** True if a reissued address had already been paid, or the index couldn't rule that out. */
    maybePaid: boolean('maybe_paid').notNull().default(false),
    createdAt: time('created_at').notNull(),
    sequence: orderColumn(),
  },
  (table) => [
    index('paymail_destinations_created_at').on(table.createdAt),
    // Finds destinations with the same script and value.
    index('paymail_destinations_outputs').using('gin', sql`${table.outputs} jsonb_path_ops`),
    index('paymail_destinations_user_id').on(table.userId),
  ],
);

/** A delivery of a transaction that might pay any of several references. */
export interface DeliveryClaim {
  reference: string;
  sender: string | null;
  senderVerified: boolean;
  note: string | null;
}

/**
 * Transactions received at destinations, stored until the wallet acknowledges them. A destination has one row, plus one
 * for each earlier transaction whose payment failed.
 */
export const receivedTransactions = pgTable(
  'received_transactions',
  {
    id: uuid().primaryKey(),
    sequence: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    reference: text()
      .notNull()
      .references(() => paymailDestinations.reference),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    txid: text().notNull(),
    /** The payment in the sender's report if it names this destination, otherwise a separate one with this row's ID. */
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.id),
    /** The payment's creation time, which orders lists. */
    paymentCreatedAt: time('payment_created_at').notNull(),
    sender: text(),
    /** True if the sender's own host confirms that the transaction ID was signed with the sender's key. */
    senderVerified: boolean('sender_verified').notNull(),
    note: text(),
    /**
     * Candidate deliveries, stored until a report settles who paid. Until then, `sender` and `note` are null. `claims`
     * is null if the payer is unambiguous.
     */
    claims: jsonb().$type<DeliveryClaim[]>(),
    createdAt: time('created_at').notNull(),
    acknowledgedAt: time('acknowledged_at'),
  },
  (table) => [
    uniqueIndex('received_transactions_reference').on(table.reference, table.txid),
    index('received_transactions_waiting')
      .on(table.userId, table.sequence)
      .where(sql`${table.acknowledgedAt} is null`),
    index('received_transactions_user_id').on(table.userId, table.paymentCreatedAt, table.paymentId),
    index('received_transactions_txid').on(table.txid),
    index('received_transactions_payment_id').on(table.paymentId),
  ],
);
