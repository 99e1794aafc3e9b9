/** Payments as wallets report them. */
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { PAYMENT_STATUSES, RECIPIENT_KINDS, type CryptoResult } from '../../../protocol/payment.ts';
import { NETWORK_STANDINGS, TOKEN_VALIDITIES } from '../../../protocol/payment-types.ts';
import { users } from './accounts.ts';
import { bytea, time, tsvector } from './columns.ts';

/** Payments as their senders' wallets reported them, after they were checked. */
export const payments = pgTable(
  'payments',
  {
    /** Made by the wallet. */
    id: uuid().primaryKey(),
    /** The sender; null where that is nobody with an account here. */
    userId: bigint('user_id', { mode: 'number' }).references(() => users.id),
    /** The sender's paymail: of an account here, or one that its own host vouches for. Null where neither is known. */
    senderPaymail: text('sender_paymail'),
    /** Its sender's wallet reported it; false where all that is known is that it came in by paymail. */
    reported: boolean().notNull(),
    txid: text().notNull(),
    normalizedTxid: text('normalized_txid').notNull(),
    rawtx: bytea().notNull(),
    amount: text().notNull(),
    currency: text().notNull(),
    satoshis: bigint({ mode: 'bigint' }).notNull(),
    /** What its inputs hold, proven by their signatures; null where the report did not say. */
    inputSatoshis: bigint('input_satoshis', { mode: 'bigint' }),
    /** What its outputs hold together, change included; null in rows older than this column. */
    outputSatoshis: bigint('output_satoshis', { mode: 'bigint' }),
    /** What one BSV cost in USD when it was reported, decimal text; null where that was not known. */
    usdRate: text('usd_rate'),
    /** And what it cost in the payment's own currency. */
    currencyRate: text('currency_rate'),
    /** The page that asked, where one did. */
    origin: text(),
    clientIdentifier: text('client_identifier'),
    /** The label of the button that was swiped. */
    label: text(),
    buttonId: text('button_id'),
    buttonData: text('button_data'),
    /** The payer's note to the seller. */
    payerNote: text('payer_note'),
    /** The payment that it gives back, by the sender's word … */
    refundOf: text('refund_of'),
    /** … and how much of it (satoshis), as the transaction shows it; null where it is no refund. */
    refundSatoshis: bigint('refund_satoshis', { mode: 'bigint' }),
    /** What refunds gave back of this one, but for failed ones (satoshis). */
    refundedSatoshis: bigint('refunded_satoshis', { mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    /** The token that is paid, as the outputs' scripts say, and how many of its smallest units; null where none is. */
    tokenId: text('token_id'),
    tokenUnits: numeric('token_units', { mode: 'bigint', precision: 22, scale: 0 }),
    /** The asset of this service that the payer named, which has that token; null: name and amount are the payer's word. */
    assetId: uuid('asset_id'),
    /** Whether the transaction had as much of it to give. */
    tokenValidity: text('token_validity', { enum: TOKEN_VALIDITIES }),
    /** When the token is followed back to its mint next; null once that is decided, or cannot be. */
    nextTokenCheckAt: time('next_token_check_at'),
    tokenChecks: integer('token_checks').notNull().default(0),
    cryptoOperations: jsonb('crypto_operations').$type<CryptoResult[]>().notNull().default([]),
    status: text({ enum: PAYMENT_STATUSES }).notNull(),
    statusDescription: text('status_description'),
    /** Where the network stood on it at the last check. */
    network: text({ enum: NETWORK_STANDINGS }).notNull().default('seen'),
    /** Since when no check has found it accepted; null while it is. */
    unseenSince: time('unseen_since'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    /** When the network is asked about it next; null if it isn't. A failed payment is checked for a while. */
    nextCheckAt: time('next_check_at'),
    checks: integer().notNull().default(0),
    /** When ARC was asked to call back about it; null where it was not yet, or is not to be. */
    callbackAskedAt: time('callback_asked_at'),
  },
  (table) => [
    index('payments_next_check_at')
      .on(table.nextCheckAt)
      .where(sql`${table.nextCheckAt} is not null`),
    index('payments_next_token_check_at')
      .on(table.nextTokenCheckAt)
      .where(sql`${table.nextTokenCheckAt} is not null`),
    // One transaction is reported once; it may have come in by paymail as well, for each destination that it paid.
    uniqueIndex('payments_reported_txid')
      .on(table.txid)
      .where(sql`${table.reported}`),
    index('payments_txid').on(table.txid),
    index('payments_user_id').on(table.userId, table.createdAt, table.id),
    index('payments_user_status')
      .on(table.userId, table.status, table.createdAt, table.id)
      .where(sql`${table.userId} is not null`),
    // For those who look among all that they received for what is rare.
    index('payments_not_completed')
      .on(table.status, table.createdAt, table.id)
      .where(sql`${table.status} <> 'COMPLETED'`),
    index('payments_refund_of')
      .on(table.refundOf)
      .where(sql`${table.refundSatoshis} is not null`),
    // By hash: a button's id may be longer than an entry of a B-tree.
    index('payments_button_id')
      .using('hash', table.buttonId)
      .where(sql`${table.buttonId} is not null`),
    index('payments_client_identifier')
      .on(table.clientIdentifier, table.createdAt, table.id)
      .where(sql`${table.clientIdentifier} is not null`),
    index('payments_client_status')
      .on(table.clientIdentifier, table.status, table.createdAt, table.id)
      .where(sql`${table.clientIdentifier} is not null`),
    // Hashed: a button's id may be longer than an entry of a B-tree.
    index('payments_client_button')
      .on(table.clientIdentifier, sql`md5(${table.buttonId})`, table.createdAt, table.id)
      .where(sql`${table.clientIdentifier} is not null and ${table.buttonId} is not null`),
    index('payments_client_label')
      .on(table.clientIdentifier, sql`md5(${table.label})`, table.createdAt, table.id)
      .where(sql`${table.clientIdentifier} is not null and ${table.label} is not null`),
  ],
);

/**
 * What the payments of applications are found by (payments/search-index.ts), apart from them: a payment changes several
 * times, and this never with it.
 */
export const paymentSearch = pgTable(
  'payment_search',
  {
    paymentId: uuid('payment_id')
      .primaryKey()
      .references(() => payments.id, { onDelete: 'cascade' }),
    /** The payment's. */
    createdAt: time('created_at').notNull(),
    keys: tsvector().notNull(),
  },
  // Without a list of what is to be put in later: every search would read through it.
  (table) => [index('payment_search_keys').using('gin', table.keys).with({ fastupdate: false })],
);

/** What the payments of a client come to that have not failed, for each quarter of an hour (payments/sales-sums.ts). */
export const paymentSums = pgTable(
  'payment_sums',
  {
    clientIdentifier: text('client_identifier').notNull(),
    /** SHA-256 (hex) of the label or id of the button that they were made with; empty for all of them together. */
    button: text().notNull().default(''),
    /** When the quarter of an hour begins. */
    quarter: time('quarter').notNull(),
    currency: text().notNull(),
    payments: integer().notNull(),
    /** How many of them have no known rate, and are not in `worth`. */
    unrated: integer().notNull(),
    satoshis: numeric().notNull(),
    /** In the currency, by this service's rates when they were reported. */
    worth: numeric().notNull(),
  },
  (table) => [primaryKey({ columns: [table.clientIdentifier, table.button, table.quarter, table.currency] })],
);

/** A payment's recipients in the order of the request. */
export const paymentOutputs = pgTable(
  'payment_outputs',
  {
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.id),
    position: integer().notNull(),
    type: text({ enum: RECIPIENT_KINDS }).notNull(),
    to: text().notNull(),
    paymail: text(),
    userId: text('user_id'),
    address: text(),
    script: text(),
    amount: text().notNull(),
    currency: text().notNull(),
    satoshis: bigint({ mode: 'bigint' }).notNull(),
    /** The transaction's outputs that pay this recipient: script (hex) and satoshis (text). */
    scripts: jsonb().$type<{ script: string; satoshis: string }[]>().notNull(),
    /** Of a USER or PAYMAIL: what its host called the destination. */
    reference: text(),
    /**
     * Who is paid, where this service itself gave out the destination: whose word that is, and who may read the
     * payment.
     */
    recipientId: bigint('recipient_id', { mode: 'number' }).references(() => users.id),
  },
  (table) => [
    primaryKey({ columns: [table.paymentId, table.position] }),
    index('payment_outputs_user_id')
      .on(table.userId)
      .where(sql`${table.userId} is not null`),
    // By hash: another host's reference may be longer than an entry of a B-tree.
    index('payment_outputs_reference')
      .using('hash', table.reference)
      .where(sql`${table.reference} is not null`),
  ],
);
