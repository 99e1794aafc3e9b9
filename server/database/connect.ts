import { drizzle } from 'drizzle-orm/node-postgres';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import pg from 'pg';
import type { DatabaseFault } from './away.ts';
import * as schema from './schema.ts';
import { STATEMENT_MS, WatchedClient, type ConnectionWatch } from './watched-client.ts';

/**
 * The query handle. Within a transaction, use only the transaction's handle, because other handles use different
 * connections.
 */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

export interface OpenDatabase {
  db: Database;
  /** Runs `work` on a single connection. @param statementMs time limit per statement (ms), or null */
  onOneConnection<T>(work: (db: Database) => Promise<T>, statementMs?: number | null): Promise<T>;
  connections(): { busy: number; idle: number; waiting: number };
  /** Returns the known reason why requests can't be served at the moment, or null. */
  fault(): DatabaseFault | null;
  close(): Promise<void>;
}

/** A statement unanswered for this long means the database is unresponsive (ms). Longer than any wait for a lock. */
const SILENT_MS = 6_000;
/** How long to report `writes-fail` after a failed write (ms). Reads can't show whether the disk has space again. */
const FAILED_WRITE_MS = 10_000;
/** Time limit for statements still in progress when the database is closed (ms). */
const CLOSE_MS = 2_000;

/**
 * Opens PostgreSQL with up to `connections` connections. A statement without a response fails after `statementMs`.
 * After such a timeout, or if the server rejects writes or terminates sessions, all existing connections are discarded.
 * @param onError receives errors from idle connections
 * @param statementMs time limit per statement outside `onOneConnection` (ms), or null
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
      // A fault on an older connection doesn't affect newer connections, which might be to a different server.
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
  // Without a listener, a connection error would crash the process. The connection's query rejects in any case.
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
