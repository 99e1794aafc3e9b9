/** Logs of applications’ data, which wallets keep here sealed. */
import { bigint, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { bytea, time } from './columns.ts';

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
