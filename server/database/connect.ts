import { drizzle } from 'drizzle-orm/node-postgres';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import pg from 'pg';
import type { DatabaseFault } from './away.ts';
import * as schema from './schema.ts';
import { STATEMENT_MS, WatchedClient, type ConnectionWatch } from './watched-client.ts';

/** The handle for queries. In a transaction, use only its own handle: others use other connections. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

export interface OpenDatabase {
  db: Database;
  /** Runs `work` on one connection. @param statementMs limit for each statement (milliseconds), or null */
  onOneConnection<T>(work: (db: Database) => Promise<T>, statementMs?: number | null): Promise<T>;
  connections(): { busy: number; idle: number; waiting: number };
  /** Why requests can't be served at the moment, null if nothing is known to prevent it. */
  fault(): DatabaseFault | null;
  close(): Promise<void>;
}

/** After this long without an answer (milliseconds) the database counts as silent: longer than any wait for a lock. */
const SILENT_MS = 6_000;
/** How long a failed write counts (milliseconds). No read shows whether the disk has space again. */
const FAILED_WRITE_MS = 10_000;
/** How long statements in progress may take once the database is being closed (milliseconds). */
const CLOSE_MS = 2_000;

/**
 * Opens PostgreSQL with up to `connections` connections. A statement without an answer fails after 8 s. Then, and when
 * the server rejects writes or ends sessions, all earlier connections are discarded.
 * @param onError receives the errors of idle connections that break
 * @param statementMs limit for each statement outside `onOneConnection` (milliseconds), or null
 */
export async function openPostgres(
  url: string,
  onError: (error: Error) => void = () => {},
  connections = 10,
  statementMs: number | null = STATEMENT_MS,
): Promise<OpenDatabase> {
  const unanswered = new Set<{ since: number }>();
  const clients = new Set<WatchedClient>();
  let [generation, failedWriteAt] = [0, -Infinity];
  const watch: ConnectionWatch = {
    get generation() {
      return generation;
    },
    unanswered,
    onFault(fault, client) {
      if (fault === 'writes-fail') failedWriteAt = performance.now();
      // Newer connections may lead to another server.
      if (client.generation < generation) return;
      generation += 1;
      discardIdle();
    },
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    Client: class extends WatchedClient {
      constructor(config?: string | pg.ClientConfig) {
        super(config, watch);
        this.statementMs = statementMs;
      }
    } as typeof pg.Client,
    onConnect: (client) => (client as unknown as WatchedClient).detectPooler(),
  });
  pool.on('error', onError);
  // Without a listener, a connection that breaks while in use would end the process; its query fails anyway.
  pool.on('connect', (client) => {
    client.on('error', onError);
    clients.add(client as unknown as WatchedClient);
  });
  pool.on('remove', (client) => clients.delete(client as unknown as WatchedClient));

  function discardIdle(): void {
    for (let idle = pool.idleCount; idle > 0; idle -= 1) {
      pool.connect().then(
        (client) => client.release(),
        () => undefined,
      );
    }
  }

  return {
    db: drizzle(pool, { schema }),
    async onOneConnection(work, itsStatementMs = statementMs) {
      const client = (await pool.connect()) as pg.PoolClient & WatchedClient;
      client.statementMs = itsStatementMs;
      try {
        return await work(drizzle(client, { schema }));
      } finally {
        client.statementMs = statementMs;
        client.release();
      }
    },
    connections: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    fault() {
      const now = performance.now();
      for (const { since } of unanswered) if (now - since > SILENT_MS) return 'silent';
      return now - failedWriteAt < FAILED_WRITE_MS ? 'writes-fail' : null;
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const over = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_MS);
      });
      await Promise.race([pool.end(), over]);
      clearTimeout(timer);
      for (const client of clients) client.connection.stream.destroy();
    },
  };
}
