/** Brings a database's tables up to the schema. Safe where several instances start at once. */
import { fileURLToPath } from 'node:url';
import { sql, type SQL } from 'drizzle-orm';
import { readMigrationFiles, type MigrationMeta } from 'drizzle-orm/migrator';
import type { PgDialect, PgSession } from 'drizzle-orm/pg-core';
import type { Database, OpenDatabase } from './connect.ts';
import { StartError } from './embedded/start-error.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
// Any fixed number of 63 bits that nothing else in the same database locks: the text "button" as bytes.
const LOCK = '108183949307758';

/**
 * Runs what migrations are missing, under an advisory lock that makes other instances wait.
 * @throws StartError `preview-data` where the tables are those of a preview
 */
export async function migrate(database: OpenDatabase): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: FOLDER });
  await database.onOneConnection(async (db) => {
    await db.execute(sql`select pg_advisory_lock(${LOCK}::bigint)`);
    try {
      await assertOurs(db, migrations);
      // What the driver's migrator calls; it would take a pool only.
      const { dialect, session } = db as unknown as { dialect: PgDialect; session: PgSession };
      await dialect.migrate(migrations, session, { migrationsFolder: FOLDER });
    } finally {
      await db.execute(sql`select pg_advisory_unlock(${LOCK}::bigint)`);
    }
  });
}

/** Previews of this service began with other migrations: their tables would be taken for ours. */
async function assertOurs(db: Database, migrations: readonly MigrationMeta[]): Promise<void> {
  const rowsOf = async (query: SQL) =>
    ((await db.execute(query)) as unknown as { rows: { hash: string | null }[] }).rows;
  const [journal] = await rowsOf(sql`select to_regclass('drizzle.__drizzle_migrations')::text as hash`);
  if (!journal?.hash) return;
  const applied = await rowsOf(sql`select hash from drizzle.__drizzle_migrations`);
  if (applied.length === 0 || applied.some(({ hash }) => hash === migrations[0]?.hash)) return;
  throw new StartError(
    'preview-data',
    'The database was made by a preview of this service, whose tables were others. Make an empty one, and set DATABASE_URL to it.',
  );
}
