/** A PostgreSQL connection that closes if the server doesn't respond, and isn't reused after server errors. */
import pg from 'pg';
import { faultOf, SilentDatabaseError, type DatabaseFault } from './away.ts';

/** Time limit per statement (ms): longer than the longest lock wait (5 s), shorter than clients' timeouts. */
export const STATEMENT_MS = 8_000;
/** Time allowed after a timeout to process received data (ms), because the event loop might have been blocked. */
const LATE_DATA_MS = 100;
/** Time limit for closing a connection gracefully (ms). An unresponsive server would never finish closing it. */
const END_MS = 1_000;

/** Receives events from all connections in a pool. */
export interface ConnectionWatch {
  /** Incremented whenever all existing connections are found unusable. */
  readonly generation: number;
  /** Start times (`performance.now()`) of unanswered statements, except those with a different time limit. */
  readonly unanswered: Set<{ since: number }>;
  onFault(fault: DatabaseFault, client: WatchedClient): void;
}

/** The watch for clients outside a pool. */
const UNWATCHED: ConnectionWatch = { generation: 0, unanswered: new Set(), onFault: () => {} };

/** Returns a connection to the pool, which discards it if an error is passed. */
type Release = (error?: Error | boolean) => void;

/** A client of pg-pool, which sets `release` on each checkout. */
export class WatchedClient extends pg.Client {
  /** Time limit per statement (ms), or null. */
  statementMs: number | null = STATEMENT_MS;
  readonly generation: number;
  readonly #watch: ConnectionWatch;
  #fault: Error | null = null;
  #release: Release = () => {};
  #isPooled = false;

  constructor(config: string | pg.ClientConfig | undefined, watch = UNWATCHED) {
    super(config);
    this.#watch = watch;
    this.generation = watch.generation;
  }

  get release(): Release {
    return (error) => this.#release(error || this.#fault || this.generation < this.#watch.generation);
  }

  set release(release: Release) {
    this.#release = release;
  }

  /** Detects PgBouncer, which can switch server processes between transactions, so statements can't be named. */
  async detectPooler(): Promise<void> {
    const { rows } = (await this.query('select pg_backend_pid() as pid')) as { rows: { pid: number }[] };
    this.#isPooled = rows[0]?.pid !== (this as unknown as { processID: number }).processID;
  }

  // The overloads differ only in types: the last argument is a callback, or a promise is returned.
  // oxlint-disable-next-line typescript/no-explicit-any
  override query(...args: any[]): any {
    const end = this.#begin();
    const [statement] = args;
    if (this.#isPooled && typeof statement === 'object' && statement.name) args[0] = { ...statement, name: undefined };
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      args[args.length - 1] = (error: Error | null, result: unknown) => {
        end(error);
        callback(error, result);
      };
      return super.query(...(args as [string]));
    }
    const result = super.query(...(args as [string])).catch((error: unknown) => {
      // A rollback on a closed connection reports only that it is closed, so the original fault is thrown.
      throw (error as { code?: string }).code === undefined && this.#fault !== null ? this.#fault : error;
    });
    result.then(
      () => end(null),
      (error: Error) => end(error),
    );
    return result;
  }

  override end(callback?: (error: Error) => void): Promise<void> {
    const timer = setTimeout(() => this.connection.stream.destroy(), END_MS);
    this.connection.stream.once('close', () => clearTimeout(timer));
    if (callback === undefined) return super.end();
    super.end(callback);
    return Promise.resolve();
  }

  /** Starts watching a statement. Call the returned function with the statement's error, or null. */
  #begin(): (error: Error | null) => void {
    const { unanswered } = this.#watch;
    const entry = { since: performance.now() };
    if (this.statementMs === STATEMENT_MS) unanswered.add(entry);
    let timer: NodeJS.Timeout | undefined;
    if (this.statementMs !== null) {
      timer = setTimeout(() => {
        timer = setTimeout(() => this.connection.stream.destroy(new SilentDatabaseError()), LATE_DATA_MS);
      }, this.statementMs);
    }
    return (error) => {
      unanswered.delete(entry);
      clearTimeout(timer);
      const fault = error === null ? null : faultOf(error);
      if (fault === null || this.#fault !== null) return;
      this.#fault = error;
      this.#watch.onFault(fault, this);
    };
  }
}
