/** The committed state of a browser's databases, which outlives the worker. */
import { keyOf } from './keys.ts';
import type { Store } from './store.ts';

/** A database at rest. Its stores are immutable, and transactions replace them. */
export interface StoredDatabase {
  readonly version: number;
  readonly stores: ReadonlyMap<string, Store>;
}

export class Disk {
  readonly databases: Map<string, StoredDatabase>;
  /** Called after each transaction that has written, with the names of the stores. */
  onCommit: (written: readonly string[]) => void = () => undefined;

  /** A copy of another disk, or an empty one. */
  constructor(from: Disk | null = null) {
    this.databases = new Map(from?.databases);
  }

  commit(name: string, database: StoredDatabase, written: readonly string[]): void {
    this.databases.set(name, database);
    this.onCommit(written);
  }

  /** The contents of a store, in the order of its keys. Must not be changed. */
  all<T>(store: string): T[] {
    return (this.#store(store)?.entries ?? []).map(({ value }) => value.value as T);
  }

  /** One record of it. It must not be changed. */
  get<T>(store: string, key: string): T | undefined {
    return this.#store(store)?.get(keyOf(key)!)?.value.value as T | undefined;
  }

  #store(name: string): Store | undefined {
    const [database] = this.databases.values();
    return database?.stores.get(name);
  }
}
