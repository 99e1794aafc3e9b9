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
  close(): Promise<void>;
}

/** Opens PostgreSQL. `onError` hears of connections that break while idle; the pool replaces them by itself. */
export async function openPostgres(url: string, onError: (error: Error) => void = () => {}): Promise<OpenDatabase> {
  const [{ default: pg }, { drizzle }] = await Promise.all([import('pg'), import('drizzle-orm/node-postgres')]);
  const pool = new pg.Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 5_000, idleTimeoutMillis: 30_000 });
  pool.on('error', onError);
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
    close: () => pool.end(),
  };
}

/** Opens the embedded database in `directory`, or in memory. The caller holds the lock on the directory. */
export async function openEmbedded(directory: string | null): Promise<OpenDatabase> {
  const [{ PGlite }, { drizzle }] = await Promise.all([import('@electric-sql/pglite'), import('drizzle-orm/pglite')]);
  if (directory !== null) await mkdir(directory, { recursive: true, mode: 0o700 });
  const client = directory === null ? await PGlite.create() : await PGlite.create(directory);
  const db = drizzle(client, { schema });
  return { kind: 'embedded', db, onOneConnection: (work) => work(db), close: () => client.close() };
}
