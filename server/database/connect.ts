/** Opens the database. */
import { drizzle } from 'drizzle-orm/node-postgres';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import pg from 'pg';
import * as schema from './schema.ts';

/**
 * The handle that queries are made with. Inside a transaction use the transaction's own handle only: another one has
 * another connection.
 */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

/** An open database. */
export interface OpenDatabase {
  db: Database;
  /** Runs `work` on one connection, so that session-wide locks hold over all its statements. */
  onOneConnection<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** Current state of its connections: busy, idle, and queries that wait for one. */
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
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
  });
  pool.on('error', onError);
  // A connection that breaks while in use fails its query and also emits this event, which would end the process
  // without a listener.
  pool.on('connect', (client) => client.on('error', onError));
  return {
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
