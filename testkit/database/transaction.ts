/** Implements transactions, which modify stores in place and keep a log to undo their changes. */
import { failure } from './keys.ts';
import { namesOf, type Records, type Undo } from './records.ts';
import type { Mode, Scope } from './scope.ts';
import { ObjectStore } from './source.ts';
import type { Turns } from './turns.ts';

export interface Owner {
  readonly turns: Turns;
  readonly stores: ReadonlyMap<string, Records>;
  /** Called when a read-write transaction is committed, before its listeners are notified. */
  committed(transaction: Transaction): void;
  /** Called when a transaction is ready or has ended. */
  changed(transaction: Transaction): void;
}

interface Request {
  work: () => unknown;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

const aborted = () => failure('AbortError', 'the transaction was aborted');

/** Implements IDBPTransaction. */
export class Transaction implements Scope {
  readonly mode: Mode;
  readonly db: Owner;
  /** The error that aborted the transaction, or null. */
  error: unknown = null;
  readonly done: Promise<void>;
  readonly undo: Undo = [];
  readonly scope: Set<string>;
  isAborted = false;
  beforeCommit = (): void => undefined;
  /**
   * True while requests can be made. False after the microtasks that follow the transaction's creation or a response
   * have run.
   */
  #isActive = true;
  #state: 'new' | 'ready' | 'running' | 'over' = 'new';
  #requests: Request[] = [];
  #commit!: () => void;
  #rejectDone!: (error: unknown) => void;
  readonly #handles = new Map<string, ObjectStore>();

  constructor(db: Owner, scope: Iterable<string>, mode: Mode) {
    [this.db, this.scope, this.mode] = [db, new Set(scope), mode];
    this.done = new Promise((resolve, reject) => {
      [this.#commit, this.#rejectDone] = [resolve, reject];
    });
    this.#activeUntil(() => {
      if (this.isOver) return;
      this.#state = 'ready';
      db.changed(this);
    });
  }

  get objectStoreNames(): ReturnType<typeof namesOf> {
    return namesOf(this.scope);
  }

  get store(): ObjectStore | undefined {
    const [name, another] = this.scope;
    return name === undefined || another !== undefined ? undefined : this.objectStore(name);
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  objectStore(name: string): ObjectStore {
    const known = this.#handles.get(name);
    if (known && !this.isOver) return known;
    if (this.isOver) throw failure('InvalidStateError', 'the transaction is over');
    const records = this.scope.has(name) ? this.db.stores.get(name) : undefined;
    if (!records) throw failure('NotFoundError', `the transaction has no store ${name}`);
    const handle = new ObjectStore(this, name, records);
    this.#handles.set(name, handle);
    return handle;
  }

  abort(): void {
    if (this.isOver) throw failure('InvalidStateError', 'the transaction is over');
    this.fail(null);
  }

  /** True if the transaction can start, unless an older transaction blocks it. */
  get isReady(): boolean {
    return this.#state === 'ready';
  }

  start(): void {
    this.#state = 'running';
    this.db.turns.later(() => this.#next());
  }

  /** True if an older transaction must end before this one starts (Indexed Database API 3.0, section 2.7.2). */
  waitsFor(other: Transaction): boolean {
    if (this.mode === 'readonly' && other.mode === 'readonly') return false;
    for (const name of this.scope) if (other.scope.has(name)) return true;
    return false;
  }

  /** Aborts the transaction and reverts its changes. */
  fail(error: unknown): void {
    if (this.isOver) return;
    this.#revert();
    this.error = error;
    const requests = this.#requests.splice(0);
    this.db.turns.later(() => {
      for (const { reject } of requests) reject(aborted());
      this.#rejectDone(error ?? aborted());
      this.db.changed(this);
    });
  }

  #revert(): void {
    this.#state = 'over';
    this.#isActive = false;
    this.isAborted = true;
    for (const undo of this.undo.splice(0).reverse()) undo();
  }

  /** Reverts the transaction as if its process had ended. Its requests never settle. */
  drop(): void {
    if (!this.isOver) this.#revert();
    [this.#state, this.#isActive] = ['running', true];
  }

  demandActive(): void {
    if (!this.#isActive) throw failure('TransactionInactiveError', 'the transaction is inactive');
  }

  request<T>(work: () => T): Promise<T> {
    this.demandActive();
    return new Promise<T>((resolve, reject) => {
      this.#requests.push({ work, resolve: resolve as Request['resolve'], reject });
    });
  }

  whileInactive<T>(work: () => T): T {
    this.#isActive = false;
    try {
      return work();
    } finally {
      this.#isActive = true;
    }
  }

  #next(): void {
    if (this.isOver) return;
    const request = this.#requests.shift();
    if (!request) return this.#end();
    try {
      request.resolve(request.work());
    } catch (error) {
      request.reject(error);
      // idb rejects on the error event, which is fired before the abort event.
      this.#rejectDone(aborted());
      this.#activeUntil(() => this.fail(error));
      return;
    }
    this.#activeUntil(() => {
      // A read-only transaction ends immediately, because only transactions that wait for it can observe its end.
      if (this.mode === 'readonly' && this.#requests.length === 0) this.#next();
      else this.db.turns.step(() => this.#next());
    });
  }

  #end(): void {
    try {
      this.beforeCommit();
    } catch (error) {
      return this.fail(error);
    }
    this.#state = 'over';
    this.undo.length = 0;
    if (this.mode !== 'readonly') this.db.committed(this);
    this.db.turns.step(() => {
      this.#commit();
      this.db.changed(this);
    });
  }

  #activeUntil(then: () => void): void {
    this.#isActive = true;
    this.db.turns.soon(() => {
      this.#isActive = false;
      then();
    });
  }
}
