/** Migrates a database to the current schema. Instances can start concurrently. */
import { fileURLToPath } from 'node:url';
import { sql, type SQL } from 'drizzle-orm';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { readMigrationFiles, type MigrationMeta } from 'drizzle-orm/migrator';
import type { PgDialect, PgSession } from 'drizzle-orm/pg-core';
import type { Database, OpenDatabase } from './connect.ts';
import { StartError } from './embedded/start-error.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
// An arbitrary 63-bit advisory lock key that is unique in the database: ASCII "button".
const LOCK = '108183949307758';
/** Interval between attempts to get the lock (ms). */
const TRY_EVERY_MS = 250;
/** Interval between calls to `onWait` (ms). */
const SAY_EVERY_MS = 5_000;
/** Max deadlocks with running instances' transactions before the migration fails. Detecting each takes a second. */
const MAX_DEADLOCKS = 10;
/**
 * Max wait for a table's lock (ms). Short, because all later queries of the table wait behind it, and shorter than
 * PostgreSQL's `deadlock_timeout` (1 s) so that a deadlock with a running instance ends the migration's attempt, not
 * the instance's transaction.
 */
const LOCK_WAIT_MS = 300;

/**
 * Runs missing migrations in one transaction under an advisory lock that other instances wait for. Behind PgBouncer, a
 * session lock could remain with a server process that then serves another client.
 * @param onWait called every 5 s while another instance holds the lock, or other transactions hold the tables' locks,
 * with the seconds waited
 * @param onDeadlock called before the migration is repeated because of a deadlock, with the number of deadlocks
 * @throws StartError `preview-data` (a preview's tables), `database-encoding` (not UTF-8)
 */
export async function migrate(
  database: OpenDatabase,
  onWait: (seconds: number) => void = () => {},
  onDeadlock: (deadlocks: number) => void = () => {},
): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: FOLDER });
  const begun = performance.now();
  let saidAt = begun;
  let deadlocks = 0;
  const tryOnce = async (db: Database): Promise<boolean> => {
    try {
      return await db.transaction((tx) => migrateLocked(tx, migrations));
    } catch (error) {
      if (codeOf(error) === LOCK_NOT_AVAILABLE) return false;
      if (codeOf(error) !== DEADLOCK_DETECTED || deadlocks === MAX_DEADLOCKS) throw error;
      deadlocks += 1;
      saidAt = performance.now();
      onDeadlock(deadlocks);
      return false;
    }
  };
  await database.onOneConnection(async (db) => {
    await assertUtf8(db);
    while (!(await tryOnce(db))) {
      await new Promise((wake) => setTimeout(wake, TRY_EVERY_MS));
      if (performance.now() - saidAt < SAY_EVERY_MS) continue;
      saidAt = performance.now();
      onWait(Math.round((saidAt - begun) / 1000));
    }
  }, null);
}

// PostgreSQL, appendix A.
const DEADLOCK_DETECTED = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';

const codeOf = (error: unknown) =>
  error instanceof DrizzleQueryError ? (error.cause as { code?: unknown } | undefined)?.code : undefined;

async function migrateLocked(tx: Database, migrations: MigrationMeta[]): Promise<boolean> {
  const [lock] = await rowsOf<{ locked: boolean }>(
    tx,
    sql`select pg_try_advisory_xact_lock(${LOCK}::bigint) as locked`,
  );
  if (!lock?.locked) return false;
  await tx.execute(sql.raw(`set local lock_timeout = ${LOCK_WAIT_MS}`));
  await assertOurs(tx, migrations);
  // Drizzle's migrator accepts only a pool and begins its own transaction. This session reuses the current transaction.
  const { dialect, session } = tx as unknown as { dialect: PgDialect; session: PgSession };
  const within = {
    execute: (query: SQL) => session.execute(query),
    all: (query: SQL) => session.all(query),
    transaction: (work: (tx: Database) => Promise<void>) => work(tx),
  };
  await dialect.migrate(migrations, within as unknown as PgSession, { migrationsFolder: FOLDER });
  return true;
}

const rowsOf = async <Row>(db: Database, query: SQL) => ((await db.execute(query)) as unknown as { rows: Row[] }).rows;

/** Throws unless the encoding is UTF-8, because other encodings can't store every character. */
async function assertUtf8(db: Database): Promise<void> {
  const [found] = await rowsOf<{ encoding: string }>(db, sql`select current_setting('server_encoding') as encoding`);
  if (found?.encoding === 'UTF8') return;
  throw new StartError(
    'database-encoding',
    `The database's encoding must be UTF8, but is ${found?.encoding}. Create one with createdb --encoding=UTF8 --template=template0, and set DATABASE_URL to it.`,
  );
}

/** Rejects the tables of this service's preview versions, which had different migrations. */
async function assertOurs(db: Database, migrations: readonly MigrationMeta[]): Promise<void> {
  const [journal] = await rowsOf<{ hash: string | null }>(
    db,
    sql`select to_regclass('drizzle.__drizzle_migrations')::text as hash`,
  );
  if (!journal?.hash) return;
  const applied = await rowsOf<{ hash: string | null }>(db, sql`select hash from drizzle.__drizzle_migrations`);
  if (applied.length === 0 || applied.some(({ hash }) => hash === migrations[0]?.hash)) return;
  throw new StartError(
    'preview-data',
    'The database was created by a preview of this service, which had other tables. Create an empty one, and set DATABASE_URL to it.',
  );
}
