/**
 * The inside of the in-memory IndexedDB: what is stored is read without a request, copied for the next simulation, and what was
 * not committed is undone when a worker is killed. Only what fake-indexeddb 6 keeps is known here.
 */
import type { Globals, Program } from './program.ts';

interface RawTransaction {
  mode: string;
  _state: 'active' | 'inactive' | 'committing' | 'finished';
  _started: boolean;
  _rollbackLog: (() => void)[];
  db: { _rawDatabase: RawDatabase };
  _markFinished: () => void;
}
interface RawStore {
  records: { values(): Iterable<{ key: unknown; value: unknown }> };
}
interface RawDatabase {
  transactions: RawTransaction[];
  connections: unknown[];
  rawObjectStores: Map<string, RawStore>;
  processTransactions: () => unknown;
}
interface Factory {
  _databases: Map<string, RawDatabase>;
}

/** The in-memory IndexedDB of this process: its work is handed to `queue`, one task after the other. */
export class DatabaseEngine {
  /** Takes its tasks. */
  queue: (task: () => void) => void = (task) => task();
  /** The globals that a program opens databases with, all but `indexedDB`. */
  readonly globals: Globals;
  readonly #factory: new () => Factory;

  constructor(program: Program) {
    const setImmediate = (task: () => void) => this.queue(task);
    const exports = program({ globalThis: { setImmediate }, structuredClone: copyOf });
    this.globals = Object.fromEntries(Object.entries(exports).filter(([name]) => name.startsWith('IDB')));
    this.#factory = exports.IDBFactory as new () => Factory;
    const { prototype } = exports.IDBTransaction as { prototype: RawTransaction };
    const markFinished = prototype._markFinished;
    // It would leave the list in a task of its own, for upgrades' sake.
    prototype._markFinished = function () {
      if (this.mode === 'versionchange') return markFinished.call(this);
      this._state = 'finished';
      const database = this.db._rawDatabase;
      database.transactions = database.transactions.filter((one) => one !== this);
    };
  }

  /** A browser's databases: none yet, or as in a copy. */
  open(copied: StoredData | null = null): StoredData {
    const factory = new this.#factory();
    if (copied) factory._databases = cloned(copied.factory._databases, new Map());
    return new StoredData(factory);
  }
}

/** A browser's database. */
export class StoredData {
  readonly factory: Factory;

  constructor(factory: Factory) {
    this.factory = factory;
  }

  /** What a store holds now, in the order of its keys. With a transaction under way, that is not all committed. */
  all<T>(store: string): T[] {
    return this.#records(store).map(({ value }) => value as T);
  }

  /** One record of it. */
  get<T>(store: string, key: string): T | undefined {
    return this.#records(store).find((record) => record.key === key)?.value as T | undefined;
  }

  /** Is nothing half written? */
  get isCommitted(): boolean {
    return !this.#databases.some(({ transactions }) =>
      transactions.some(({ mode, _started, _state }) => mode !== 'readonly' && _started && _state !== 'finished'),
    );
  }

  /** The process that had it open is gone: what it had not committed never was. */
  rollBack(): void {
    for (const database of this.#databases) {
      for (const transaction of database.transactions) {
        if (transaction._state !== 'finished') for (const undo of transaction._rollbackLog.reverse()) undo();
        transaction._state = 'finished';
      }
      database.transactions = [];
      database.connections = [];
    }
  }

  get #databases(): RawDatabase[] {
    return [...this.factory._databases.values()];
  }

  #records(store: string): { key: unknown; value: unknown }[] {
    const [database] = this.#databases;
    return [...(database?.rawObjectStores.get(store)?.records.values() ?? [])];
  }
}

/** As structuredClone, and much faster for what the wallet stores: plain data and bytes. */
function copyOf<T>(from: T): T {
  if (typeof from === 'function' || typeof from === 'symbol') return structuredClone(from);
  if (typeof from !== 'object' || from === null) return from;
  if (Array.isArray(from)) return from.map((one: unknown) => copyOf(one)) as T;
  if (Object.getPrototypeOf(from) !== Object.prototype || Object.hasOwn(from, '__proto__'))
    return structuredClone(from);
  const to: Record<string, unknown> = {};
  for (const name of Object.keys(from)) to[name] = copyOf((from as Record<string, unknown>)[name]);
  return to as T;
}

/** A copy of the structure. A record is never changed in place, so the records are shared. */
function cloned<T>(from: T, known: Map<unknown, unknown>): T {
  if (typeof from !== 'object' || from === null || ArrayBuffer.isView(from)) return from;
  if (known.has(from)) return known.get(from) as T;
  if (from instanceof Map) {
    const map = new Map();
    known.set(from, map);
    for (const [key, value] of from) map.set(key, cloned(value, known));
    return map as T;
  }
  const to = (Array.isArray(from) ? [] : Object.create(Object.getPrototypeOf(from))) as Record<string, unknown>;
  known.set(from, to);
  for (const [name, value] of Object.entries(from)) to[name] = name === 'record' ? value : cloned(value, known);
  // Bound to the original by its constructor.
  if (typeof to.processTransactions === 'function') {
    const database = to as unknown as RawDatabase;
    const process = (Object.getPrototypeOf(to) as RawDatabase).processTransactions.bind(database);
    // It would look in a task of its own, where nobody sees a difference if there is nothing to start.
    database.processTransactions = () =>
      database.transactions.some(({ _started, _state }) => !_started && _state !== 'finished') && process();
  }
  return to as T;
}
