/**
 * The service's tables, in PostgreSQL 15's dialect for both databases. Secrets (nonces, tokens) are kept as SHA-256
 * hashes only; amounts of money are decimal text or whole satoshis, never floating point.
 */
import { sql } from 'drizzle-orm';
import { bigint, customType, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { Registration } from '../../protocol/api.ts';
import { PAYMENT_STATUSES, RECIPIENT_KINDS } from '../../protocol/payment.ts';

const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });
const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Accounts. Ids start at 1001: small numbers look like mistakes where a recipient is told by digits alone. */
export const users = pgTable('users', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity({ startWith: 1001 }),
  handle: text().notNull().unique(),
  name: text().notNull(),
  /** Compressed identity key (`m/0'/236'/0'/0/0`), hex. */
  publicKey: text('public_key').notNull().unique(),
  /** Extended public key of account `m/44'/236'/2'`, from which paymail destinations are derived. */
  receivingXpub: text('receiving_xpub').notNull(),
  createdAt: time('created_at').notNull(),
});

/** Texts given out to be signed, until they are redeemed (the row goes) or expire. */
export const signInChallenges = pgTable('sign_in_challenges', {
  nonceHash: text('nonce_hash').primaryKey(),
  publicKey: text('public_key').notNull(),
  /** What is asked for: null to sign in, else the account to be made. */
  registration: jsonb().$type<Registration>(),
  issuedAt: time('issued_at').notNull(),
  expiresAt: time('expires_at').notNull(),
}, (table) => [index('sign_in_challenges_expires_at').on(table.expiresAt)]);

/** Bearer tokens and cookie sessions. */
export const accessTokens = pgTable('access_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  kind: text({ enum: ['wallet', 'session'] }).notNull(),
  userId: bigint('user_id', { mode: 'number' }).notNull().references(() => users.id),
  createdAt: time('created_at').notNull(),
  expiresAt: time('expires_at').notNull(),
}, (table) => [index('access_tokens_expires_at').on(table.expiresAt)]);

/** Payments as their senders' wallets reported them, after they were checked. */
export const payments = pgTable('payments', {
  /** Made by the wallet. */
  id: uuid().primaryKey(),
  /** The sender. */
  userId: bigint('user_id', { mode: 'number' }).notNull().references(() => users.id),
  txid: text().notNull().unique(),
  normalizedTxid: text('normalized_txid').notNull(),
  rawtx: bytea().notNull(),
  amount: text().notNull(),
  currency: text().notNull(),
  satoshis: bigint({ mode: 'bigint' }).notNull(),
  /** The page that asked, where one did. */
  origin: text(),
  clientIdentifier: text('client_identifier'),
  buttonId: text('button_id'),
  buttonData: text('button_data'),
  status: text({ enum: PAYMENT_STATUSES }).notNull(),
  statusDescription: text('status_description'),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
  /** When the network is asked about it next; null once the status is final. */
  nextCheckAt: time('next_check_at'),
  checks: integer().notNull().default(0),
}, (table) => [
  index('payments_next_check_at').on(table.nextCheckAt).where(sql`${table.nextCheckAt} is not null`),
  index('payments_user_id').on(table.userId, table.createdAt),
]);

/** A payment's recipients in the order of the request. */
export const paymentOutputs = pgTable('payment_outputs', {
  paymentId: uuid('payment_id').notNull().references(() => payments.id),
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
}, (table) => [primaryKey({ columns: [table.paymentId, table.position] })]);
