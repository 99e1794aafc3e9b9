import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, numeric, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { ASSET_STATES } from '../../../protocol/assets/assets.ts';
import { skeletonSql, time } from './columns.ts';
import { users } from './accounts.ts';

/** Assets: owners' descriptions of tokens, each bound to the token that the owner's wallet minted. */
export const assets = pgTable(
  'assets',
  {
    id: uuid().primaryKey(),
    ownerId: bigint('owner_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    name: text().notNull(),
    description: text().notNull(),
    /** A URL that the service never requests. */
    avatar: text(),
    url: text(),
    /** In the token's smallest unit. The maximum, 2^64-1, exceeds PostgreSQL's bigint. */
    supply: numeric({ mode: 'bigint', precision: 20, scale: 0 }).notNull(),
    decimals: integer().notNull(),
    paymailAlias: text('paymail_alias').notNull(),
    /** Unique, so no alias looks like another alias or a user's handle (identity/handles.ts). */
    aliasSkeleton: text('alias_skeleton').generatedAlwaysAs(skeletonSql('paymail_alias')).unique(),
    state: text({ enum: ASSET_STATES }).notNull(),
    /** `txid_vout`; null while pending. A token belongs to at most one asset. */
    tokenId: text('token_id').unique(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    /** Time of the next network query about the mint transaction; null unless the asset is minting. */
    nextCheckAt: time('next_check_at'),
    checks: integer().notNull().default(0),
    /** Time when a check first found that the mint wasn't accepted; null while it is accepted. */
    unseenSince: time('unseen_since'),
  },
  (table) => [
    index('assets_owner_id').on(table.ownerId, table.createdAt, table.id),
    index('assets_next_check_at')
      .on(table.nextCheckAt)
      .where(sql`${table.nextCheckAt} is not null`),
  ],
);

/** Validity of token outputs (`txid:vout`). Validity depends only on an output's ancestors, so it never changes. */
export const tokenVerdicts = pgTable('token_verdicts', {
  outpoint: text().primaryKey(),
  valid: boolean().notNull(),
});
