/**
 * Transactions. Writes are private until the commit: a transaction copies the stores that it changes. Other events may
 * occur between any two results, and before a commit. The end of a read-only transaction can only be observed by a
 * transaction that waits for it, so it ends immediately.
 */
import { Event, Target } from './events.ts';
import { failure } from './keys.ts';
import { Request, type Scope } from './request.ts';
import { namesOf, StoreHandle } from './source.ts';
import type { Store } from './store.ts';

export interface Host {
  queue(task: () => void): void;
  /** Runs it after all consequences of the current task, before any other task. */
  goOn(task: () => void): void;
  /** A number that differs in every task. */
  turn(): number;
  /** True if a transaction's next request is answered right after the previous one. */
  isAtOnce(): boolean;
}

export interface Origin {
  readonly host: Host;
  readonly connection: Target;
  stores(): ReadonlyMap<string, Store>;
  /** Replaces the stores. */
  commit(changed: ReadonlyMap<string, Store>): void;
  /** A transaction has ended. */
  ended(transaction: Transaction): void;
}

interface Operation {
  request: Request | null;
  work: () => unknown;
}

function resultOf(work: () => unknown): [result: unknown, error: DOMException | null] {
  try {
    return [work(), null];
  } catch (error) {
    if (error instanceof DOMException) return [undefined, error];
    throw error;
  }
}

/** An IDBTransaction. */
export class Transaction extends Target implements Scope {
  readonly mode: Scope['mode'];
  readonly db: Target;
  error: DOMException | null = null;
  isStarted = false;
  isFinished = false;
  isAborted = false;
  /** Names of its stores. */
  readonly scope: Set<string>;
  #names: string[] | null = null;
  readonly #origin: Origin;
  readonly #changed = new Map<string, Store>();
  readonly #handles = new Map<string, StoreHandle>();
  #operations: Operation[] = [];
  /** The turn in which it accepts requests. */
  #turn: number;

  constructor(origin: Origin, scope: Iterable<string>, mode: Scope['mode']) {
    super();
    this.#origin = origin;
    this.db = origin.connection;
    this.scope = new Set(scope);
    this.mode = mode;
    this.#turn = origin.host.turn();
  }

  get objectStoreNames(): string[] {
    return (this.#names ??= namesOf(this.scope));
  }

  objectStore(name: string): StoreHandle {
    this.demandUnfinished();
    if (!this.scope.has(name)) throw failure('NotFoundError', `no store ${name}`);
    const handle = this.#handles.get(name) ?? new StoreHandle(this, name);
    this.#handles.set(name, handle);
    return handle;
  }

  abort(): void {
    this.demandUnfinished();
    this.fail(null);
  }

  /** Aborts. */
  fail(error: DOMException | null): void {
    if (this.isFinished) return;
    this.isFinished = true;
    this.isAborted = true;
    this.error = error;
    const asked = this.#operations.flatMap(({ request }) => request ?? []);
    this.#operations = [];
    this.#changed.clear();
    for (const request of asked) request.settle(undefined, failure('AbortError'));
    this.#origin.host.queue(() => {
      for (const request of asked) request.dispatch(new Event('error', { bubbles: true, cancelable: true }));
      this.dispatch(new Event('abort', { bubbles: true }));
      this.#origin.ended(this);
    });
  }

  /** Schedules its first task. */
  start(): void {
    this.isStarted = true;
    this.#origin.host.queue(() => this.#step());
  }

  /** True if all requests are answered and none can be made: it is committing. */
  get isCommitting(): boolean {
    return this.isStarted && !this.isFinished && this.#operations.length === 0;
  }

  /** Ends it, commits its writes, and fires no event. */
  commit(): void {
    this.isFinished = true;
    if (this.mode === 'versionchange' || this.#changed.size > 0) this.#origin.commit(this.#changed);
  }

  create(name: string, store: Store): StoreHandle {
    this.#changed.set(name, store);
    this.scope.add(name);
    this.#names = null;
    return this.objectStore(name);
  }

  /** Accepts requests in this turn. */
  activate(): void {
    this.#turn = this.#origin.host.turn();
  }

  demandActive(): void {
    if (this.isFinished || this.#turn !== this.#origin.host.turn())
      throw failure('TransactionInactiveError', 'the transaction takes no requests now');
  }

  demandUnfinished(): void {
    if (this.isFinished) throw failure('InvalidStateError', 'the transaction is over');
  }

  whileInactive<T>(work: () => T): T {
    const turn = this.#turn;
    this.#turn = -1;
    try {
      return work();
    } finally {
      this.#turn = turn;
    }
  }

  ask(source: unknown, work: () => unknown, request = new Request(source, this)): Request {
    this.demandActive();
    this.#operations.push({ request, work });
    return request;
  }

  follow(work: () => void): void {
    this.#operations.push({ request: null, work });
  }

  read(name: string): Store {
    return this.#changed.get(name) ?? (this.#origin.stores().get(name) as Store);
  }

  write(name: string): Store {
    const store = this.#changed.get(name) ?? this.read(name).copy();
    this.#changed.set(name, store);
    return store;
  }

  protected override get parent(): Target {
    return this.db;
  }

  /** Answers the next request, or commits without one. */
  #step(): void {
    if (this.isFinished) return;
    for (let next = this.#operations.shift(); next; next = this.#operations.shift()) {
      const { request, work } = next;
      const [result, error] = resultOf(work);
      if (request) return this.#answer(request, result, error);
      if (error) return this.fail(error);
    }
    this.commit();
    this.dispatch(new Event('complete'));
    this.#origin.ended(this);
  }

  #answer(request: Request, result: unknown, error: DOMException | null): void {
    request.settle(result, error);
    this.activate();
    const event = error ? new Event('error', { bubbles: true, cancelable: true }) : new Event('success');
    if (request.dispatch(event)) this.fail(failure('AbortError'));
    else if (error && !event.defaultPrevented) this.fail(error);
    else this.#origin.host.goOn(() => this.#goOn());
  }

  /** Answers the requests made since, or ends. After writes, it ends in a separate task, since a commit may fail. */
  #goOn(): void {
    if (this.isFinished) return;
    const { host } = this.#origin;
    const isAtOnce = this.#operations.length > 0 ? host.isAtOnce() : this.mode === 'readonly';
    if (isAtOnce) this.#step();
    else host.queue(() => this.#step());
  }
}
