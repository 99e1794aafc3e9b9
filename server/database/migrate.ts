/** Brings a database's tables up to the schema. Safe where several instances start at once. */
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { PgDialect, PgSession } from 'drizzle-orm/pg-core';
import type { OpenDatabase } from './connect.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
// Any fixed number of 63 bits that nothing else in the same database locks: the text "button" as bytes.
const LOCK = '108183949307758';

/** Runs what migrations are missing, under an advisory lock that makes other instances wait. */
export async function migrate(database: OpenDatabase): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: FOLDER });
  await database.onOneConnection(async (db) => {
    await db.execute(sql`select pg_advisory_lock(${LOCK}::bigint)`);
    try {
      // What the migrators of both drivers call; the drivers' own wrappers differ in nothing but their types.
      const { dialect, session } = db as unknown as { dialect: PgDialect; session: PgSession };
      await dialect.migrate(migrations, session, { migrationsFolder: FOLDER });
    } finally {
      await db.execute(sql`select pg_advisory_unlock(${LOCK}::bigint)`);
    }
  });
}
