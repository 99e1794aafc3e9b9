/** Assets, and what was found out of tokens. */
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, numeric, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { ASSET_STATES } from '../../../protocol/assets.ts';
import { skeletonSql } from '../handle-skeleton.ts';
import { users } from './accounts.ts';
import { time } from './columns.ts';

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

/**
 * What was found out of outputs that hold tokens (`txid:vout`): that follows from their own transactions and those before,
 * by their ids, and never changes.
 */
export const tokenVerdicts = pgTable('token_verdicts', {
  outpoint: text().primaryKey(),
  valid: boolean().notNull(),
});
