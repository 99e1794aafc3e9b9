/** Compares our IndexedDB with fake-indexeddb, which passes the platform's tests. Both must give the same results. */
import fc from 'fast-check';
import { IDBFactory as FakeFactory, IDBKeyRange as FakeKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { Disk } from './disk.ts';
import { Factory } from './factory.ts';
import { KeyRange } from './keys.ts';

/** Runs each task of a database in a separate turn, one after the other. */
function host(atOnce: 'never' | 'often') {
  let turn = 0;
  const run = (task: () => void) => {
    turn += 1;
    task();
  };
  return {
    turn: () => turn,
    queue: (task: () => void) => void setImmediate(run, task),
    // A tick runs before a task's microtasks, and after those that a microtask queues.
    goOn: (task: () => void) => queueMicrotask(() => process.nextTick(run, task)),
    isAtOnce: () => atOnce === 'often' && turn % 2 === 0,
  };
}

const ours = (disk = new Disk(), atOnce: 'never' | 'often' = 'often') =>
  new Factory(disk, host(atOnce)) as unknown as IDBFactory;

const STORES = ['plain', 'inline', 'counted', 'pairs', 'generated'] as const;

/** Every kind of key, and every kind of index on each store. */
function upgrade(db: IDBDatabase): void {
  const stores = [
    db.createObjectStore('plain'),
    db.createObjectStore('inline', { keyPath: 'id' }),
    db.createObjectStore('counted', { keyPath: 'at.id', autoIncrement: true }),
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

function open(factory: IDBFactory, version = 1, onUpgrade = upgrade): Promise<IDBDatabase> {
  const request = factory.open('test', version);
  request.addEventListener('upgradeneeded', () => onUpgrade(request.result));
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error!));
  });
}

type Range = { from: unknown; to: unknown; open: [boolean, boolean] };
interface Operation {
  method:
    | 'get'
    | 'getKey'
    | 'getAll'
    | 'getAllKeys'
    | 'count'
    | 'put'
    | 'add'
    | 'delete'
    | 'clear'
    | 'walk'
    | 'walkKeys';
  index: string | null;
  query: { key: unknown } | Range;
  value: unknown;
  withKey: boolean;
  count: number | undefined;
  direction: IDBCursorDirection;
  /** The cursor's action at each record: continue in one of the ways, update or delete. */
  moves: { move: 'continue' | 'to' | 'both' | 'advance' | 'update' | 'delete'; key: unknown; primaryKey: unknown }[];
  /** Waits for the answer before the next. */
  waits: boolean;
  keepsOn: boolean;
}
interface Work {
  mode: IDBTransactionMode;
  store: (typeof STORES)[number];
  operations: Operation[];
  aborts: boolean;
}

const simple = fc.oneof(
  fc.integer({ min: -2, max: 5 }),
  fc.constantFrom('', 'a', 'b', 'ab', 'ü', '\ud800'),
  fc.constantFrom(new Date(5), new Date(1e12), new Uint8Array([1, 2]), new Uint8Array([1]).buffer, 0.5, -Infinity),
);
const key = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 6 }) },
  { weight: 3, arbitrary: simple },
  { weight: 2, arbitrary: fc.array(simple, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(undefined, null, NaN, new Date(NaN), [[]], [1, null]) },
);
const value = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record(
      {
        id: key,
        a: key,
        n: fc.oneof(fc.record({ x: key }, { requiredKeys: [] }), fc.constantFrom(null, 3)),
        at: fc.constantFrom<unknown>({}, {}, {}, { id: 'a' }, { id: [1] }, { id: null }, 3),
        tags: fc.oneof(fc.array(key, { maxLength: 4 }), key),
        more: fc.constantFrom(1n, new Uint8Array([3]), new Map([[1, { a: 2 }]]), Object.assign([1], { 2: 3 }), {
          deep: [{ x: undefined }],
        }),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(5, 'text', () => 1, { f: Symbol('none') }) },
);
const range = fc.record({ from: key, to: key, open: fc.tuple(fc.boolean(), fc.boolean()) });
const operation: fc.Arbitrary<Operation> = fc.record({
  method: fc.constantFrom(
    ...(['get', 'getKey', 'getAll', 'getAllKeys', 'count', 'delete', 'clear'] as const),
    ...(['put', 'put', 'put', 'put', 'add', 'add', 'walk', 'walk', 'walkKeys'] as const),
  ),
  index: fc.constantFrom(null, null, 'a', 'unique', 'several', 'both', 'none'),
  query: fc.oneof(
    { weight: 3, arbitrary: fc.record({ key }) },
    { weight: 1, arbitrary: fc.constant({ key: undefined }) },
    { weight: 2, arbitrary: range },
  ),
  value,
  withKey: fc.boolean(),
  count: fc.constantFrom(undefined, 0, 1, 2),
  direction: fc.constantFrom('next', 'nextunique', 'prev', 'prevunique'),
  moves: fc.array(
    fc.record({
      move: fc.constantFrom('continue', 'continue', 'to', 'both', 'advance', 'update', 'delete'),
      key,
      primaryKey: key,
    }),
    { maxLength: 6 },
  ),
  waits: fc.boolean(),
  keepsOn: fc.boolean(),
});
const work: fc.Arbitrary<Work> = fc.record({
  mode: fc.constantFrom('readwrite', 'readwrite', 'readwrite', 'readonly'),
  store: fc.constantFrom(...STORES),
  operations: fc.array(operation, { maxLength: 8 }),
  aborts: fc.boolean(),
});

/**
 * For a value that can't be stored with a wrong key, fake-indexeddb reports the former, the specification the latter.
 */
const nameOf = (error: unknown) => (error as Error).name.replace('DataCloneError', 'DataError');

/** Runs all operations in a new database. @returns the results, in order */
async function logOf(factory: IDBFactory, ranges: typeof IDBKeyRange, works: readonly Work[]): Promise<unknown[]> {
  const log: unknown[] = [];
  const thrown: string[] = [];
  const db = await open(factory);
  for (const { mode, store: name, operations, aborts } of works) {
    const tx = db.transaction([name], mode);
    const over = new Promise<void>((resolve) => {
      tx.addEventListener('complete', () => resolve(void log.push('complete')));
      tx.addEventListener('abort', () => resolve(void log.push(['abort', tx.error?.name])));
    });
    try {
      for (const one of operations) {
        const answered = perform(tx.objectStore(name), ranges, one, log);
        if (one.waits) await answered;
      }
      if (aborts) tx.abort();
    } catch (error) {
      thrown.push(nameOf(error));
    }
    await over;
    log.push(...thrown.splice(0));
  }
  db.close();
  return log;
}

function perform(store: IDBObjectStore, ranges: typeof IDBKeyRange, one: Operation, log: unknown[]): Promise<unknown> {
  const query = () =>
    'key' in one.query ? one.query.key : ranges.bound(one.query.from, one.query.to, ...one.query.open);
  let request: IDBRequest;
  try {
    const source = one.index === null ? store : store.index(one.index);
    const { method } = one;
    if (method === 'put' || method === 'add') {
      // fake-indexeddb's generator keeps an explicit number even after an abort.
      const given = store.autoIncrement ? String(one.count) : (query() as IDBValidKey);
      request = one.withKey ? store[method](one.value, given) : store[method](one.value);
    } else if (method === 'delete') request = store.delete(query() as IDBValidKey);
    else if (method === 'clear') request = store.clear();
    else if (method === 'walk') request = source.openCursor(query() as IDBValidKey, one.direction);
    else if (method === 'walkKeys') request = source.openKeyCursor(query() as IDBValidKey, one.direction);
    else if (method === 'getAll' || method === 'getAllKeys')
      request = source[method](query() as IDBValidKey, one.count);
    else request = source[method](query() as IDBValidKey);
  } catch (error) {
    log.push(['refused', nameOf(error)]);
    return Promise.resolve();
  }
  const moves = [...one.moves];
  return new Promise<void>((resolve) => {
    request.addEventListener('error', (event) => {
      log.push(['error', request.error?.name]);
      if (one.keepsOn) event.preventDefault();
      resolve();
    });
    request.addEventListener('success', () => {
      const { result } = request as { result: unknown };
      if (!one.method.startsWith('walk') || result === null) {
        log.push(['success', result]);
        return resolve();
      }
      const cursor = result as IDBCursorWithValue;
      log.push(['at', cursor.key, cursor.primaryKey, cursor.value]);
      for (let isGone = false; !isGone;) {
        const next = moves.shift();
        if (!next) return resolve();
        isGone = move(cursor, next, one, log);
      }
    });
  });
}

function move(cursor: IDBCursorWithValue, next: Operation['moves'][0], one: Operation, log: unknown[]): boolean {
  try {
    if (next.move === 'continue') cursor.continue();
    else if (next.move === 'to') cursor.continue(next.key as IDBValidKey);
    else if (next.move === 'both') cursor.continuePrimaryKey(next.key as IDBValidKey, next.primaryKey as IDBValidKey);
    else if (next.move === 'advance') cursor.advance(2);
    else {
      const changed = ['number', 'string'].includes(typeof cursor.value)
        ? cursor.value
        : { ...cursor.value, a: next.key };
      const request = next.move === 'update' ? cursor.update(changed) : cursor.delete();
      request.addEventListener('success', () => log.push(['changed', request.result]));
      request.addEventListener('error', (event) => {
        log.push(['error', request.error?.name]);
        if (one.keepsOn) event.preventDefault();
      });
      return false;
    }
    return true;
  } catch (error) {
    log.push(['refused', nameOf(error)]);
    return false;
  }
}

test('whatever is asked, the answers are those of fake-indexeddb', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(work, { minLength: 1, maxLength: 6 }), async (works) => {
      const log = await logOf(ours(), KeyRange as unknown as typeof IDBKeyRange, works);
      expect(log).toStrictEqual(await logOf(new FakeFactory(), FakeKeyRange, works));
    }),
    { numRuns: 200 },
  );
});

const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error!));
  });
const endOf = (tx: IDBTransaction): Promise<string> =>
  new Promise((resolve) => {
    for (const type of ['complete', 'abort']) tx.addEventListener(type, () => resolve(type));
  });

test.each([
  ['ours', () => ours()],
  ['fake-indexeddb', () => new FakeFactory()],
])('opening, upgrading and versions: %s', async (_, make) => {
  const factory = make();
  const log: unknown[] = [];
  const first = await open(factory, 2, (db) => log.push([...upgraded(db)]));
  await expect(open(factory, 1)).rejects.toMatchObject({ name: 'VersionError' });
  first.addEventListener('versionchange', (event) => {
    log.push(['versionchange', event.oldVersion, event.newVersion]);
    setImmediate(() => first.close());
  });
  const request = factory.open('test', 4);
  request.addEventListener('blocked', (event) => log.push(['blocked', event.oldVersion, event.newVersion]));
  request.addEventListener('upgradeneeded', ({ oldVersion, newVersion }) => {
    log.push(['upgradeneeded', oldVersion, newVersion, [...request.result.objectStoreNames]]);
    // Stored records have one key twice, so the upgrade fails.
    const store = request.transaction!.objectStore('s');
    void store.put({ x: 1 }, 'one');
    void store.put({ x: 1 }, 'two');
    store.createIndex('x', 'x', { unique: true });
  });
  await expect(answerOf(request)).rejects.toMatchObject({ name: 'AbortError' });
  const last = await answerOf(factory.open('test'));
  log.push([last.version, [...last.transaction('s').objectStore('s').indexNames]]);
  expect(() => first.transaction('s')).toThrow(expect.objectContaining({ name: 'InvalidStateError' }));
  expect(() => last.transaction('t')).toThrow(expect.objectContaining({ name: 'NotFoundError' }));
  expect(() => last.createObjectStore('t')).toThrow(expect.objectContaining({ name: 'InvalidStateError' }));
  expect(log).toStrictEqual([
    ['s'],
    ['versionchange', 2, 4],
    ['blocked', 2, 4],
    ['upgradeneeded', 2, 4, ['s']],
    [2, []],
  ]);
});

function upgraded(db: IDBDatabase): DOMStringList {
  db.createObjectStore('s');
  expect(() => db.createObjectStore('s')).toThrow(expect.objectContaining({ name: 'ConstraintError' }));
  expect(() => db.createObjectStore('t', { keyPath: 'a b' })).toThrow(expect.objectContaining({ name: 'SyntaxError' }));
  return db.objectStoreNames;
}

test('a generator goes on after the greatest key, and what is undone gives its keys back', async () => {
  const db = await open(ours());
  const tx = db.transaction('generated', 'readwrite');
  const store = tx.objectStore('generated');
  await expect(answerOf(store.put('a'))).resolves.toBe(1);
  await expect(answerOf(store.put('b', 7.5))).resolves.toBe(7.5);
  await expect(answerOf(store.put('c', 3))).resolves.toBe(3);
  await expect(answerOf(store.put('d'))).resolves.toBe(8);
  tx.abort();
  await expect(answerOf(db.transaction('generated', 'readwrite').objectStore('generated').put('e'))).resolves.toBe(1);
});

test('a generator’s key that could not be stored is given again', async () => {
  const db = await open(ours());
  const store = db.transaction('generated', 'readwrite').objectStore('generated');
  const failed = (request: IDBRequest) => {
    request.addEventListener('error', (event) => event.preventDefault());
    return expect(answerOf(request)).rejects.toThrow(expect.objectContaining({ name: 'ConstraintError' }));
  };
  await expect(answerOf(store.put({ n: { x: 3 } }))).resolves.toBe(1);
  await failed(store.put({ n: { x: 3 } }));
  await failed(store.put({ n: { x: 3 } }, 7));
  await expect(answerOf(store.put('b'))).resolves.toBe(2);
});

test('transactions that write wait for each other, others do not', async () => {
  const db = await open(ours(new Disk(), 'never'));
  const log: string[] = [];
  const run = async (name: string, stores: string[], mode: IDBTransactionMode) => {
    const tx = db.transaction(stores, mode);
    tx.addEventListener('complete', () => log.push(`${name} ends`));
    const store = tx.objectStore(stores[0]!);
    await answerOf(store.count());
    log.push(`${name} reads`);
    await answerOf(store.count());
    log.push(`${name} has read`);
    await endOf(tx);
  };
  await Promise.all([
    run('first', ['plain'], 'readonly'),
    run('second', ['plain'], 'readonly'),
    run('writer', ['plain', 'inline'], 'readwrite'),
    run('after it', ['plain'], 'readonly'),
    run('waits too', ['inline'], 'readwrite'),
    run('elsewhere', ['pairs'], 'readwrite'),
  ]);
  const at = (entry: string) => log.indexOf(entry);
  expect(at('second reads')).toBeLessThan(at('first ends'));
  expect(at('elsewhere reads')).toBeLessThan(at('first ends'));
  expect(at('writer reads')).toBeGreaterThan(Math.max(at('first ends'), at('second ends')));
  expect(at('after it reads')).toBeGreaterThan(at('writer ends'));
  expect(at('waits too reads')).toBeGreaterThan(at('writer ends'));
});

test('a transaction takes requests only in the turns that are its own', async () => {
  const db = await open(ours());
  const other = db.transaction('inline');
  const tx = db.transaction('plain', 'readwrite');
  await answerOf(other.objectStore('inline').count());
  expect(() => tx.objectStore('plain').count()).toThrow(expect.objectContaining({ name: 'TransactionInactiveError' }));
  await endOf(tx);
  expect(() => tx.objectStore('plain')).toThrow(expect.objectContaining({ name: 'InvalidStateError' }));
  const value = {
    get x() {
      return answerOf(next.objectStore('plain').count());
    },
  };
  const next = db.transaction('plain', 'readwrite');
  expect(() => next.objectStore('plain').put(value, 1)).toThrow(
    expect.objectContaining({ name: 'TransactionInactiveError' }),
  );
  expect(() => next.objectStore('plain').put({ f: () => 1 }, 1)).toThrow(
    expect.objectContaining({ name: 'DataCloneError' }),
  );
});

test('uncommitted work is lost with its worker; a pending commit may succeed', async () => {
  const disk = new Disk();
  const stop = async (requests: number, hasComeThrough: boolean) => {
    const tasks: (() => void)[] = [];
    let turn = 0;
    const following: (() => void)[] = [];
    const factory = new Factory(disk, {
      queue: (task) => tasks.push(task),
      goOn: (task) => following.push(task),
      turn: () => turn,
      isAtOnce: () => false,
    });
    const run = async () => {
      for (let task = tasks.shift(); task; task = following.shift()) {
        turn += 1;
        task();
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const opened = open(factory as unknown as IDBFactory);
    while (tasks.length > 0) await run();
    const store = (await opened).transaction('plain', 'readwrite').objectStore('plain');
    store.put(disk.all('plain').length, disk.all('plain').length);
    store.put('last', 'last');
    for (let i = 0; i < requests; i += 1) await run();
    factory.end(() => hasComeThrough);
    return disk.all('plain');
  };
  expect(await stop(0, true)).toStrictEqual([]);
  expect(await stop(1, true)).toStrictEqual([]);
  expect(await stop(2, false)).toStrictEqual([]);
  const copy = new Disk(disk);
  expect(await stop(2, true)).toStrictEqual([0, 'last']);
  expect(await stop(3, false)).toStrictEqual([0, 2, 'last']);
  expect(copy.all('plain')).toStrictEqual([]);
});
