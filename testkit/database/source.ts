/** Implements the object stores and indexes of a transaction. */
import { Clone } from './clone.ts';
import { Cursor, type CursorSource, type Direction } from './cursor.ts';
import { failure, KeyPath, NOTHING, rangeOf, validKey, type Key } from './keys.ts';
import { Index, namesOf, placeOf, type Entry, type Records } from './records.ts';
import type { Scope } from './scope.ts';

/** Base class of stores and indexes. */
export abstract class Source implements CursorSource {
  readonly transaction: Scope;
  readonly name: string;
  readonly records: Records;

  constructor(transaction: Scope, name: string, records: Records) {
    this.transaction = transaction;
    this.name = name;
    this.records = records;
  }

  abstract get entries(): readonly Entry[];

  get(query: unknown): Promise<unknown> {
    return this.#first(query, ({ record }) => record.value.copy());
  }

  getKey(query: unknown): Promise<unknown> {
    return this.#first(query, ({ record }) => record.key);
  }

  getAll(query?: unknown, count?: number): Promise<unknown[]> {
    return this.several(query, count, ({ record }) => record.value.copy());
  }

  getAllKeys(query?: unknown, count?: number): Promise<unknown[]> {
    return this.several(query, count, ({ record }) => record.key);
  }

  count(query?: unknown): Promise<number> {
    this.transaction.demandActive();
    const range = rangeOf(query, false);
    return this.transaction.request(() => {
      const [from, to] = placeOf(this.entries, range);
      return to - from;
    });
  }

  openCursor(query?: unknown, direction: Direction = 'next'): Promise<Cursor | null> {
    return this.#open(query, direction, true);
  }

  openKeyCursor(query?: unknown, direction: Direction = 'next'): Promise<Cursor | null> {
    return this.#open(query, direction, false);
  }

  #first(query: unknown, read: (entry: Entry) => unknown): Promise<unknown> {
    this.transaction.demandActive();
    const range = rangeOf(query, true);
    return this.transaction.request(() => {
      const { entries } = this;
      const [from, to] = placeOf(entries, range);
      return from < to ? read(entries[from] as Entry) : undefined;
    });
  }

  protected several(
    query: unknown,
    count: number | undefined,
    read: (entry: Entry) => unknown,
    isReversed = false,
  ): Promise<unknown[]> {
    this.transaction.demandActive();
    const range = rangeOf(query, false);
    const most = count || Number.POSITIVE_INFINITY;
    return this.transaction.request(() => {
      const [from, to] = placeOf(this.entries, range);
      if (isReversed)
        return this.entries
          .slice(Math.max(from, to - most), to)
          .reverse()
          .map(read);
      return this.entries.slice(from, Math.min(to, from + most)).map(read);
    });
  }

  #open(query: unknown, direction: Direction, hasValues: boolean): Promise<Cursor | null> {
    this.transaction.demandActive();
    const cursor = new Cursor(this, rangeOf(query, false), direction, hasValues);
    return this.transaction.request(() => cursor.move());
  }
}

/** Implements IDBPIndex. */
export class StoreIndex extends Source {
  readonly objectStore: ObjectStore;
  readonly #index: Index;

  constructor(objectStore: ObjectStore, name: string, index: Index) {
    super(objectStore.transaction, name, objectStore.records);
    this.objectStore = objectStore;
    this.#index = index;
  }

  get entries(): readonly Entry[] {
    return this.#index.entries;
  }

  /** Supports the directions that the wallet uses (Indexed Database API 3.0, section 4.6). */
  getAllRecords({
    query,
    count,
    direction = 'next',
  }: { query?: unknown; count?: number; direction?: 'next' | 'prev' } = {}): Promise<unknown[]> {
    const read = ({ key, record }: Entry) => ({ key, primaryKey: record.key, value: record.value.copy() });
    return this.several(query, count, read, direction === 'prev');
  }

  get keyPath(): KeyPath['path'] {
    return this.#index.keyPath.path;
  }

  get unique(): boolean {
    return this.#index.unique;
  }

  get multiEntry(): boolean {
    return this.#index.multiEntry;
  }
}

/** Implements IDBPObjectStore. */
export class ObjectStore extends Source {
  readonly #indexes = new Map<Index, StoreIndex>();

  get entries(): readonly Entry[] {
    return this.records.entries;
  }

  get keyPath(): KeyPath['path'] | null {
    return this.records.keyPath?.path ?? null;
  }

  get autoIncrement(): boolean {
    return this.records.autoIncrement;
  }

  get indexNames(): string[] {
    return namesOf(this.records.indexes.keys());
  }

  index(name: string): StoreIndex {
    if (this.transaction.isOver) throw failure('InvalidStateError', 'the transaction is over');
    const index = this.records.indexes.get(name);
    if (!index) throw failure('NotFoundError', `the store ${this.name} has no index ${name}`);
    const handle = this.#indexes.get(index) ?? new StoreIndex(this, name, index);
    this.#indexes.set(index, handle);
    return handle;
  }

  createIndex(name: string, path: string | string[], { unique = false, multiEntry = false } = {}): StoreIndex {
    const indexes = this.#demandUpgrade();
    if (indexes.has(name)) throw failure('ConstraintError', `the store ${this.name} already has an index ${name}`);
    const index = new Index(new KeyPath(path), unique, multiEntry);
    indexes.set(name, index);
    this.transaction.undo.push(() => indexes.delete(name));
    // If this fails, the upgrade is aborted.
    this.transaction.request(() => this.records.fillIndex(index)).catch(() => undefined);
    return this.index(name);
  }

  deleteIndex(name: string): void {
    const indexes = this.#demandUpgrade();
    const index = indexes.get(name);
    if (!index) throw failure('NotFoundError', `the store ${this.name} has no index ${name}`);
    indexes.delete(name);
    this.transaction.undo.push(() => indexes.set(name, index));
  }

  put(value: unknown, key?: unknown): Promise<unknown> {
    return this.#write(value, key, false);
  }

  add(value: unknown, key?: unknown): Promise<unknown> {
    return this.#write(value, key, true);
  }

  delete(query: unknown): Promise<void> {
    this.demandWritable();
    const range = rangeOf(query, true);
    return this.transaction.request(() => this.records.delete(range, this.transaction.undo));
  }

  clear(): Promise<void> {
    this.demandWritable();
    return this.transaction.request(() => this.records.clear(this.transaction.undo));
  }

  demandWritable(): void {
    this.transaction.demandActive();
    if (this.transaction.mode === 'readonly') throw failure('ReadOnlyError', 'the transaction is read-only');
  }

  #demandUpgrade(): Map<string, Index> {
    if (this.transaction.mode !== 'versionchange') throw failure('InvalidStateError', 'not in an upgrade');
    this.transaction.demandActive();
    return this.records.indexes;
  }

  #write(value: unknown, keyValue: unknown, isNew: boolean): Promise<unknown> {
    this.demandWritable();
    const { transaction, records } = this;
    const { keyPath, autoIncrement } = records;
    if (keyPath && keyValue !== undefined) throw failure('DataError', 'the store has in-line keys');
    if (!keyPath && !autoIncrement && keyValue === undefined) throw failure('DataError', 'no key');
    let key: Key | null = keyValue === undefined ? null : validKey(keyValue);
    const clone = transaction.whileInactive(() => new Clone(value));
    if (keyPath) {
      const found = keyPath.in(clone.value);
      if (found !== NOTHING) key = validKey(found);
      else if (!autoIncrement || typeof clone.value !== 'object')
        throw failure('DataError', 'the value contains no key');
    }
    return transaction.request(() => records.put(key, clone, isNew, transaction.undo));
  }
}
