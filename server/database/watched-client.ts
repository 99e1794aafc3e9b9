/** A connection to PostgreSQL that ends when the server is silent, and isn't reused after the server's own errors. */
import pg from 'pg';
import { faultOf, SilentDatabaseError, type DatabaseFault } from './away.ts';

/** Limit for one statement (milliseconds): above the longest wait for a lock (5 s), below a client's patience. */
export const STATEMENT_MS = 8_000;
/** After a timeout, data that arrived is read first: the event loop itself may have been blocked. */
const LATE_DATA_MS = 100;
/** Time for a connection to end in order (milliseconds). A silent one never does. */
const END_MS = 1_000;

/** Receives the events of all connections of one pool. */
export interface ConnectionWatch {
  /** Incremented whenever all connections made until then were found unusable. */
  readonly generation: number;
  /** Start times (`performance.now()`) of statements without an answer, except those that may take long. */
  readonly unanswered: Set<{ since: number }>;
  onFault(fault: DatabaseFault, client: WatchedClient): void;
}

/** For a client outside a pool. */
const UNWATCHED: ConnectionWatch = { generation: 0, unanswered: new Set(), onFault: () => {} };

/** Returns a connection to the pool. An error makes the pool discard it. */
type Release = (error?: Error | boolean) => void;

/** A client. pg-pool sets `release` each time that it lends the client. */
export class WatchedClient extends pg.Client {
  /** Limit for one statement (milliseconds); null for no limit. */
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

  /** Detects PgBouncer. Each transaction may then use another server process, so statements aren't named. */
  async detectPooler(): Promise<void> {
    const { rows } = (await this.query('select pg_backend_pid() as pid')) as { rows: { pid: number }[] };
    this.#isPooled = rows[0]?.pid !== (this as unknown as { processID: number }).processID;
  }

  // The overloads differ in types only: with a callback as last argument or a promise.
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
      // After the connection ended, a rollback only finds that it is gone.
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

  /** Watches a statement. The returned function takes the statement's error, or null. */
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
