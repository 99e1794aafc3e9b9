import { Target } from './events.ts';
import { failure } from './keys.ts';
import type { Store } from './store.ts';

export interface Scope extends Target {
  readonly mode: 'readonly' | 'readwrite' | 'versionchange';
  /** @throws TransactionInactiveError */
  demandActive(): void;
  /** @throws InvalidStateError */
  demandUnfinished(): void;
  /** Runs something while the transaction is inactive. */
  whileInactive<T>(work: () => T): T;
  /** Runs work in its turn. Its result or error becomes the request's. */
  ask(source: unknown, work: () => unknown, request?: Request): Request;
  /** Runs work after the previous requests. The transaction is aborted if it throws. */
  follow(work: () => void): void;
  /** A store as this transaction sees it, to read it or to change it. */
  read(store: string): Store;
  write(store: string): Store;
}

/** An IDBRequest. */
export class Request extends Target {
  readonly source: unknown;
  transaction: Scope | null;
  readyState: 'pending' | 'done' = 'pending';
  #result: unknown;
  #error: DOMException | null = null;

  constructor(source: unknown, transaction: Scope | null) {
    super();
    this.source = source;
    this.transaction = transaction;
  }

  get result(): unknown {
    return this.#done(this.#result);
  }

  get error(): DOMException | null {
    return this.#done(this.#error);
  }

  /** Sets the result, and fires its event. */
  settle(result: unknown, error: DOMException | null = null): void {
    this.readyState = 'done';
    this.#result = result;
    this.#error = error;
  }

  protected override get parent(): Target | null {
    return this.transaction;
  }

  #done<T>(answer: T): T {
    if (this.readyState === 'pending') throw failure('InvalidStateError', 'there is no answer yet');
    return answer;
  }
}

/** An IDBOpenDBRequest. */
export class OpenRequest extends Request {
  constructor() {
    super(null, null);
  }
}
