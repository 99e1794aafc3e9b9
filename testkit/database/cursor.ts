import { Clone } from './clone.ts';
import { compareKeys, failure, KeyRange, validKey, type Key } from './keys.ts';
import { compareEntry, countFirst, placeOf, type Entry, type Records } from './records.ts';
import type { Scope } from './scope.ts';

/** A cursor's direction. The wallet never uses `prevunique`. */
export type Direction = 'next' | 'nextunique' | 'prev';

export interface CursorSource {
  readonly transaction: Scope;
  readonly records: Records;
  readonly entries: readonly Entry[];
}

/** Implements IDBPCursor. */
export class Cursor {
  readonly source: CursorSource;
  readonly direction: Direction;
  key: Key | undefined;
  primaryKey: Key | undefined;
  value: unknown;
  readonly #range: KeyRange;
  readonly #hasValues: boolean;
  /** The current record; null while the cursor moves, and at the end. */
  #at: Entry | null = null;

  constructor(source: CursorSource, range: KeyRange, direction: Direction, hasValues: boolean) {
    if (!['next', 'nextunique', 'prev'].includes(direction))
      throw new TypeError(`The memory database has no cursors in the direction ${direction}.`);
    [this.source, this.direction, this.#range, this.#hasValues] = [source, direction, range, hasValues];
  }

  /** Moves forward by a number of records, or to a key. @returns the cursor, or null at the end */
  move(count = 1, from: Entry | null = null, key?: Key, primaryKey?: Key): this | null {
    let at = from;
    for (let i = 0; i < count && (i === 0 || at); i += 1) at = this.#after(at, key, primaryKey);
    this.#at = at;
    [this.key, this.primaryKey] = [at?.key, at?.record.key];
    if (this.#hasValues) this.value = at?.record.value.copy();
    return at && this;
  }

  continue(value?: unknown): Promise<this | null> {
    const at = this.#demandRecord();
    const key = value === undefined ? undefined : validKey(value);
    if (key !== undefined && this.#signed(compareKeys(key, at.key)) <= 0)
      throw failure('DataError', 'the cursor is already at or past this record');
    return this.#goOn(1, key);
  }

  continuePrimaryKey(value: unknown, primaryValue: unknown): Promise<this | null> {
    this.source.transaction.demandActive();
    if (this.source.entries === this.source.records.entries || this.direction === 'nextunique')
      throw failure('InvalidAccessError', 'not supported by this cursor');
    const at = this.#demandRecord();
    const [key, primaryKey] = [validKey(value), validKey(primaryValue)];
    if (this.#signed(compareKeys(key, at.key) || compareKeys(primaryKey, at.record.key)) <= 0)
      throw failure('DataError', 'the cursor is already at or past this record');
    return this.#goOn(1, key, primaryKey);
  }

  advance(count: number): Promise<this | null> {
    if (!Number.isInteger(count) || count < 1) throw new TypeError('the count must be at least 1');
    this.#demandRecord();
    return this.#goOn(count);
  }

  update(value: unknown): Promise<unknown> {
    const { key } = this.#demandWritable();
    const { transaction, records } = this.source;
    const clone = transaction.whileInactive(() => new Clone(value));
    const path = records.keyPath;
    if (path && compareKeys(validKey(path.in(clone.value)), key) !== 0)
      throw failure('DataError', 'the value has another key than the cursor');
    return transaction.request(() => records.put(key, clone, false, transaction.undo));
  }

  delete(): Promise<void> {
    const { key } = this.#demandWritable();
    const { transaction, records } = this.source;
    return transaction.request(() => records.delete(KeyRange.only(key), transaction.undo));
  }

  #demandRecord(): Entry {
    this.source.transaction.demandActive();
    if (!this.#at) throw failure('InvalidStateError', 'the cursor is not at a record');
    return this.#at;
  }

  #demandWritable(): Entry['record'] {
    this.source.transaction.demandActive();
    if (this.source.transaction.mode === 'readonly') throw failure('ReadOnlyError', 'the transaction is read-only');
    const { record } = this.#demandRecord();
    if (!this.#hasValues) throw failure('InvalidStateError', 'the cursor has only keys');
    return record;
  }

  #goOn(count: number, key?: Key, primaryKey?: Key): Promise<this | null> {
    const from = this.#at;
    this.#at = null;
    return this.source.transaction.request(() => this.move(count, from, key, primaryKey));
  }

  /**
   * Converts a comparison of keys to the cursor's direction. If the result is positive, the cursor hasn't reached the
   * entry yet.
   */
  #signed(order: number): number {
    return this.direction === 'prev' ? -order : order;
  }

  /** Returns the first entry that comes after `at` and not before the key, or null. */
  #after(at: Entry | null, key?: Key, primaryKey?: Key): Entry | null {
    const { entries } = this.source;
    const [from, to] = placeOf(entries, this.#range);
    const isPassed = (entry: Entry): boolean => {
      const order = at && (this.direction === 'nextunique' ? compareKeys(entry.key, at.key) : orderOf(entry, at));
      if (order !== null && this.#signed(order) <= 0) return true;
      if (key === undefined) return false;
      return (
        this.#signed(primaryKey === undefined ? compareKeys(entry.key, key) : compareEntry(entry, key, primaryKey)) < 0
      );
    };
    const next =
      this.direction === 'prev'
        ? Math.min(
            to,
            countFirst(entries, (entry) => !isPassed(entry)),
          ) - 1
        : Math.max(from, countFirst(entries, isPassed));
    return next >= from && next < to ? (entries[next] as Entry) : null;
  }
}

const orderOf = (entry: Entry, { key, record }: Entry): number => compareEntry(entry, key, record.key);
