/**
 * The service's tables, in PostgreSQL 15's dialect for both databases. Secrets (nonces, tokens) are kept as SHA-256
 * hashes only; amounts of money are decimal text or whole satoshis, never floating point.
 */
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Registration } from '../../protocol/api.ts';
import { ASSET_STATES } from '../../protocol/assets.ts';
import type { AssetBalance } from '../../protocol/balance-message.ts';
import { PAYMENT_STATUSES, RECIPIENT_KINDS, type CryptoResult } from '../../protocol/payment.ts';
import { TOKEN_VALIDITIES, WEBHOOK_EVENTS } from '../../protocol/payment-types.ts';
import { skeletonSql } from './handle-skeleton.ts';

const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });
const tsvector = customType<{ data: readonly string[]; driverData: string }>({ dataType: () => 'tsvector' });
const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Accounts. Ids start at 1001: small numbers look like mistakes where a recipient is told by digits alone. */
export const users = pgTable('users', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity({ startWith: 1001 }),
  handle: text().notNull().unique(),
  /** Of it: of two handles that look alike, the second is not given out (identity/handle-skeleton.ts). */
  handleSkeleton: text('handle_skeleton').generatedAlwaysAs(skeletonSql('handle')).unique(),
  name: text().notNull(),
  /** Compressed identity key (`m/0'/236'/0'/0/0`), hex. */
  publicKey: text('public_key').notNull().unique(),
  /** Extended public key of account `m/44'/236'/2'`, from which paymail destinations are derived. */
  receivingXpub: text('receiving_xpub').notNull(),
  bio: text().notNull().default(''),
  /** A picture elsewhere that the user named; null where there is none, and while `picture` is the user’s. */
  avatarUrl: text('avatar_url'),
  /** SHA-256 of the picture that the user uploaded, hex; null where there is none. */
  picture: text(),
  defaultCurrency: text('default_currency').notNull().default('USD'),
  defaultLanguage: text('default_language').notNull().default('en'),
  /** Of the addresses that paymail senders are given: the first index after the last one that was paid … */
  receivingBase: integer('receiving_base').notNull().default(0),
  /**
   * … and how many were given out since. Within the gap limit of restored wallets they are given out in turn
   * (paymail/addresses.ts).
   */
  receivingTurn: bigint('receiving_turn', { mode: 'number' }).notNull().default(0),
  createdAt: time('created_at').notNull(),
});

/** Pictures that users uploaded of themselves, apart from them: whoever reads an account does not read its picture. */
export const profilePictures = pgTable('profile_pictures', {
  userId: bigint('user_id', { mode: 'number' })
    .primaryKey()
    .references(() => users.id),
  /** SHA-256, hex. */
  digest: text().notNull(),
  type: text({ enum: ['image/png', 'image/jpeg'] }).notNull(),
  image: bytea().notNull(),
});

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

/** What a wallet last published of its balance, while some application may read it. */
export const balances = pgTable('balances', {
  userId: bigint('user_id', { mode: 'number' })
    .primaryKey()
    .references(() => users.id),
  satoshis: bigint({ mode: 'bigint' }).notNull(),
  /** Of protocol/balance-message.ts, by the identity key, base64. */
  signature: text().notNull(),
  /** The wallet's own time. */
  publishedAt: time('published_at').notNull(),
  /** What it holds of tokens, with the signature of that; null where no application may read it. */
  assets: jsonb().$type<AssetBalance[]>(),
  assetsSignature: text('assets_signature'),
});

/** Assets: tokens as their owners describe them, bound to the token that the owner's wallet minted. */
export const assets = pgTable(
  'assets',
  {
    id: uuid().primaryKey(),
    ownerId: bigint('owner_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    name: text().notNull(),
    description: text().notNull(),
    /** Addresses that this service never asks. */
    avatar: text(),
    url: text(),
    /** In the token's smallest units: up to 2^64-1, more than a bigint of PostgreSQL. */
    supply: numeric({ mode: 'bigint', precision: 20, scale: 0 }).notNull(),
    decimals: integer().notNull(),
    paymailAlias: text('paymail_alias').notNull(),
    /** No two look alike, nor like a user's handle (identity/handles.ts). */
    aliasSkeleton: text('alias_skeleton').generatedAlwaysAs(skeletonSql('paymail_alias')).unique(),
    state: text({ enum: ASSET_STATES }).notNull(),
    /** `txid_vout`; null while pending. No token is two assets'. */
    tokenId: text('token_id').unique(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    /** When the network is asked about its token next; null but while it is minting. */
    nextCheckAt: time('next_check_at'),
    checks: integer().notNull().default(0),
  },
  (table) => [
    index('assets_owner_id').on(table.ownerId, table.createdAt, table.id),
    index('assets_next_check_at')
      .on(table.nextCheckAt)
      .where(sql`${table.nextCheckAt} is not null`),
  ],
);

/** How large each account's log of applications' data is. Its row is locked by whoever changes the log. */
export const appLogs = pgTable('app_logs', {
  userId: bigint('user_id', { mode: 'number' })
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The last one that was given out: none is given twice. */
  position: bigint({ mode: 'number' }).notNull(),
  blocks: integer().notNull(),
  bytes: bigint({ mode: 'number' }).notNull(),
});

/** Its blocks, sealed by the account's wallets. */
export const appLogBlocks = pgTable(
  'app_log_blocks',
  {
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    position: bigint({ mode: 'number' }).notNull(),
    /** 8 random bytes of a wallet, hex … */
    writer: text().notNull(),
    /** … and the block's place among that one's. */
    sequence: integer().notNull(),
    block: bytea().notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.position] }),
    unique('app_log_blocks_id').on(table.userId, table.writer, table.sequence),
  ],
);

/** Texts given out to be signed, until they are redeemed (the row goes) or expire. */
export const signInChallenges = pgTable(
  'sign_in_challenges',
  {
    nonceHash: text('nonce_hash').primaryKey(),
    /** Whose it is; null where a page asks, which learns the key together with the signature. */
    publicKey: text('public_key'),
    /** What is asked for: null to sign in, else the account to be made. A page brings that with the signature, too. */
    registration: jsonb().$type<Registration>(),
    issuedAt: time('issued_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('sign_in_challenges_expires_at').on(table.expiresAt)],
);

/** Applications, which OAuth calls clients. */
export const applications = pgTable(
  'applications',
  {
    id: uuid().primaryKey(),
    ownerId: bigint('owner_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    name: text().notNull(),
    /** The site that the consent page names. */
    url: text().notNull(),
    description: text().notNull(),
    /** Public; what buttons name, and the user name of the Basic credential. */
    clientIdentifier: text('client_identifier').notNull().unique(),
    clientSecretHash: text('client_secret_hash').notNull(),
    /** Public; the `client_id` of the authorization code flow. */
    oauthIdentifier: text('oauth_identifier').notNull().unique(),
    redirectUri: text('redirect_uri'),
    webhookUrl: text('webhook_url'),
    /** In clear, because it signs (Standard Webhooks); `whsec_` and base64. */
    webhookSecret: text('webhook_secret').notNull(),
    /** The one before, which signs beside it while a rotation lasts, and until when; both null otherwise. */
    previousWebhookSecret: text('previous_webhook_secret'),
    previousWebhookSecretUntil: time('previous_webhook_secret_until'),
    /**
     * Chosen by the owner, in clear, because it is sent: then webhooks have the body of the original service. Null: the
     * signed one.
     */
    webhookBodySecret: text('webhook_body_secret'),
    requirePkce: boolean('require_pkce').notNull(),
    requireSecret: boolean('require_secret').notNull(),
    /** SHA-256 of its logo, hex; null where it has none. */
    logo: text(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    index('applications_owner_id').on(table.ownerId),
    index('applications_previous_webhook_secret_until')
      .on(table.previousWebhookSecretUntil)
      .where(sql`${table.previousWebhookSecretUntil} is not null`),
  ],
);

/** Logos of applications, apart from them: whoever reads an application does not read its picture. */
export const applicationLogos = pgTable('application_logos', {
  applicationId: uuid('application_id')
    .primaryKey()
    .references(() => applications.id, { onDelete: 'cascade' }),
  /** SHA-256, hex. */
  digest: text().notNull(),
  type: text({ enum: ['image/png', 'image/jpeg'] }).notNull(),
  image: bytea().notNull(),
});

/** What a user allowed an application to read or do, one row a scope. Without the row no token of it is good. */
export const consents = pgTable(
  'consents',
  {
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    applicationId: uuid('application_id')
      .notNull()
      .references(() => applications.id, { onDelete: 'cascade' }),
    scope: text().notNull(),
    grantedAt: time('granted_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.applicationId, table.scope] }),
    index('consents_application_id').on(table.applicationId),
  ],
);

/**
 * One run of the code flow: the code and all tokens that came from it. It goes, and they with it, when it is revoked.
 */
export const authorizations = pgTable(
  'authorizations',
  {
    id: uuid().primaryKey(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    applicationId: uuid('application_id')
      .notNull()
      .references(() => applications.id, { onDelete: 'cascade' }),
    scopes: text().array().notNull(),
    createdAt: time('created_at').notNull(),
    /** When nothing of it can be used any more (code, access and refresh tokens), and the row may go. */
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    index('authorizations_user_application').on(table.userId, table.applicationId),
    index('authorizations_expires_at').on(table.expiresAt),
  ],
);

/** Authorization codes. A used one stays as long as its authorization, so that a replay is known as one. */
export const authorizationCodes = pgTable(
  'authorization_codes',
  {
    codeHash: text('code_hash').primaryKey(),
    authorizationId: uuid('authorization_id')
      .notNull()
      .references(() => authorizations.id, { onDelete: 'cascade' }),
    redirectUri: text('redirect_uri').notNull(),
    /** S256, base64url; null where none was sent. */
    codeChallenge: text('code_challenge'),
    expiresAt: time('expires_at').notNull(),
    usedAt: time('used_at'),
  },
  (table) => [index('authorization_codes_authorization_id').on(table.authorizationId)],
);

/** Refresh tokens: not rotated (the specification's answer carries none), they end after 30 days without use. */
export const refreshTokens = pgTable(
  'refresh_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    authorizationId: uuid('authorization_id')
      .notNull()
      .references(() => authorizations.id, { onDelete: 'cascade' }),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('refresh_tokens_authorization_id').on(table.authorizationId)],
);

/** Bearer tokens and cookie sessions. */
export const accessTokens = pgTable(
  'access_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    /** `user` and `application` tokens come from OAuth. */
    kind: text({ enum: ['wallet', 'session', 'user', 'application'] }).notNull(),
    /** Null for an application's own token. */
    userId: bigint('user_id', { mode: 'number' }).references(() => users.id),
    /** Null for wallet and session. */
    applicationId: uuid('application_id').references(() => applications.id, { onDelete: 'cascade' }),
    /** Of a `user` token. */
    authorizationId: uuid('authorization_id').references(() => authorizations.id, { onDelete: 'cascade' }),
    /** What it is good for; null for wallet and session. */
    scopes: text().array(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    index('access_tokens_expires_at').on(table.expiresAt),
    index('access_tokens_application_id').on(table.applicationId),
    index('access_tokens_authorization_id').on(table.authorizationId),
  ],
);

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
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    /** When the network is asked about it next; null once the status is final. */
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

/**
 * What was found out of outputs that hold tokens (`txid:vout`): that follows from their own transactions and those before,
 * by their ids, and never changes.
 */
export const tokenVerdicts = pgTable('token_verdicts', {
  outpoint: text().primaryKey(),
  valid: boolean().notNull(),
});

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
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    index('paymail_destinations_created_at').on(table.createdAt),
    index('paymail_destinations_user_id').on(table.userId),
  ],
);

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
