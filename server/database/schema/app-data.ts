/** The application data log, encrypted by wallets. */
import { bigint, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { bytea, time } from './columns.ts';

/** The size of each account's application data log. Any change to a log locks its row. */
export const appLogs = pgTable('app_logs', {
  userId: bigint('user_id', { mode: 'number' })
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The last position assigned. Positions are never reused. */
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
    /** 8 random bytes (hex) that identify the wallet. */
    writer: text().notNull(),
    /** The sequence number that the wallet assigned to the block. */
    sequence: integer().notNull(),
    block: bytea().notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.position] }),
    unique('app_log_blocks_id').on(table.userId, table.writer, table.sequence),
  ],
);
