/** Stores the records and indexes of an object store as sorted arrays. */
import type { Clone } from './clone.ts';
import { compareKeys, failure, type Key, type KeyPath, type KeyRange } from './keys.ts';

/** An immutable record, which is also its own entry in the store. */
export class StoredRecord {
  readonly key: Key;
  readonly value: Clone;

  constructor(key: Key, value: Clone) {
    this.key = key;
    this.value = value;
  }

  get record(): StoredRecord {
    return this;
  }
}

/** An entry of a store or an index. */
export interface Entry {
  readonly key: Key;
  readonly record: StoredRecord;
}

export const namesOf = (names: Iterable<string>): string[] & { contains(name: string): boolean } => {
  const list = [...names].toSorted();
  return Object.assign(list, { contains: (name: string) => list.includes(name) });
};

/** Functions that each revert one change. Call them latest first. */
export type Undo = (() => void)[];

export function countFirst(entries: readonly Entry[], holds: (entry: Entry) => boolean): number {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(entries[middle] as Entry)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Returns the slice of a sorted list that is in a range. */
export function placeOf(entries: readonly Entry[], range: KeyRange): [from: number, to: number] {
  const from = range.lower === undefined ? 0 : countFirst(entries, ({ key }) => range.isAbove(key));
  const to = range.upper === undefined ? entries.length : countFirst(entries, ({ key }) => !range.isBelow(key));
  return [from, Math.max(from, to)];
}

/** Compares an entry with a key and primary key, like a sort callback. */
export const compareEntry = (entry: Entry, key: Key, primaryKey: Key): number =>
  compareKeys(entry.key, key) || compareKeys(entry.record.key, primaryKey);

export class Index {
  readonly keyPath: KeyPath;
  readonly unique: boolean;
  readonly multiEntry: boolean;
  /** False until all requests that were made before the index's creation have completed. */
  isFilled = false;
  entries: Entry[] = [];

  constructor(keyPath: KeyPath, unique: boolean, multiEntry: boolean) {
    this.keyPath = keyPath;
    this.unique = unique;
    this.multiEntry = multiEntry;
  }

  /** @throws ConstraintError if another record has the same key and the index is unique */
  check(record: StoredRecord): void {
    if (!this.unique || !this.isFilled) return;
    for (const key of this.#keysOf(record)) {
      const found = this.entries[countFirst(this.entries, (entry) => compareKeys(entry.key, key) < 0)];
      if (found && compareKeys(found.key, key) === 0 && compareKeys(found.record.key, record.key) !== 0)
        throw failure('ConstraintError', 'another record has that key in a unique index');
    }
  }

  add(record: StoredRecord): void {
    if (!this.isFilled) return;
    for (const key of this.#keysOf(record)) this.entries.splice(this.#placeOf(key, record), 0, { key, record });
  }

  remove(record: StoredRecord): void {
    if (!this.isFilled) return;
    for (const key of this.#keysOf(record)) this.entries.splice(this.#placeOf(key, record), 1);
  }

  #keysOf({ value }: StoredRecord): readonly Key[] {
    return this.keyPath.indexKeys(value.value, this.multiEntry);
  }

  #placeOf(key: Key, record: StoredRecord): number {
    return countFirst(this.entries, (entry) => compareEntry(entry, key, record.key) < 0);
  }
}

export class Records {
  readonly keyPath: KeyPath | null;
  readonly autoIncrement: boolean;
  readonly indexes = new Map<string, Index>();
  entries: StoredRecord[] = [];
  #nextKey = 1;

  constructor(keyPath: KeyPath | null, autoIncrement: boolean) {
    this.keyPath = keyPath;
    this.autoIncrement = autoIncrement;
  }

  /** Returns a copy that shares the immutable records. */
  copy(): Records {
    const copy = new Records(this.keyPath, this.autoIncrement);
    copy.entries = [...this.entries];
    copy.#nextKey = this.#nextKey;
    for (const [name, index] of this.indexes) {
      const { keyPath, unique, multiEntry, isFilled, entries } = index;
      const changing = { isFilled, entries: [...entries] };
      copy.indexes.set(name, Object.assign(new Index(keyPath, unique, multiEntry), changing));
    }
    return copy;
  }

  get(key: Key): StoredRecord | undefined {
    const found = this.entries[this.#placeOf(key)];
    return found && compareKeys(found.key, key) === 0 ? found : undefined;
  }

  /** Stores a value. If `key` is null, a key is generated. @throws ConstraintError without changing anything */
  put(key: Key | null, value: Clone, isNew: boolean, undo: Undo): Key {
    const own = key ?? this.#nextKey;
    if (key === null) this.keyPath?.put(value.value, own);
    const [record, old] = [new StoredRecord(own, value), this.get(own)];
    if (old && isNew) throw failure('ConstraintError', 'a record has that key');
    for (const index of this.indexes.values()) index.check(record);
    const next = this.#nextKey;
    if (this.autoIncrement && typeof own === 'number' && own >= next) this.#nextKey = Math.floor(own) + 1;
    this.#replace(old, record);
    undo.push(() => {
      this.#replace(record, old);
      this.#nextKey = next;
    });
    return own;
  }

  delete(range: KeyRange, undo: Undo): void {
    for (const record of this.entries.slice(...placeOf(this.entries, range))) {
      this.#replace(record, undefined);
      undo.push(() => this.#replace(undefined, record));
    }
  }

  clear(undo: Undo): void {
    for (const list of [this, ...this.indexes.values()] as { entries: Entry[] }[]) {
      const { entries } = list;
      list.entries = [];
      undo.push(() => (list.entries = entries));
    }
  }

  /** Adds all records to a new index. @throws ConstraintError if the index is unique and records have equal keys */
  fillIndex(index: Index): void {
    index.isFilled = true;
    for (const record of this.entries) {
      index.check(record);
      index.add(record);
    }
  }

  #replace(old: StoredRecord | undefined, record: StoredRecord | undefined): void {
    const at = this.#placeOf((record ?? (old as StoredRecord)).key);
    for (const index of this.indexes.values()) {
      if (old) index.remove(old);
      if (record) index.add(record);
    }
    if (record) this.entries.splice(at, old ? 1 : 0, record);
    else this.entries.splice(at, 1);
  }

  #placeOf(key: Key): number {
    return countFirst(this.entries, (entry) => compareKeys(entry.key, key) < 0);
  }
}
