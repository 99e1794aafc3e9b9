import { Clone } from './clone.ts';
import { compareKeys, failure, INVALID, KeyRange, validKey, valueOf, type Key } from './keys.ts';
import type { Request, Scope } from './request.ts';
import { compareEntry, countFirst, placeOf, StoredRecord, type Entry } from './store.ts';

export const DIRECTIONS = ['next', 'nextunique', 'prev', 'prevunique'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export interface CursorSource {
  readonly transaction: Scope;
  /** Name of its object store, and whether it is an index of it. */
  readonly storeName: string;
  readonly isIndex: boolean;
  readonly entries: readonly Entry[];
}

/** An IDBCursor. */
export class Cursor {
  readonly source: CursorSource;
  readonly direction: Direction;
  key: unknown = undefined;
  primaryKey: unknown = undefined;
  /** Set once it is opened. */
  request!: Request;
  protected record: StoredRecord | null = null;
  readonly #range: KeyRange;
  /** The current position. */
  #at: { key: Key; primaryKey: Key } | null = null;

  constructor(source: CursorSource, range: KeyRange, direction: Direction) {
    this.source = source;
    this.#range = range;
    this.direction = direction;
  }

  /** Advances by this many records, or to a key. @returns the request's result */
  iterate(count = 1, key?: Key, primaryKey?: Key): this | null {
    let found: Entry | undefined;
    for (let i = 0; i < count; i += 1) {
      found = this.#following(key, primaryKey);
      this.#at = found ? { key: found.key, primaryKey: found.record.key } : null;
      if (!found) break;
    }
    this.key = found && valueOf(found.key);
    this.primaryKey = found && valueOf(found.record.key);
    this.take(found?.record ?? null);
    return found ? this : null;
  }

  continue(value?: unknown): void {
    const at = this.#demandRecord();
    const key = value === undefined ? undefined : validKey(value);
    if (key !== undefined && this.#order(compareKeys(key, at.key)) <= 0)
      throw failure('DataError', 'the cursor is there already');
    this.#goOn(1, key);
  }

  continuePrimaryKey(value: unknown, primaryValue: unknown): void {
    this.source.transaction.demandActive();
    if (!this.source.isIndex || this.direction.endsWith('unique'))
      throw failure('InvalidAccessError', 'not with this cursor');
    const at = this.#demandRecord();
    const [key, primaryKey] = [validKey(value), validKey(primaryValue)];
    if (this.#order(compareKeys(key, at.key) || compareKeys(primaryKey, at.primaryKey)) <= 0)
      throw failure('DataError', 'the cursor is there already');
    this.#goOn(1, key, primaryKey);
  }

  advance(count: number): void {
    if (!Number.isInteger(count) || count < 1 || count >= 2 ** 32) throw new TypeError('no count');
    this.#demandRecord();
    this.#goOn(count);
  }

  update(value: unknown): Request {
    const { primaryKey: key } = this.#demandWritable();
    const { transaction, storeName } = this.source;
    const clone = transaction.whileInactive(() => new Clone(value));
    const inValue = transaction.read(storeName).keyPath?.keyIn(clone.value);
    if (inValue !== undefined && (typeof inValue === 'symbol' || compareKeys(inValue, key) !== 0))
      throw failure('DataError', inValue === INVALID ? 'not a valid key' : 'another key');
    return transaction.ask(this, () => {
      transaction.write(storeName).put(new StoredRecord(key, clone), false);
      return valueOf(key);
    });
  }

  delete(): Request {
    const { primaryKey } = this.#demandWritable();
    const { transaction, storeName } = this.source;
    return transaction.ask(this, () => transaction.write(storeName).delete(KeyRange.only(valueOf(primaryKey))));
  }

  /** Moves to a record, or to the end. */
  protected take(record: StoredRecord | null): void {
    this.record = record;
  }

  #demandRecord(): { key: Key; primaryKey: Key } {
    this.source.transaction.demandActive();
    if (!this.#at || !this.record) throw failure('InvalidStateError', 'the cursor is at no record');
    return this.#at;
  }

  #demandWritable(): { key: Key; primaryKey: Key } {
    const { transaction } = this.source;
    transaction.demandActive();
    if (transaction.mode === 'readonly') throw failure('ReadOnlyError');
    const at = this.#demandRecord();
    if (!(this instanceof CursorWithValue)) throw failure('InvalidStateError', 'a cursor over keys');
    return at;
  }

  #goOn(count: number, key?: Key, primaryKey?: Key): void {
    this.record = null;
    this.request.readyState = 'pending';
    this.source.transaction.ask(this.source, () => this.iterate(count, key, primaryKey), this.request);
  }

  /** Above 0 for later positions in its direction. */
  #order(order: number): number {
    return this.direction.startsWith('next') ? order : -order;
  }

  #following(key?: Key, primaryKey?: Key): Entry | undefined {
    const { entries } = this.source;
    const [from, to] = placeOf(entries, this.#range);
    const at = this.#at;
    const isForward = this.direction.startsWith('next');
    // The first entry at or after the target, or with `prev` the number of entries up to it.
    const isPassed = (entry: Entry): boolean => {
      if (at) {
        const order =
          this.direction === 'next' || this.direction === 'prev'
            ? compareEntry(entry, at.key, at.primaryKey)
            : compareKeys(entry.key, at.key);
        if (this.#order(order) <= 0) return true;
      }
      if (key === undefined) return false;
      return (
        this.#order(primaryKey === undefined ? compareKeys(entry.key, key) : compareEntry(entry, key, primaryKey)) < 0
      );
    };
    if (isForward) {
      const first = Math.max(from, countFirst(entries, isPassed));
      return first < to ? entries[first] : undefined;
    }
    const last =
      Math.min(
        to,
        countFirst(entries, (entry) => !isPassed(entry)),
      ) - 1;
    const found = last >= from ? entries[last] : undefined;
    if (!found || this.direction === 'prev') return found;
    return entries[countFirst(entries, (entry) => compareKeys(entry.key, found.key) < 0)];
  }
}

export class CursorWithValue extends Cursor {
  value: unknown = undefined;

  protected override take(record: StoredRecord | null): void {
    super.take(record);
    this.value = record?.value.copy();
  }
}
