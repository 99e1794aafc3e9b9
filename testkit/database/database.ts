/** An in-memory database with the methods of `idb` that the wallet uses. */
import type * as Idb from 'idb';
import { failure, KeyPath, KeyRange } from './keys.ts';
import { namesOf, Records } from './records.ts';
import type { Mode } from './scope.ts';
import type { ObjectStore, StoreIndex } from './source.ts';
import { Transaction, type Owner } from './transaction.ts';
import { EndableTurns, type Turns } from './turns.ts';

/** Called after each commit with all stores and the names of the stores in the transaction's scope. */
type CommitListener = (stores: ReadonlyMap<string, Records>, scope: ReadonlySet<string>) => void;

class Shared {
  readonly name: string;
  version = 0;
  stores = new Map<string, Records>();
  /** Unfinished transactions, oldest first. */
  readonly transactions: Transaction[] = [];
  readonly connections = new Set<Connection>();
  /** Pending open and delete requests. The first request is in progress. */
  openings: { client: MemoryDatabases; run: () => void }[] = [];
  onClose = (): void => undefined;
  onCommit: CommitListener = () => undefined;

  constructor(name: string) {
    this.name = name;
  }

  copy(): Shared {
    const stores = new Map([...this.stores].map(([name, records]) => [name, records.copy()]));
    return Object.assign(new Shared(this.name), { version: this.version, stores });
  }

  openNext(): void {
    const [next] = this.openings;
    next?.client.turns.later(() => next.run());
  }

  /** Starts all ready transactions that no older transaction blocks. */
  startNext(): void {
    this.transactions.forEach((one, at) => {
      if (one.isReady && !this.transactions.some((other, before) => before < at && one.waitsFor(other))) one.start();
    });
  }
}

interface Callbacks {
  upgrade?: (db: Connection, from: number, to: number | null, tx: Transaction, event: object) => void;
  blocked?: (current: number, blocked: number | null, event: object) => void;
  blocking?: (current: number, blocked: number | null, event: object) => void;
}

/** Implements IDBPDatabase. */
export class Connection implements Owner {
  readonly turns: Turns;
  readonly callbacks: Callbacks;
  readonly version: number;
  isClosed = false;
  /** The upgrade transaction, while the version is being raised. */
  upgrade: Transaction | null = null;
  onUpgraded = (): void => undefined;
  readonly #shared: Shared;
  #running = 0;

  constructor(shared: Shared, version: number, turns: Turns, callbacks: Callbacks) {
    [this.#shared, this.version, this.turns, this.callbacks] = [shared, version, turns, callbacks];
    shared.connections.add(this);
  }

  get name(): string {
    return this.#shared.name;
  }

  get stores(): ReadonlyMap<string, Records> {
    return this.#shared.stores;
  }

  get objectStoreNames(): string[] {
    return namesOf(this.stores.keys());
  }

  transaction(names: string | Iterable<string>, mode: Mode = 'readonly'): Transaction {
    if (this.upgrade || this.isClosed) throw failure('InvalidStateError', 'upgrading or closed');
    const scope = typeof names === 'string' ? [names] : [...names];
    for (const name of scope) if (!this.stores.has(name)) throw failure('NotFoundError', `no store ${name}`);
    if (scope.length === 0) throw failure('InvalidAccessError', 'no stores');
    return this.begin(scope, mode);
  }

  begin(scope: string[], mode: Mode): Transaction {
    const transaction = new Transaction(this, scope, mode);
    this.#running += 1;
    this.#shared.transactions.push(transaction);
    return transaction;
  }

  createObjectStore(
    name: string,
    { keyPath = null, autoIncrement = false }: { keyPath?: string | string[] | null; autoIncrement?: boolean } = {},
  ): ObjectStore {
    const { upgrade } = this;
    if (!upgrade) throw failure('InvalidStateError', 'not in an upgrade');
    upgrade.demandActive();
    const { stores } = this.#shared;
    if (stores.has(name)) throw failure('ConstraintError', `the store ${name} already exists`);
    stores.set(name, new Records(keyPath === null ? null : new KeyPath(keyPath), autoIncrement));
    upgrade.undo.push(() => stores.delete(name));
    upgrade.scope.add(name);
    return upgrade.objectStore(name);
  }

  close(): void {
    this.isClosed = true;
    if (this.#running === 0 && this.#shared.connections.delete(this)) this.#shared.onClose();
  }

  committed({ scope }: Transaction): void {
    this.#shared.onCommit(this.stores, scope);
  }

  changed(transaction: Transaction): void {
    const { transactions } = this.#shared;
    if (transaction.isOver) {
      transactions.splice(transactions.indexOf(transaction), 1);
      this.#running -= 1;
      if (transaction === this.upgrade) this.onUpgraded();
      if (this.isClosed) this.close();
    }
    this.#shared.startNext();
  }

  /** Closes the connection as if its process had ended. */
  drop(): void {
    const { transactions, connections } = this.#shared;
    this.isClosed = true;
    for (const one of transactions.filter(({ db }) => db === this)) {
      one.drop();
      transactions.splice(transactions.indexOf(one), 1);
    }
    if (connections.delete(this)) this.#shared.onClose();
    this.#shared.startNext();
  }
}

/** Returns a method that runs one operation in its own transaction, like idb's shortcuts. */
function shortcut(method: string, mode: Mode, isOfIndex: boolean) {
  return async function operate(this: Connection, name: string, ...args: unknown[]): Promise<unknown> {
    const transaction = this.transaction(name, mode);
    const store = transaction.objectStore(name);
    const source = isOfIndex ? store.index(args.shift() as string) : store;
    const run = source[method as keyof (StoreIndex | ObjectStore)] as (...args: unknown[]) => Promise<unknown>;
    const result = run.apply(source, args);
    return mode === 'readonly' ? result : (await Promise.all([result, transaction.done]))[0];
  };
}
for (const method of ['get', 'getKey', 'getAll', 'getAllKeys', 'count'])
  Object.assign(Connection.prototype, {
    [method]: shortcut(method, 'readonly', false),
    [`${method}FromIndex`]: shortcut(method, 'readonly', true),
  });
for (const method of ['put', 'add', 'delete', 'clear'])
  Object.assign(Connection.prototype, { [method]: shortcut(method, 'readwrite', false) });

/** A browser's databases, as accessed by one of its processes. */
export class MemoryDatabases {
  readonly keyRange = KeyRange as unknown as typeof IDBKeyRange;
  readonly turns: EndableTurns;
  readonly #databases: Map<string, Shared>;

  constructor(turns: Turns, databases = new Map<string, Shared>()) {
    this.turns = new EndableTurns(turns);
    this.#databases = databases;
  }

  /** Returns access to the same databases for another process. */
  share(turns: Turns): MemoryDatabases {
    return new MemoryDatabases(turns, this.#databases);
  }

  /** Returns independent copies of all databases. Must not be called while a transaction is running. */
  copy(turns: Turns): MemoryDatabases {
    return new MemoryDatabases(turns, new Map([...this.#databases].map(([name, one]) => [name, one.copy()])));
  }

  /** Sets the listener for commits to a database by any process. */
  watch(name: string, listener: CommitListener): void {
    this.#shared(name).onCommit = listener;
  }

  /** Ends this process. Uncommitted changes are rolled back, and pending promises never settle. */
  end(): void {
    this.turns.end();
    for (const shared of this.#databases.values()) {
      const [current] = shared.openings;
      shared.openings = shared.openings.filter(({ client }) => client !== this);
      if (current?.client === this) {
        shared.onClose = () => undefined;
        shared.openNext();
      }
      for (const one of [...shared.connections]) if (one.turns === this.turns) one.drop();
    }
  }

  /**
   * Like idb's `openDB`. `version` defaults to the stored version, or to 1 for a new database.
   * @throws VersionError, AbortError
   */
  readonly openDB = ((name: string, version?: number, callbacks: Callbacks = {}) =>
    this.#enqueue(name, (shared, resolve, reject) => {
      const from = shared.version;
      const to = version ?? (from || 1);
      if (from > to) return reject(failure('VersionError', `the database has version ${from}`));
      if (from === to) return resolve(new Connection(shared, to, this.turns, callbacks));
      this.#whenClosed(shared, to, callbacks, () => {
        const db = new Connection(shared, to, this.turns, callbacks);
        const transaction = db.begin(db.objectStoreNames, 'versionchange');
        transaction.done.catch(() => undefined); // the open request reports the failure
        transaction.undo.push(() => (shared.version = from));
        shared.version = to;
        db.upgrade = transaction;
        db.onUpgraded = () => {
          db.upgrade = null;
          if (!transaction.isAborted && !db.isClosed) return resolve(db);
          db.close();
          reject(failure('AbortError', 'the upgrade was aborted'));
        };
        try {
          callbacks.upgrade?.(db, from, to, transaction, {});
        } catch (error) {
          transaction.fail(error);
        }
      });
    })) as unknown as typeof Idb.openDB;

  /** Like idb's `deleteDB`. */
  readonly deleteDB = ((name: string, callbacks: Callbacks = {}) =>
    this.#enqueue(name, (shared, resolve) =>
      this.#whenClosed(shared, null, callbacks, () => {
        Object.assign(shared, { version: 0, stores: new Map() });
        resolve(undefined);
      }),
    )) as unknown as typeof Idb.deleteDB;

  #enqueue<T>(
    name: string,
    work: (shared: Shared, resolve: (value: T) => void, reject: (error: unknown) => void) => void,
  ): Promise<T> {
    const shared = this.#shared(name);
    return new Promise<T>((resolve, reject) => {
      const then =
        <V>(settle: (value: V) => void) =>
        (value: V) => {
          shared.openings.shift();
          shared.openNext();
          settle(value);
        };
      shared.openings.push({ client: this, run: () => work(shared, then(resolve), then(reject)) });
      if (shared.openings.length === 1) shared.openNext();
    });
  }

  #shared(name: string): Shared {
    const shared = this.#databases.get(name) ?? new Shared(name);
    this.#databases.set(name, shared);
    return shared;
  }

  /** Asks other connections to close, and continues once all have closed. */
  #whenClosed(shared: Shared, to: number | null, { blocked }: Callbacks, then: () => void): void {
    const from = shared.version;
    for (const one of shared.connections)
      if (!one.isClosed) one.callbacks.blocking?.(from, to, { target: one, oldVersion: from, newVersion: to });
    if ([...shared.connections].some(({ isClosed }) => !isClosed))
      blocked?.(from, to, { oldVersion: from, newVersion: to });
    shared.onClose = () => {
      if (shared.connections.size > 0) return;
      shared.onClose = () => undefined;
      then();
    };
    shared.onClose();
  }
}
