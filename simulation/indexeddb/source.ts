/** Object stores and indexes of a transaction. */
import { Clone } from './clone.ts';
import { Cursor, CursorWithValue, DIRECTIONS, type Direction } from './cursor.ts';
import { failure, INVALID, KeyPath, NOTHING, rangeOf, validKey, valueOf, type Key } from './keys.ts';
import type { Request, Scope } from './request.ts';
import { Index, placeOf, StoredRecord, type Entry } from './store.ts';

export const namesOf = (names: Iterable<string>): string[] & { contains(name: string): boolean } => {
  const list = [...names].toSorted();
  return Object.assign(list, { contains: (name: string) => list.includes(name) });
};

function countOf(count: unknown): number {
  const number = count === undefined ? 0 : Math.trunc(Number(count));
  if (!(number >= 0 && number < 2 ** 32)) throw new TypeError('no count');
  return number || Number.POSITIVE_INFINITY;
}

/** The common base of index and store. */
abstract class Source {
  readonly transaction: Scope;
  readonly storeName: string;
  abstract readonly isIndex: boolean;
  abstract readonly entries: readonly Entry[];

  constructor(transaction: Scope, storeName: string) {
    this.transaction = transaction;
    this.storeName = storeName;
  }

  get(query: unknown): Request {
    return this.#first(query, ({ record }) => record.value.copy());
  }

  getKey(query: unknown): Request {
    return this.#first(query, ({ record }) => valueOf(record.key));
  }

  getAll(query?: unknown, count?: unknown): Request {
    return this.#several(query, count, ({ record }) => record.value.copy());
  }

  getAllKeys(query?: unknown, count?: unknown): Request {
    return this.#several(query, count, ({ record }) => valueOf(record.key));
  }

  count(query?: unknown): Request {
    this.transaction.demandActive();
    const range = rangeOf(query);
    return this.transaction.ask(this, () => {
      const [from, to] = placeOf(this.entries, range);
      return Math.max(0, to - from);
    });
  }

  openCursor(query?: unknown, direction: Direction = 'next'): Request {
    return this.#open(CursorWithValue, query, direction);
  }

  openKeyCursor(query?: unknown, direction: Direction = 'next'): Request {
    return this.#open(Cursor, query, direction);
  }

  #first(query: unknown, answer: (entry: Entry) => unknown): Request {
    this.transaction.demandActive();
    const range = rangeOf(query, true);
    return this.transaction.ask(this, () => {
      const { entries } = this;
      const [from, to] = placeOf(entries, range);
      return from < to ? answer(entries[from] as Entry) : undefined;
    });
  }

  #several(query: unknown, count: unknown, answer: (entry: Entry) => unknown): Request {
    const most = countOf(count);
    this.transaction.demandActive();
    const range = rangeOf(query);
    return this.transaction.ask(this, () => {
      const [from, to] = placeOf(this.entries, range);
      return this.entries.slice(from, Math.max(from, Math.min(to, from + most))).map(answer);
    });
  }

  #open(kind: typeof Cursor, query: unknown, direction: Direction): Request {
    if (!DIRECTIONS.includes(direction)) throw new TypeError(`no direction: ${direction}`);
    this.transaction.demandActive();
    const cursor = new kind(this, rangeOf(query), direction);
    cursor.request = this.transaction.ask(this, () => cursor.iterate());
    return cursor.request;
  }
}

/** An IDBIndex. */
export class IndexHandle extends Source {
  readonly isIndex = true;
  readonly name: string;
  readonly objectStore: StoreHandle;

  constructor(objectStore: StoreHandle, name: string) {
    super(objectStore.transaction, objectStore.storeName);
    this.objectStore = objectStore;
    this.name = name;
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

  get entries(): readonly Entry[] {
    return this.#index.entries;
  }

  get #index(): Index {
    return this.transaction.read(this.storeName).indexes.get(this.name) as Index;
  }
}

export class StoreHandle extends Source {
  readonly isIndex = false;
  readonly #indexes = new Map<string, IndexHandle>();

  get name(): string {
    return this.storeName;
  }

  get keyPath(): KeyPath['path'] | null {
    return this.transaction.read(this.storeName).keyPath?.path ?? null;
  }

  get autoIncrement(): boolean {
    return this.transaction.read(this.storeName).autoIncrement;
  }

  get indexNames(): string[] {
    return namesOf(this.transaction.read(this.storeName).indexes.keys());
  }

  get entries(): readonly Entry[] {
    return this.transaction.read(this.storeName).entries;
  }

  index(name: string): IndexHandle {
    this.transaction.demandUnfinished();
    if (!this.transaction.read(this.storeName).indexes.has(name)) throw failure('NotFoundError', `no index ${name}`);
    const handle = this.#indexes.get(name) ?? new IndexHandle(this, name);
    this.#indexes.set(name, handle);
    return handle;
  }

  createIndex(
    name: string,
    path: unknown,
    { unique = false, multiEntry = false }: { unique?: boolean; multiEntry?: boolean } = {},
  ): IndexHandle {
    const { transaction, storeName } = this;
    if (transaction.mode !== 'versionchange') throw failure('InvalidStateError', 'no upgrade');
    transaction.demandActive();
    const store = transaction.write(storeName);
    if (store.indexes.has(name)) throw failure('ConstraintError', `there is an index ${name}`);
    const keyPath = new KeyPath(path);
    if (multiEntry && Array.isArray(path)) throw failure('InvalidAccessError', 'multiEntry with several key paths');
    const index = new Index(keyPath, { unique, multiEntry });
    store.indexes.set(name, index);
    transaction.follow(() => store.fillIndex(index));
    return this.index(name);
  }

  deleteIndex(name: string): void {
    const { transaction, storeName } = this;
    if (transaction.mode !== 'versionchange') throw failure('InvalidStateError', 'no upgrade');
    transaction.demandActive();
    if (!transaction.write(storeName).indexes.delete(name)) throw failure('NotFoundError', `no index ${name}`);
    this.#indexes.delete(name);
  }

  put(value: unknown, key?: unknown): Request {
    return this.#write(value, key, false);
  }

  add(value: unknown, key?: unknown): Request {
    return this.#write(value, key, true);
  }

  delete(query: unknown): Request {
    this.#demandWritable();
    const range = rangeOf(query, true);
    return this.transaction.ask(this, () => this.transaction.write(this.storeName).delete(range));
  }

  clear(): Request {
    this.#demandWritable();
    return this.transaction.ask(this, () => this.transaction.write(this.storeName).clear());
  }

  #demandWritable(): void {
    this.transaction.demandActive();
    if (this.transaction.mode === 'readonly') throw failure('ReadOnlyError');
  }

  #write(value: unknown, keyValue: unknown, isNew: boolean): Request {
    this.#demandWritable();
    const { transaction, storeName } = this;
    const { keyPath, autoIncrement } = transaction.read(storeName);
    if (keyPath && keyValue !== undefined) throw failure('DataError', 'the key is in the value');
    if (!keyPath && !autoIncrement && keyValue === undefined) throw failure('DataError', 'no key');
    let key: Key | undefined = keyValue === undefined ? undefined : validKey(keyValue);
    const clone = transaction.whileInactive(() => new Clone(value));
    if (keyPath) {
      const found = keyPath.keyIn(clone.value);
      if (found === INVALID) throw failure('DataError', 'not a valid key');
      if (found !== NOTHING) key = found;
      else if (!autoIncrement || !keyPath.put(clone.value, null)) throw failure('DataError', 'no key');
    }
    return transaction.ask(this, () => {
      const store = transaction.write(storeName);
      const own = key ?? store.nextKey();
      if (key === undefined) keyPath?.put(clone.value, own);
      store.put(new StoredRecord(own, clone), isNew);
      if (autoIncrement) store.goOnAfter(own);
      return valueOf(own);
    });
  }
}
