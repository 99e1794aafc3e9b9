/** Keys, their order, ranges of them, and where they are in a value (Indexed Database API 3.0, 2.4 to 2.9 and 7). */

/** A key as it is stored. Binary ones are bytes here, and returned as an ArrayBuffer. */
export type Key = number | string | Date | Uint8Array<ArrayBuffer> | readonly Key[];

/** An exception of IndexedDB. */
export const failure = (name: string, message = name): DOMException => new DOMException(message, name);

function bytesOf(value: object): Uint8Array<ArrayBuffer> | null {
  if (value instanceof ArrayBuffer) return new Uint8Array(value.slice(0));
  if (!ArrayBuffer.isView(value) || !(value.buffer instanceof ArrayBuffer)) return null;
  return new Uint8Array(value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength));
}

export function keyOf(value: unknown, within: readonly unknown[] = []): Key | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : new Date(value.getTime());
  if (!Array.isArray(value)) return bytesOf(value) ?? undefined;
  if (within.includes(value)) return undefined;
  const keys: Key[] = [];
  for (let i = 0; i < value.length; i += 1) {
    const key = Object.hasOwn(value, i) ? keyOf(value[i], [...within, value]) : undefined;
    if (key === undefined) return undefined;
    keys.push(key);
  }
  return keys;
}

/** A value as a key. @throws DataError if it is invalid */
export function validKey(value: unknown): Key {
  const key = keyOf(value);
  if (key === undefined) throw failure('DataError', 'not a valid key');
  return key;
}

/** A separate copy of a key for its caller. */
export function valueOf(key: Key): unknown {
  if (typeof key !== 'object') return key;
  if (key instanceof Date) return new Date(key.getTime());
  return key instanceof Uint8Array ? key.buffer.slice(0) : key.map(valueOf);
}

function rankOf(key: Key): number {
  if (typeof key === 'number') return 1;
  if (typeof key === 'string') return 3;
  if (key instanceof Date) return 2;
  return key instanceof Uint8Array ? 4 : 5;
}

type Primitive = number | string | Date;
const compareItems = (a: Key, b: Key): number => ((a as Primitive) < (b as Primitive) ? -1 : Number(a > b));

/** Negative, 0 or positive: `a` is before, equal to or after `b`. */
export function compareKeys(a: Key, b: Key): number {
  if (typeof a !== 'object' && typeof a === typeof b) return compareItems(a, b);
  const rank = rankOf(a);
  if (rank !== rankOf(b)) return rank - rankOf(b);
  if (rank < 4) return compareItems(a, b);
  const [left, right] = [a as ArrayLike<Key>, b as ArrayLike<Key>];
  for (let i = 0; i < left.length && i < right.length; i += 1) {
    const order = compareKeys(left[i] as Key, right[i] as Key);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

export class KeyRange {
  readonly lowerKey: Key | undefined;
  readonly upperKey: Key | undefined;
  readonly lowerOpen: boolean;
  readonly upperOpen: boolean;

  private constructor(lower: Key | undefined, upper: Key | undefined, lowerOpen: boolean, upperOpen: boolean) {
    this.lowerKey = lower;
    this.upperKey = upper;
    this.lowerOpen = lowerOpen;
    this.upperOpen = upperOpen;
  }

  get lower(): unknown {
    return this.lowerKey === undefined ? undefined : valueOf(this.lowerKey);
  }

  get upper(): unknown {
    return this.upperKey === undefined ? undefined : valueOf(this.upperKey);
  }

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
    if (order > 0 || (order === 0 && (lowerOpen || upperOpen))) throw failure('DataError', 'nothing is in the range');
    return new KeyRange(from, to, lowerOpen, upperOpen);
  }

  static readonly all = new KeyRange(undefined, undefined, true, true);

  includes(value: unknown): boolean {
    const key = validKey(value);
    return !this.isAbove(key) && !this.isBelow(key);
  }

  /** True if the whole range is above a key. */
  isAbove(key: Key): boolean {
    if (this.lowerKey === undefined) return false;
    const order = compareKeys(key, this.lowerKey);
    return order < 0 || (order === 0 && this.lowerOpen);
  }

  isBelow(key: Key): boolean {
    if (this.upperKey === undefined) return false;
    const order = compareKeys(key, this.upperKey);
    return order > 0 || (order === 0 && this.upperOpen);
  }
}

/** The requested range: a range, one key, or all if it may be omitted. @throws DataError */
export function rangeOf(query: unknown, isNeeded = false): KeyRange {
  if (query instanceof KeyRange) return query;
  if (query === undefined || query === null) {
    if (isNeeded) throw failure('DataError', 'no key');
    return KeyRange.all;
  }
  return KeyRange.only(query);
}

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

export const NOTHING = Symbol('nothing');
/** The value there isn't a valid key. */
export const INVALID = Symbol('invalid');

/** Where a store or an index finds its keys. */
export class KeyPath {
  /** As it was given. */
  readonly path: string | readonly string[];
  readonly #parts: readonly (readonly string[])[];

  /** @throws SyntaxError */
  constructor(path: unknown) {
    const paths = Array.isArray(path) ? path.map(String) : [String(path)];
    const isValid = (one: string) => one === '' || one.split('.').every((part) => IDENTIFIER.test(part));
    if (paths.length === 0 || !paths.every(isValid)) throw failure('SyntaxError', `${String(path)} is no key path`);
    this.path = Array.isArray(path) ? paths : String(path);
    this.#parts = paths.map((one) => (one === '' ? [] : one.split('.')));
  }

  /** True if generated keys can be injected. */
  get takesKeys(): boolean {
    return typeof this.path === 'string' && this.path !== '';
  }

  keyIn(value: unknown): Key | typeof NOTHING | typeof INVALID {
    const found = this.#in(value);
    return found === NOTHING ? NOTHING : (keyOf(found) ?? INVALID);
  }

  /** The keys under which an index of it has a value: none, one, or with `multiEntry` several. */
  indexKeysIn(value: unknown, multiEntry: boolean): Key[] {
    const found = this.#in(value);
    if (found === NOTHING) return [];
    if (!multiEntry || !Array.isArray(found)) return [keyOf(found)].filter((key) => key !== undefined);
    const keys: Key[] = [];
    for (const one of found) {
      const key = keyOf(one);
      if (key !== undefined && !keys.some((other) => compareKeys(key, other) === 0)) keys.push(key);
    }
    return keys;
  }

  /** Injects a key into a value that lacks one; null only checks. @returns whether that is possible */
  put(value: unknown, key: Key | null): boolean {
    const parts = [...(this.#parts[0] ?? [])];
    const last = parts.pop() as string;
    let at = value as Record<string, unknown>;
    for (const part of parts) {
      if (typeof at !== 'object' || at === null) return false;
      if (!Object.hasOwn(at, part)) {
        if (key === null) return true;
        at[part] = {};
      }
      at = at[part] as Record<string, unknown>;
    }
    if (typeof at !== 'object' || at === null) return false;
    if (key !== null) at[last] = valueOf(key);
    return true;
  }

  #in(value: unknown): unknown {
    if (typeof this.path === 'string') return at(value, this.#parts[0] as string[]);
    const found = this.#parts.map((parts) => at(value, parts));
    return found.includes(NOTHING) ? NOTHING : found;
  }
}

function at(value: unknown, parts: readonly string[]): unknown {
  let found = value;
  for (const part of parts) {
    if (typeof found === 'string' && part === 'length') found = found.length;
    else if (found instanceof Blob) throw new Error('key paths into a Blob are not simulated');
    else if (typeof found === 'object' && found !== null && Object.hasOwn(found, part))
      found = (found as Record<string, unknown>)[part];
    else return NOTHING;
    if (found === undefined) return NOTHING;
  }
  return found === undefined ? NOTHING : found;
}
