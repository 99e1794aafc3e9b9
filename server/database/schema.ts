/**
 * The service's tables, in PostgreSQL 15's dialect. Secrets are stored only as SHA-256 hashes, amounts as decimal text
 * or whole satoshis.
 */
export * from './schema/accounts.ts';
export * from './schema/assets.ts';
export * from './schema/app-data.ts';
export * from './schema/oauth.ts';
export * from './schema/payments.ts';
export * from './schema/paymail.ts';
export * from './schema/webhooks.ts';
export * from './schema/instance.ts';
