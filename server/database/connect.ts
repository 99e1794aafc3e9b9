/** Opens one of the two databases: PostgreSQL, or the embedded one (PGlite) in a directory of its own. */
import { mkdir } from 'node:fs/promises';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import * as schema from './schema.ts';

/**
 * The handle that queries are made with, the same for both databases. The embedded one has a single connection: inside
 * a transaction use the transaction's own handle only, or the query waits for itself forever.
 */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

/** An open database. */
export interface OpenDatabase {
  kind: 'postgresql' | 'embedded';
  db: Database;
  /** Runs `work` on one connection, so that session-wide locks hold over all its statements. */
  onOneConnection<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** How its connections stand just now: with a query, without one, and queries that wait for one. */
  connections(): { busy: number; idle: number; waiting: number };
  close(): Promise<void>;
}

/**
 * Opens PostgreSQL with up to `connections` connections. `onError` hears of those that break while idle; the pool
 * replaces them by itself.
 */
export async function openPostgres(
  url: string,
  onError: (error: Error) => void = () => {},
  connections = 10,
): Promise<OpenDatabase> {
  const [{ default: pg }, { drizzle }] = await Promise.all([import('pg'), import('drizzle-orm/node-postgres')]);
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
  });
  pool.on('error', onError);
  // One that breaks while in use tells its query, and this event besides: without a listener that would end the
  // process.
  pool.on('connect', (client) => client.on('error', onError));
  return {
    kind: 'postgresql',
    db: drizzle(pool, { schema }),
    async onOneConnection(work) {
      const client = await pool.connect();
      try {
        return await work(drizzle(client, { schema }));
      } finally {
        client.release();
      }
    },
    connections: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

/**
 * Opens the embedded database in `directory`, or in memory. The caller holds the lock on the directory.
 * @param files what one in memory begins with: the files of another (PGlite's `dumpDataDir`)
 */
export async function openEmbedded(directory: string | null, files?: Blob): Promise<OpenDatabase> {
  const [{ PGlite }, { drizzle }] = await Promise.all([import('@electric-sql/pglite'), import('drizzle-orm/pglite')]);
  if (directory !== null) await mkdir(directory, { recursive: true, mode: 0o700 });
  const client =
    directory === null ? await PGlite.create(files && { loadDataDir: files }) : await PGlite.create(directory);
  const db = drizzle(client, { schema });
  return {
    kind: 'embedded',
    db,
    onOneConnection: (work) => work(db),
    connections: () => ({ busy: 0, idle: 1, waiting: 0 }),
    close: () => client.close(),
  };
}
