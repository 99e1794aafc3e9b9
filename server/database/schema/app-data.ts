/** Logs of applications’ data, which wallets store here encrypted. */
import { bigint, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { bytea, time } from './columns.ts';

/** The size of each account's log of applications' data. Any change to the log locks its row. */
export const appLogs = pgTable('app_logs', {
  userId: bigint('user_id', { mode: 'number' })
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The last position issued. None is issued twice. */
  position: bigint({ mode: 'number' }).notNull(),
  blocks: integer().notNull(),
  bytes: bigint({ mode: 'number' }).notNull(),
});

/** The log's blocks, encrypted by the account's wallets. */
export const appLogBlocks = pgTable(
  'app_log_blocks',
  {
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    position: bigint({ mode: 'number' }).notNull(),
    /** 8 random bytes identifying a wallet, hex … */
    writer: text().notNull(),
    /** … and the block's sequence number in that wallet. */
    sequence: integer().notNull(),
    block: bytea().notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.position] }),
    unique('app_log_blocks_id').on(table.userId, table.writer, table.sequence),
  ],
);
