/** Compares the memory database with a real one, by running random operations on both through the API of `idb`. */
import fc from 'fast-check';
import type * as Idb from 'idb';
import { show } from './show.ts';

/** A database implementation: idb's `openDB` and `deleteDB`, and the static methods of `IDBKeyRange`. */
export interface Implementation {
  openDB: typeof Idb.openDB;
  deleteDB: typeof Idb.deleteDB;
  ranges: Pick<typeof IDBKeyRange, 'bound' | 'only' | 'lowerBound' | 'upperBound'>;
}

const STORES = ['plain', 'inline', 'counted', 'pairs', 'generated'] as const;
const INDEXES = ['a', 'unique', 'several', 'both', 'none'] as const;
const READS = ['get', 'getKey', 'getAll', 'getAllKeys', 'count', 'getAllRecords'] as const;
const WRITES = ['put', 'put', 'put', 'add', 'add', 'delete', 'clear'] as const;

type Query = { key: unknown } | { from: unknown; to: unknown; open: [boolean, boolean] };

interface Operation {
  method: (typeof READS)[number] | (typeof WRITES)[number] | 'openCursor' | 'openKeyCursor';
  index: (typeof INDEXES)[number] | null;
  query: Query;
  value: unknown;
  hasKey: boolean;
  count: number | undefined;
  direction: 'next' | 'nextunique' | 'prev';
  moves: { move: 'continue' | 'to' | 'both' | 'advance' | 'update' | 'delete'; key: unknown; primaryKey: unknown }[];
  waits: boolean;
}

/** A transaction with its operations, or operations that each use one of idb's shortcuts. */
interface Work {
  mode: 'readonly' | 'readwrite';
  stores: (typeof STORES)[number][];
  operations: Operation[];
  aborts: boolean;
  isShortcut: boolean;
}

const simple = fc.oneof(fc.integer({ min: -2, max: 5 }), fc.constantFrom('', 'a', 'b', 'ab', '\ud800', 0.5, -Infinity));
const key = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 6 }) },
  { weight: 3, arbitrary: simple },
  { weight: 2, arbitrary: fc.array(simple, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(undefined, null, Number.NaN, [[]], [1, null]) },
);
const value = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record(
      {
        id: key,
        a: key,
        n: fc.oneof(fc.record({ x: key }, { requiredKeys: [] }), fc.constantFrom(null, 3)),
        tags: fc.oneof(fc.array(key, { maxLength: 4 }), key),
        more: fc.constantFrom<unknown>(1n, new Uint8Array([3]), new Map([[1, { a: 2 }]]), new Date(7), {
          deep: [{ x: undefined }],
        }),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(5, 'text', () => 1, { f: Symbol('none') }) },
);
const operation: fc.Arbitrary<Operation> = fc.record({
  method: fc.constantFrom(...READS, ...WRITES, 'openCursor', 'openCursor', 'openKeyCursor'),
  index: fc.constantFrom(null, null, ...INDEXES),
  query: fc.oneof(
    { weight: 3, arbitrary: fc.record({ key }) },
    { weight: 1, arbitrary: fc.constant({ key: undefined }) },
    { weight: 2, arbitrary: fc.record({ from: key, to: key, open: fc.tuple(fc.boolean(), fc.boolean()) }) },
  ),
  value,
  hasKey: fc.boolean(),
  count: fc.constantFrom(undefined, 0, 1, 2),
  direction: fc.constantFrom('next', 'nextunique', 'prev'),
  moves: fc.array(
    fc.record({
      move: fc.constantFrom('continue', 'continue', 'to', 'both', 'advance', 'update', 'delete'),
      key,
      primaryKey: key,
    }),
    { maxLength: 6 },
  ),
  waits: fc.boolean(),
});
const work: fc.Arbitrary<Work> = fc.record({
  mode: fc.constantFrom('readwrite', 'readwrite', 'readwrite', 'readonly'),
  stores: fc.uniqueArray(fc.constantFrom(...STORES), { minLength: 1, maxLength: 2 }),
  operations: fc.array(operation, { maxLength: 8 }),
  aborts: fc.boolean().map((aborts) => aborts),
  isShortcut: fc.constantFrom(false, false, false, true),
});

/** Groups of transactions. Transactions in a group start together, once the previous group has completed. */
export const groupsOfWorks = fc.array(fc.array(work, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });

/** Runs the same transactions on both implementations. @throws Error if results, errors or contents differ */
export async function compare(ours: Implementation, real: Implementation, groups: Work[][]): Promise<void> {
  const [got, expected] = [await outcomeOf(ours, groups), await outcomeOf(real, groups)];
  const at = got.findIndex((line, i) => line !== expected[i]);
  if (at >= 0 || got.length !== expected.length)
    throw new Error(`the memory database returned\n${got[at]}\nbut the real one\n${expected[at]}`);
}

async function outcomeOf(implementation: Implementation, groups: Work[][]): Promise<string[]> {
  const name = `compared ${crypto.randomUUID()}`;
  const db = await implementation.openDB(name, 1, { upgrade: (made) => createStores(made as never) });
  const lines: string[] = [];
  for (const group of groups)
    lines.push(...(await Promise.all(group.map((one) => run(db as never, implementation.ranges, one)))).map(show));
  for (const store of STORES) {
    const index = await db.getAllKeysFromIndex(store, 'both');
    lines.push(`${store} ${show([await db.getAllKeys(store), await db.getAll(store), index])}`);
  }
  db.close();
  await implementation.deleteDB(name);
  return lines;
}

/** Creates stores with every kind of key, and every kind of index in each store. */
function createStores(db: Idb.IDBPDatabase<unknown>): void {
  const stores = [
    db.createObjectStore('plain'),
    db.createObjectStore('inline', { keyPath: 'id' }),
    db.createObjectStore('counted', { keyPath: 'id', autoIncrement: true }),
    db.createObjectStore('pairs', { keyPath: ['id', 'a'] }),
    db.createObjectStore('generated', { autoIncrement: true }),
  ];
  for (const store of stores) {
    store.createIndex('a', 'a');
    store.createIndex('unique', 'n.x', { unique: true });
    store.createIndex('several', 'tags', { multiEntry: true });
    store.createIndex('both', ['a', 'n.x']);
  }
}

interface IDBRecordLike {
  key: unknown;
  primaryKey: unknown;
  value: unknown;
}
/** The browser's records have getters instead of own properties. */
const partsOf = ({ key: at, primaryKey, value: stored }: IDBRecordLike) => [at, primaryKey, stored];

const FAILED = Symbol('failed');
type Method = (...args: unknown[]) => Promise<unknown>;
interface Store {
  autoIncrement: boolean;
  index(name: string): object;
}
type Ranges = Implementation['ranges'];

/** If both the value and the key are invalid, browsers differ in which error they report. */
const nameOf = (error: unknown) => (error as Error).name.replace('DataCloneError', 'DataError');

async function run(db: Idb.IDBPDatabase<unknown>, ranges: Ranges, { stores, mode, ...work }: Work): Promise<unknown> {
  /** The result of each operation, and the order in which the results arrived. */
  const [outcomes, order]: [unknown[], number[]] = [[], []];
  const settle = (at: number, promise: Promise<unknown>) =>
    promise.then(
      (result) => {
        outcomes[at] =
          work.operations[at]?.method === 'getAllRecords' ? (result as IDBRecordLike[]).map(partsOf) : result;
        order.push(at);
      },
      (error: unknown) => {
        outcomes[at] = [`rejected: ${nameOf(error)}`];
        return FAILED;
      },
    );
  if (work.isShortcut) {
    for (const [at, one] of work.operations.entries())
      if (!one.method.startsWith('open') && one.method !== 'getAllRecords')
        await settle(at, shortcut(db, stores[0]!, ranges, one));
    return [outcomes, order];
  }
  const tx = db.transaction(stores, mode);
  const done = tx.done.then(
    () => 'complete',
    (error: unknown) => `aborted: ${nameOf(error)}`,
  );
  const pending: Promise<unknown>[] = [];
  for (const [at, one] of work.operations.entries()) {
    let answered: Promise<unknown>;
    // The wallet calls getAllRecords only on indexes.
    if (one.method === 'getAllRecords' && one.index === null) continue;
    try {
      const store = tx.objectStore(stores[at % stores.length] as (typeof stores)[0]);
      answered = settle(at, perform(store as never, ranges, one));
    } catch (error) {
      outcomes[at] = [`refused: ${nameOf(error)}`];
      continue;
    }
    pending.push(answered);
    // Stops here, because the timing of microtasks determines whether a failing transaction still accepts requests.
    if (one.waits && (await answered) === FAILED) break;
  }
  if (work.aborts && !outcomes.some((one) => Array.isArray(one) && String(one[0]).startsWith('rejected')))
    try {
      tx.abort();
    } catch (error) {
      outcomes.push(nameOf(error));
    }
  const end = await done;
  await Promise.all(pending);
  return [outcomes, order, end];
}

function queryOf({ query }: Operation, ranges: Ranges): unknown {
  return 'key' in query ? query.key : ranges.bound(query.from, query.to, ...query.open);
}

function withTextKey(value: unknown): unknown {
  const { id } = value as { id?: unknown };
  return typeof id === 'number' ? { ...(value as object), id: String(id) } : value;
}

function argumentsOf(one: Operation, ranges: Ranges, isGenerated: boolean): unknown[] {
  const { method, value: stored, hasKey, count, direction } = one;
  if (method === 'put' || method === 'add') {
    // With an explicit numeric key, fake-indexeddb's key generator advances even if the write is rolled back.
    const given = isGenerated ? withTextKey(stored) : stored;
    return hasKey ? [given, isGenerated ? String(count) : queryOf(one, ranges)] : [given];
  }
  if (method === 'clear') return [];
  if (method === 'getAllRecords')
    return [
      { query: queryOf(one, ranges), direction: direction === 'prev' ? 'prev' : 'next', ...(count && { count }) },
    ];
  if (method.startsWith('getAll')) return [queryOf(one, ranges), count];
  return method.startsWith('open') ? [queryOf(one, ranges), direction] : [queryOf(one, ranges)];
}

const isWrite = (method: string): boolean => (WRITES as readonly string[]).includes(method);

const method = (target: object, name: string): Method => (Reflect.get(target, name) as Method).bind(target);

async function shortcut(db: Idb.IDBPDatabase, store: string, ranges: Ranges, one: Operation): Promise<unknown> {
  const args = argumentsOf(one, ranges, ['counted', 'generated'].includes(store));
  if (one.index === null || isWrite(one.method)) return method(db, one.method)(store, ...args);
  return method(db, `${one.method}FromIndex`)(store, one.index, ...args);
}

/** Makes a request. Can throw synchronously. */
function perform(store: Store, ranges: Ranges, one: Operation) {
  const source = one.index === null || isWrite(one.method) ? store : store.index(one.index);
  const answer = method(source, one.method)(...argumentsOf(one, ranges, store.autoIncrement));
  return one.method.startsWith('open') ? walk(answer as Promise<Cursor | null>, one) : answer;
}

type Cursor = Idb.IDBPCursorWithValue<unknown, string[], string, unknown, 'readwrite'>;

async function walk(opened: Promise<Cursor | null>, { moves, method: opening }: Operation): Promise<unknown[]> {
  const hasValues = opening === 'openCursor';
  const log: unknown[] = [];
  let cursor = await opened;
  const see = () => log.push(cursor && [cursor.key, cursor.primaryKey, cursor.value]);
  see();
  for (const { move, key: to, primaryKey } of moves) {
    if (!cursor) break;
    // If a key cursor is used to modify records, fake-indexeddb reports a different error.
    const isMove = move !== 'update' && move !== 'delete';
    if (!hasValues && !isMove) continue;
    try {
      if (move === 'update')
        log.push(await cursor.update(typeof cursor.value === 'object' ? { ...cursor.value, a: to } : cursor.value));
      else if (move === 'delete') log.push(await cursor.delete());
      else if (move === 'continue') cursor = await cursor.continue();
      // Chromium treats null like a missing key. The standard requires a DataError.
      else if (move === 'to') cursor = await cursor.continue((to ?? undefined) as never);
      else if (move === 'both') cursor = await cursor.continuePrimaryKey(to as never, primaryKey as never);
      else cursor = await cursor.advance(2);
    } catch (error) {
      if (nameOf(error) === 'ConstraintError' || nameOf(error) === 'AbortError') throw error;
      log.push(nameOf(error));
      continue;
    }
    if (isMove) see();
  }
  return log;
}
