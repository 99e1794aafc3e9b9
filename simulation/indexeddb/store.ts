/**
 * The contents of an object store: records and indexes, in sorted lists. A copy shares the records, which never change.
 */
import type { Clone } from './clone.ts';
import { compareKeys, failure, type Key, type KeyPath, type KeyRange } from './keys.ts';

export interface Entry {
  readonly key: Key;
  readonly record: StoredRecord;
}

/** A record; in the store itself, its own entry. */
export class StoredRecord implements Entry {
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

export function countFirst(entries: readonly Entry[], isSuch: (entry: Entry) => boolean): number {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isSuch(entries[middle] as Entry)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The range's begin and end in a list. */
export function placeOf(entries: readonly Entry[], range: KeyRange): [from: number, to: number] {
  return [
    range.lowerKey === undefined ? 0 : countFirst(entries, ({ key }) => range.isAbove(key)),
    range.upperKey === undefined ? entries.length : countFirst(entries, ({ key }) => !range.isBelow(key)),
  ];
}

export const compareEntry = (entry: Entry, key: Key, primaryKey: Key): number =>
  compareKeys(entry.key, key) || compareKeys(entry.record.key, primaryKey);

export class Index {
  readonly keyPath: KeyPath;
  readonly unique: boolean;
  readonly multiEntry: boolean;
  /** False until it is filled; records aren't added before. */
  isFilled = false;
  entries: Entry[] = [];

  constructor(keyPath: KeyPath, { unique, multiEntry }: { unique: boolean; multiEntry: boolean }) {
    this.keyPath = keyPath;
    this.unique = unique;
    this.multiEntry = multiEntry;
  }

  copy(): Index {
    const copy = new Index(this.keyPath, this);
    copy.isFilled = this.isFilled;
    copy.entries = [...this.entries];
    return copy;
  }

  refuses(record: StoredRecord): boolean {
    if (!this.unique || !this.isFilled) return false;
    return this.#keysOf(record).some((key) => {
      const at = countFirst(this.entries, (entry) => compareKeys(entry.key, key) < 0);
      const found = this.entries[at];
      return found && compareKeys(found.key, key) === 0 && compareKeys(found.record.key, record.key) !== 0;
    });
  }

  add(record: StoredRecord): void {
    if (!this.isFilled) return;
    for (const key of this.#keysOf(record)) this.entries.splice(this.#placeOf(key, record), 0, { key, record });
  }

  remove(record: StoredRecord): void {
    if (!this.isFilled) return;
    for (const key of this.#keysOf(record)) this.entries.splice(this.#placeOf(key, record), 1);
  }

  #keysOf(record: StoredRecord): Key[] {
    return this.keyPath.indexKeysIn(record.value.value, this.multiEntry);
  }

  #placeOf(key: Key, record: StoredRecord): number {
    return countFirst(this.entries, (entry) => compareEntry(entry, key, record.key) < 0);
  }
}

/** Greatest key of a generator. */
const GREATEST = 2 ** 53;

export class Store {
  readonly keyPath: KeyPath | null;
  readonly autoIncrement: boolean;
  readonly indexes = new Map<string, Index>();
  entries: StoredRecord[] = [];
  #nextKey = 1;

  constructor(keyPath: KeyPath | null, autoIncrement: boolean) {
    this.keyPath = keyPath;
    this.autoIncrement = autoIncrement;
  }

  copy(): Store {
    const copy = new Store(this.keyPath, this.autoIncrement);
    copy.entries = [...this.entries];
    for (const [name, index] of this.indexes) copy.indexes.set(name, index.copy());
    copy.#nextKey = this.#nextKey;
    return copy;
  }

  get(key: Key): StoredRecord | undefined {
    const found = this.entries[this.#placeOf(key)];
    return found && compareKeys(found.key, key) === 0 ? found : undefined;
  }

  /** The generator's next key, which advances once stored. @throws ConstraintError */
  nextKey(): number {
    if (this.#nextKey > GREATEST) throw failure('ConstraintError', 'no more keys');
    return this.#nextKey;
  }

  /** Advances the generator past a stored key. */
  goOnAfter(key: Key): void {
    if (typeof key === 'number' && key >= this.#nextKey) this.#nextKey = Math.floor(Math.min(key, GREATEST)) + 1;
  }

  /** Adds or replaces a record. @throws ConstraintError, with nothing changed */
  put(record: StoredRecord, isNew: boolean): void {
    const at = this.#placeOf(record.key);
    const found = this.entries[at];
    const old = found && compareKeys(found.key, record.key) === 0 ? found : null;
    if (old && isNew) throw failure('ConstraintError', 'there is a record with that key');
    for (const index of this.indexes.values())
      if (index.refuses(record)) throw failure('ConstraintError', 'a key of a unique index is there already');
    for (const index of this.indexes.values()) {
      if (old) index.remove(old);
      index.add(record);
    }
    this.entries.splice(at, old ? 1 : 0, record);
  }

  delete(range: KeyRange): void {
    const [from, to] = placeOf(this.entries, range);
    for (const record of this.entries.splice(from, Math.max(0, to - from)))
      for (const index of this.indexes.values()) index.remove(record);
  }

  clear(): void {
    this.entries = [];
    for (const index of this.indexes.values()) index.entries = [];
  }

  /** Fills a new index. @throws ConstraintError */
  fillIndex(index: Index): void {
    index.isFilled = true;
    for (const record of this.entries) {
      if (index.refuses(record)) throw failure('ConstraintError', 'two records have one key of a unique index');
      index.add(record);
    }
  }

  #placeOf(key: Key): number {
    return countFirst(this.entries, (entry) => compareKeys(entry.key, key) < 0);
  }
}
