import { sql } from 'drizzle-orm';
import { bigint, boolean, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { bytea, time } from './columns.ts';

/** Applications, which OAuth calls clients. */
export const applications = pgTable(
  'applications',
  {
    id: uuid().primaryKey(),
    ownerId: bigint('owner_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    name: text().notNull(),
    /** The site shown on the consent page. */
    url: text().notNull(),
    description: text().notNull(),
    /** Public. Used by buttons, and as the user name in Basic credentials. */
    clientIdentifier: text('client_identifier').notNull().unique(),
    clientSecretHash: text('client_secret_hash').notNull(),
    /** Public. The `client_id` of the authorization code flow. */
    oauthIdentifier: text('oauth_identifier').notNull().unique(),
    redirectUri: text('redirect_uri'),
    webhookUrl: text('webhook_url'),
    /** In plain text, because it signs webhooks: `whsec_` followed by base64 (Standard Webhooks). */
    webhookSecret: text('webhook_secret').notNull(),
    /** The previous secret, which also signs during a rotation; otherwise null. */
    previousWebhookSecret: text('previous_webhook_secret'),
    /** Time when the previous secret stops signing. */
    previousWebhookSecretUntil: time('previous_webhook_secret_until'),
    /**
     * Sent in the body of webhooks in the original format, so stored in plain text. Null if webhooks use the signed
     * format.
     */
    webhookBodySecret: text('webhook_body_secret'),
    requirePkce: boolean('require_pkce').notNull(),
    requireSecret: boolean('require_secret').notNull(),
    /** SHA-256 of the logo, hex; null if there is no logo. */
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

export const applicationLogos = pgTable('application_logos', {
  applicationId: uuid('application_id')
    .primaryKey()
    .references(() => applications.id, { onDelete: 'cascade' }),
  /** SHA-256, hex. */
  digest: text().notNull(),
  type: text({ enum: ['image/png', 'image/jpeg'] }).notNull(),
  image: bytea().notNull(),
});

/** A user's grants to an application, one row per scope. A token is valid only while the rows for its scopes exist. */
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

/** One run of the code flow. Deleting the row revokes the code and all tokens issued from it. */
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
    /** Time when its code, access tokens and refresh token have all expired, and the row may be deleted. */
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    index('authorizations_user_application').on(table.userId, table.applicationId),
    index('authorizations_expires_at').on(table.expiresAt),
  ],
);

/** Authorization codes. A used code remains until its authorization is deleted, so replays are detected. */
export const authorizationCodes = pgTable(
  'authorization_codes',
  {
    codeHash: text('code_hash').primaryKey(),
    authorizationId: uuid('authorization_id')
      .notNull()
      .references(() => authorizations.id, { onDelete: 'cascade' }),
    redirectUri: text('redirect_uri').notNull(),
    /** S256, base64url; null if the client doesn't use PKCE. */
    codeChallenge: text('code_challenge'),
    expiresAt: time('expires_at').notNull(),
    usedAt: time('used_at'),
  },
  (table) => [index('authorization_codes_authorization_id').on(table.authorizationId)],
);

/** Refresh tokens, which expire after 30 days without use and aren't rotated. */
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
    kind: text({ enum: ['wallet', 'session', 'user', 'application'] }).notNull(),
    /** Null for an application's own token. */
    userId: bigint('user_id', { mode: 'number' }).references(() => users.id),
    /** Null for wallets and sessions. */
    applicationId: uuid('application_id').references(() => applications.id, { onDelete: 'cascade' }),
    /** The authorization of a `user` token. */
    authorizationId: uuid('authorization_id').references(() => authorizations.id, { onDelete: 'cascade' }),
    /** The token's scopes; null for wallets and sessions. */
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
