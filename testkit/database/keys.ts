/** Implements keys, their order, key ranges and key paths (Indexed Database API 3.0, sections 2.4 to 2.9 and 7). */

/** A key. The wallet doesn't use dates or bytes as keys. */
export type Key = number | string | readonly Key[];

/** Creates an IndexedDB exception. */
export const failure = (name: string, message = name): DOMException => new DOMException(message, name);

/** Converts a value to a key. Returns undefined if it isn't a valid key. */
export function keyOf(value: unknown): Key | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
  if (value instanceof Date || value instanceof ArrayBuffer || ArrayBuffer.isView(value))
    throw new TypeError('The memory database does not support dates or bytes as keys.');
  if (!Array.isArray(value)) return undefined;
  const keys: Key[] = [];
  for (let i = 0; i < value.length; i += 1) {
    const key = keyOf(value[i]);
    if (key === undefined) return undefined;
    keys.push(key);
  }
  return Object.freeze(keys);
}

/** Converts a value to a key. @throws DataError if it isn't a valid key */
export function validKey(value: unknown): Key {
  const key = keyOf(value);
  if (key === undefined) throw failure('DataError', 'not a valid key');
  return key;
}

const RANKS: Partial<Record<string, number>> = { number: 0, string: 1, object: 2 };

/** Compares two keys. @returns a negative number, 0 or a positive number, like a sort callback */
export function compareKeys(a: Key, b: Key): number {
  if (typeof a !== typeof b) return (RANKS[typeof a] as number) - (RANKS[typeof b] as number);
  if (typeof a !== 'object') return a < b ? -1 : Number(a > b);
  const [left, right] = [a, b as readonly Key[]];
  for (let i = 0; i < left.length && i < right.length; i += 1) {
    const order = compareKeys(left[i] as Key, right[i] as Key);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Implements IDBKeyRange. */
export class KeyRange {
  readonly lower: Key | undefined;
  readonly upper: Key | undefined;
  readonly lowerOpen: boolean;
  readonly upperOpen: boolean;

  private constructor(lower: Key | undefined, upper: Key | undefined, lowerOpen: boolean, upperOpen: boolean) {
    this.lower = lower;
    this.upper = upper;
    this.lowerOpen = lowerOpen;
    this.upperOpen = upperOpen;
  }

  static readonly all = new KeyRange(undefined, undefined, true, true);

  static only(value: unknown): KeyRange {
    const key = validKey(value);
    return new KeyRange(key, key, false, false);
  }

  static lowerBound(lower: unknown, isOpen = false): KeyRange {
    return new KeyRange(validKey(lower), undefined, isOpen, true);
  }

  static upperBound(upper: unknown, isOpen = false): KeyRange {
    return new KeyRange(undefined, validKey(upper), true, isOpen);
  }

  static bound(lower: unknown, upper: unknown, lowerOpen = false, upperOpen = false): KeyRange {
    const [from, to] = [validKey(lower), validKey(upper)];
    const order = compareKeys(from, to);
    if (order > 0 || (order === 0 && (lowerOpen || upperOpen))) throw failure('DataError', 'the range is empty');
    return new KeyRange(from, to, lowerOpen, upperOpen);
  }

  /** True if the entire range is above a key. */
  isAbove(key: Key): boolean {
    if (this.lower === undefined) return false;
    const order = compareKeys(key, this.lower);
    return order < 0 || (order === 0 && this.lowerOpen);
  }

  /** True if the entire range is below a key. */
  isBelow(key: Key): boolean {
    if (this.upper === undefined) return false;
    const order = compareKeys(key, this.upper);
    return order > 0 || (order === 0 && this.upperOpen);
  }
}

/** Converts a query to a range. A missing query means all keys unless `isRequired`. @throws DataError */
export function rangeOf(query: unknown, isRequired: boolean): KeyRange {
  if (query instanceof KeyRange) return query;
  if (query !== undefined && query !== null) return KeyRange.only(query);
  if (isRequired) throw failure('DataError', 'no key');
  return KeyRange.all;
}

export const NOTHING = Symbol('nothing');

/** A key path of a store or an index. */
export class KeyPath {
  readonly path: string | readonly string[];
  readonly #parts: readonly (readonly string[])[];

  constructor(path: string | readonly string[]) {
    this.path = path;
    this.#parts = [path].flat().map((one) => one.split('.'));
  }

  /** Returns the value at the path, or an array of values for several paths. */
  in(value: unknown): unknown {
    if (typeof this.path === 'string') return at(value, this.#parts[0] as string[]);
    const found: unknown[] = [];
    for (const parts of this.#parts) {
      const one = at(value, parts);
      if (one === NOTHING) return NOTHING;
      found.push(one);
    }
    return found;
  }

  /** Returns a value's keys in an index: at most one unless `multiEntry` is true. */
  indexKeys(value: unknown, multiEntry: boolean): readonly Key[] {
    const found = this.in(value);
    if (found === NOTHING) return [];
    const keys: Key[] = [];
    for (const one of multiEntry && Array.isArray(found) ? found : [found]) {
      const key = keyOf(one);
      if (key !== undefined && !keys.some((other) => compareKeys(key, other) === 0)) keys.push(key);
    }
    return keys;
  }

  /** Inserts a generated key into a value. */
  put(value: unknown, key: Key): void {
    (value as Record<string, Key>)[this.path as string] = key;
  }
}

function at(value: unknown, parts: readonly string[]): unknown {
  let found = value;
  for (const part of parts) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return NOTHING;
    found = (found as Record<string, unknown>)[part];
  }
  return found;
}
