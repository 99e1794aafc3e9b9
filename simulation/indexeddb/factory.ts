/** Connections to databases, opening and upgrading them: one worker's view of IndexedDB. */
import { Cursor, CursorWithValue } from './cursor.ts';
import type { Disk } from './disk.ts';
import { Event, Target } from './events.ts';
import { compareKeys, failure, KeyPath, KeyRange, validKey } from './keys.ts';
import { OpenRequest, Request } from './request.ts';
import { IndexHandle, namesOf, StoreHandle } from './source.ts';
import { Store } from './store.ts';
import { Transaction, type Host, type Origin } from './transaction.ts';

interface OpenDatabase {
  readonly name: string;
  readonly disk: Disk;
  readonly host: Host;
  readonly connections: Set<Connection>;
  /** Unfinished transactions, oldest first. */
  readonly transactions: Transaction[];
  readonly openings: (() => void)[];
  /** Called when a connection is closed. */
  onClose: () => void;
}

/** True if a transaction must wait for an earlier one (2.7.2). */
function mustWait(one: Transaction, before: Transaction): boolean {
  if (one.mode === 'readonly' && before.mode === 'readonly') return false;
  const [few, many] = one.scope.size < before.scope.size ? [one.scope, before.scope] : [before.scope, one.scope];
  for (const name of few) if (many.has(name)) return true;
  return false;
}

/** Starts the transactions that needn't wait. */
function startTransactions({ transactions }: OpenDatabase): void {
  for (let at = 0; at < transactions.length; at += 1) {
    const one = transactions[at] as Transaction;
    if (!one.isStarted && transactions.findIndex((before) => before === one || mustWait(one, before)) === at)
      one.start();
  }
}

/** An IDBDatabase. */
class Connection extends Target {
  version: number;
  isClosed = false;
  /** The upgrade transaction while it runs. */
  upgrade: Transaction | null = null;
  /** Called when the upgrade has ended. */
  onUpgraded: () => void = () => undefined;
  readonly #database: OpenDatabase;
  readonly #origin: Origin;
  /** Number of its unfinished transactions. */
  #running = 0;

  constructor(database: OpenDatabase, version: number) {
    super();
    this.#database = database;
    this.version = version;
    const { disk, host, name } = database;
    this.#origin = {
      host,
      connection: this,
      stores: () => this.#stores,
      commit: (changed) =>
        disk.commit(name, { version: this.version, stores: new Map([...this.#stores, ...changed]) }, [
          ...changed.keys(),
        ]),
      ended: (transaction) => this.#ended(transaction),
    };
  }

  get name(): string {
    return this.#database.name;
  }

  get objectStoreNames(): string[] {
    return this.upgrade?.objectStoreNames ?? namesOf(this.#stores.keys());
  }

  transaction(names: string | Iterable<string>, mode: Transaction['mode'] = 'readonly'): Transaction {
    if (this.upgrade) throw failure('InvalidStateError', 'an upgrade is running');
    if (this.isClosed) throw failure('InvalidStateError', 'the connection is closed');
    const scope = new Set(typeof names === 'string' ? [names] : names);
    for (const name of scope) if (!this.#stores.has(name)) throw failure('NotFoundError', `no store ${name}`);
    if (scope.size === 0) throw failure('InvalidAccessError', 'no stores');
    if (mode !== 'readonly' && mode !== 'readwrite') throw new TypeError(`no mode: ${mode}`);
    return this.begin(scope, mode);
  }

  begin(scope: ReadonlySet<string>, mode: Transaction['mode']): Transaction {
    const transaction = new Transaction(this.#origin, scope, mode);
    this.#running += 1;
    this.#database.transactions.push(transaction);
    startTransactions(this.#database);
    return transaction;
  }

  createObjectStore(
    name: string,
    { keyPath = null, autoIncrement = false }: { keyPath?: unknown; autoIncrement?: boolean } = {},
  ): StoreHandle {
    if (!this.upgrade) throw failure('InvalidStateError', 'no upgrade');
    this.upgrade.demandActive();
    const path = keyPath === null ? null : new KeyPath(keyPath);
    if (this.upgrade.scope.has(name)) throw failure('ConstraintError', `there is a store ${name}`);
    if (autoIncrement && path && !path.takesKeys) throw failure('InvalidAccessError', 'nowhere to put a key');
    return this.upgrade.create(name, new Store(path, autoIncrement));
  }

  close(): void {
    this.isClosed = true;
    this.#leave();
  }

  #ended(transaction: Transaction): void {
    const { transactions } = this.#database;
    transactions.splice(transactions.indexOf(transaction), 1);
    this.#running -= 1;
    if (transaction === this.upgrade) this.onUpgraded();
    startTransactions(this.#database);
    this.#leave();
  }

  get #stores(): ReadonlyMap<string, Store> {
    return this.#database.disk.databases.get(this.name)?.stores ?? new Map();
  }

  /** Closes once its transactions have ended. */
  #leave(): void {
    if (!this.isClosed || this.#running > 0 || !this.#database.connections.delete(this)) return;
    this.#database.onClose();
  }
}

/** An IDBFactory over a disk. */
export class Factory {
  readonly #disk: Disk;
  readonly #host: Host;
  readonly #open = new Map<string, OpenDatabase>();

  constructor(disk: Disk, host: Host) {
    this.#disk = disk;
    this.#host = host;
  }

  cmp(first: unknown, second: unknown): number {
    return Math.sign(compareKeys(validKey(first), validKey(second)));
  }

  open(name: string, version?: number): OpenRequest {
    if (version !== undefined && !(Number.isSafeInteger(version) && version > 0)) throw new TypeError('no version');
    const request = new OpenRequest();
    const database = this.#open.get(name) ?? {
      name,
      disk: this.#disk,
      host: this.#host,
      connections: new Set(),
      transactions: [],
      openings: [],
      onClose: () => undefined,
    };
    this.#open.set(name, database);
    database.openings.push(() => this.#connect(database, request, version));
    if (database.openings.length === 1) this.#openNext(database);
    return request;
  }

  /** Ends the worker with its tasks. Uncommitted work is lost; a pending commit may have succeeded. */
  end(hasComeThrough: () => boolean): void {
    for (const { transactions } of this.#open.values())
      for (const one of transactions) if (one.mode !== 'readonly' && one.isCommitting && hasComeThrough()) one.commit();
  }

  #openNext({ openings }: OpenDatabase): void {
    const [next] = openings;
    if (next) this.#host.queue(next);
  }

  #connect(database: OpenDatabase, request: OpenRequest, asked: number | undefined): void {
    const stored = this.#disk.databases.get(database.name)?.version ?? 0;
    const version = asked ?? (stored || 1);
    if (stored > version) return this.#finish(database, request, failure('VersionError', `it has version ${stored}`));
    const others = [...database.connections];
    const connection = new Connection(database, version);
    database.connections.add(connection);
    if (stored === version) return this.#finish(database, request, connection);
    const versions = { oldVersion: stored, newVersion: version };
    for (const one of others) if (!one.isClosed) one.dispatch(new Event('versionchange', {}, versions));
    const upgrade = () => {
      if (others.some((one) => database.connections.has(one))) return;
      database.onClose = () => undefined;
      this.#host.queue(() => this.#upgrade(database, connection, request, versions));
    };
    database.onClose = upgrade;
    upgrade();
    if (others.some((one) => !one.isClosed)) request.dispatch(new Event('blocked', {}, versions));
  }

  #upgrade(
    database: OpenDatabase,
    connection: Connection,
    request: OpenRequest,
    versions: { oldVersion: number; newVersion: number },
  ): void {
    const transaction = connection.begin(new Set(connection.objectStoreNames), 'versionchange');
    connection.upgrade = transaction;
    connection.onUpgraded = () => {
      connection.upgrade = null;
      request.transaction = null;
      if (transaction.isAborted) connection.version = versions.oldVersion;
      const isAborted = transaction.isAborted || connection.isClosed;
      if (isAborted) connection.close();
      this.#host.queue(() => this.#finish(database, request, isAborted ? failure('AbortError') : connection));
    };
    request.settle(connection);
    request.transaction = transaction;
    if (request.dispatch(new Event('upgradeneeded', {}, versions))) transaction.fail(failure('AbortError'));
  }

  #finish(database: OpenDatabase, request: OpenRequest, outcome: Connection | DOMException): void {
    const isOpen = outcome instanceof Connection;
    request.settle(isOpen ? outcome : undefined, isOpen ? null : outcome);
    database.openings.shift();
    this.#openNext(database);
    request.dispatch(isOpen ? new Event('success') : new Event('error', { bubbles: true, cancelable: true }));
  }
}

export const INTERFACES = {
  IDBFactory: Factory,
  IDBDatabase: Connection,
  IDBTransaction: Transaction,
  IDBObjectStore: StoreHandle,
  IDBIndex: IndexHandle,
  IDBCursor: Cursor,
  IDBCursorWithValue: CursorWithValue,
  IDBKeyRange: KeyRange,
  IDBRequest: Request,
  IDBOpenDBRequest: OpenRequest,
};
