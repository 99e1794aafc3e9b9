/**
 * The service's tables, for PostgreSQL 15 or newer. Secrets are stored only as SHA-256 hashes, except where noted.
 * Amounts are decimal strings or integer satoshis.
 */
export * from './schema/accounts.ts';
export * from './schema/assets.ts';
export * from './schema/app-data.ts';
export * from './schema/oauth.ts';
export * from './schema/payments.ts';
export * from './schema/paymail.ts';
export * from './schema/webhooks.ts';
export * from './schema/instance.ts';
