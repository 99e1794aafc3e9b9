/**
 * Scenarios that depend on database events, such as upgrades, closed connections and the end of a transaction. Each
 * scenario returns its outcome.
 */
import type { IDBPDatabase } from 'idb';
import type { Implementation } from './compare.ts';

type Scenario = (implementation: Implementation, name: string) => Promise<unknown[]>;

const nameOf = (error: unknown): string => (error as Error).name;
const outcome = (promise: Promise<unknown>): Promise<unknown> => promise.catch(nameOf);
const refused = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return nameOf(error);
  }
};
/** Resolves after all pending events. */
const eventually = () => new Promise((resolve) => setTimeout(resolve, 20));

const withStores = ({ openDB }: Implementation, name: string, callbacks: object = {}): Promise<IDBPDatabase> =>
  openDB(name, 1, {
    upgrade(db) {
      db.createObjectStore('plain');
      db.createObjectStore('generated', { keyPath: 'id', autoIncrement: true }).createIndex('x', 'x', { unique: true });
    },
    ...callbacks,
  });

function shapeOf(db: IDBPDatabase): unknown[] {
  const tx = db.transaction([...db.objectStoreNames]);
  return [...db.objectStoreNames].map((name) => {
    const { keyPath, autoIncrement, indexNames } = tx.objectStore(name);
    return [name, keyPath, autoIncrement, [...indexNames]];
  });
}

export const SCENARIOS: Record<string, Scenario> = {
  'a lower version is refused, a missing one means the stored one': async (implementation, name) => {
    const { openDB } = implementation;
    const first = await openDB(name);
    first.close();
    const second = await openDB(name, 3, { upgrade: (db, from, to) => void db.createObjectStore(`${from} ${to}`) });
    second.close();
    const lower = await outcome(openDB(name, 2));
    const third = await openDB(name);
    const log = [first.version, second.version, lower, third.version, [...third.objectStoreNames]];
    third.close();
    return log;
  },

  'an upgrade waits until other connections are closed': async (implementation, name) => {
    const log: unknown[] = [];
    const first = await withStores(implementation, name, {
      blocking: (from: number, to: number) => log.push(['blocking', from, to]),
    });
    const opening = implementation.openDB(name, 2, {
      blocked: (from, to) => {
        log.push(['blocked', from, to]);
        setTimeout(() => {
          log.push('closed');
          first.close();
        }, 20);
      },
      upgrade: (db, from, to) => void log.push(['upgrade', from, to, [...db.objectStoreNames]]),
    });
    const db = await opening;
    log.push(
      refused(() => first.transaction('plain')),
      refused(() => db.createObjectStore('more')),
    );
    db.close();
    return log;
  },

  'a connection that closes on request does not block': async (implementation, name) => {
    const log: unknown[] = [];
    await withStores(implementation, name, {
      blocking: (from: number, to: number | null, event: { target: IDBPDatabase }) => {
        log.push(['blocking', from, to]);
        event.target.close();
      },
    });
    await implementation.deleteDB(name, { blocked: () => log.push('blocked') });
    const empty = await implementation.openDB(name, 1);
    log.push([...empty.objectStoreNames]);
    empty.close();
    return log;
  },

  'an upgrade changes indexes of stored records': async (implementation, name) => {
    const first = await withStores(implementation, name);
    for (const x of ['a', 'b', ['c']]) await first.put('generated', { x, tags: [x, 'd', x] });
    first.close();
    const log: unknown[] = [];
    const db = await implementation.openDB(name, 2, {
      async upgrade(_, _from, _to, tx) {
        const store = tx.objectStore('generated');
        store.deleteIndex('x');
        log.push(refused(() => store.index('x')));
        const index = store.createIndex('tag', 'tags', { multiEntry: true });
        void store.put({ id: 7, tags: ['e'] });
        log.push(await index.getAllKeys(), await store.count());
        await store.clear();
        await store.put({ tags: ['f'] });
      },
    });
    log.push(shapeOf(db), await db.getAllFromIndex('generated', 'tag'));
    db.close();
    return log;
  },

  'a failed upgrade leaves everything as it was': async (implementation, name) => {
    const first = await withStores(implementation, name);
    await first.put('plain', { y: 1 }, 'one');
    first.close();
    const log: unknown[] = [];
    const failed = implementation.openDB(name, 2, {
      upgrade(db, _from, _to, tx) {
        db.createObjectStore('more');
        tx.objectStore('generated').deleteIndex('x');
        const plain = tx.objectStore('plain');
        plain.put({ y: 1 }, 'two').catch(() => undefined);
        plain.createIndex('y', 'y', { unique: true });
        tx.done.catch(() => undefined);
      },
    });
    log.push(await outcome(failed));
    const aborted = implementation.openDB(name, 2, {
      async upgrade(_db, _from, _to, tx) {
        tx.done.catch(() => undefined);
        await tx.objectStore('plain').clear();
        tx.abort();
      },
    });
    log.push(await outcome(aborted));
    const db = await implementation.openDB(name);
    log.push(db.version, shapeOf(db), await db.getAll('plain'));
    db.close();
    return log;
  },

  'a generator continues after the greatest key, and a rollback returns its keys': async (implementation, name) => {
    const db = await withStores(implementation, name);
    const tx = db.transaction('generated', 'readwrite');
    const log: unknown[] = [];
    for (const value of [{}, { id: 7.5 }, { id: 3 }, {}]) log.push(await tx.store.put(value));
    tx.abort();
    log.push(await outcome(tx.done));
    log.push(await db.put('generated', { x: 1 }), await outcome(db.put('generated', { x: 1 })));
    log.push(await db.put('generated', { x: 2 }), await db.getAll('generated'));
    db.close();
    return log;
  },

  'an undefined key in a value is refused': async (implementation, name) => {
    const db = await withStores(implementation, name);
    const log = [await outcome(db.put('generated', { id: undefined })), await db.getAll('generated')];
    db.close();
    return log;
  },

  'a transaction takes requests only in its own turns': async (implementation, name) => {
    const db = await withStores(implementation, name);
    const log: unknown[] = [];
    const tx = db.transaction('plain', 'readwrite');
    const { store } = tx;
    await store.put(1, 'a');
    for (let i = 0; i < 50; i += 1) await Promise.resolve();
    await store.put(2, 'b');
    const getter = {
      get x() {
        return store.count();
      },
    };
    log.push(refused(() => store.put(getter, 'c')));
    await eventually();
    log.push(
      refused(() => store.count()),
      refused(() => tx.objectStore('plain')),
      refused(() => tx.abort()),
      await outcome(tx.done),
      await db.getAll('plain'),
    );
    const late = db.transaction('plain');
    await eventually();
    log.push(
      refused(() => late.store.count()),
      await outcome(late.done),
    );
    db.close();
    return log;
  },

  'writers wait for each other, and readers only for writers': async (implementation, name) => {
    const db = await withStores(implementation, name);
    const log: string[] = [];
    const run = async (who: string, stores: string[], mode: IDBTransactionMode) => {
      const tx = db.transaction(stores, mode);
      const store = tx.objectStore(stores[0]!);
      const before = await store.count();
      if (mode === 'readwrite') await store.put?.({ id: `${who} ${before}` }, ...(store.keyPath === null ? [who] : []));
      log.push(`${who} ${before} ${await store.count()}`);
      await tx.done;
    };
    await Promise.all([
      run('reader', ['plain'], 'readonly'),
      run('writer', ['plain', 'generated'], 'readwrite'),
      run('later reader', ['plain'], 'readonly'),
      run('waiting writer', ['generated'], 'readwrite'),
    ]);
    log.sort();
    db.close();
    return log;
  },

  'an aborted transaction rejects its pending requests': async (implementation, name) => {
    const db = await withStores(implementation, name);
    await db.put('plain', 1, 'kept');
    const tx = db.transaction(['plain', 'generated'], 'readwrite');
    const done = outcome(tx.done);
    const store = tx.objectStore('plain');
    await store.delete('kept');
    const asked = [store.put(2, 'a'), store.get('a')].map(outcome);
    tx.abort();
    const log = [refused(() => tx.abort()), await Promise.all(asked), await done, String(tx.error)];
    log.push(await db.getAllKeys('plain'));
    const empty = db.transaction('plain', 'readwrite');
    empty.abort();
    log.push(
      await outcome(empty.done),
      refused(() => db.transaction('none')),
      refused(() => db.transaction([])),
    );
    db.close();
    return log;
  },

  'a closed connection finishes what it has begun': async (implementation, name) => {
    const db = await withStores(implementation, name);
    const putting = db.put('plain', 1, 'a');
    db.close();
    const log = [await outcome(putting), refused(() => db.transaction('plain'))];
    const again = await implementation.openDB(name, 2);
    log.push(await again.getAll('plain'));
    again.close();
    return log;
  },

  'stored values are copies': async (implementation, name) => {
    const db = await withStores(implementation, name);
    const part = { of: ['both'] };
    const value = {
      part,
      again: part,
      bytes: new Uint8Array([1, 2]),
      view: new Uint8Array([1, 2, 3]).subarray(1),
      missing: undefined,
    };
    const putting = db.put('plain', value, 'a');
    part.of.push('later');
    value.bytes[0] = 9;
    value.view[0] = 9;
    await putting;
    const [one, other] = [await db.get('plain', 'a'), await db.get('plain', 'a')] as (typeof value)[];
    one!.bytes[0] = 7;
    one!.view[0] = 7;
    const log = [other, one!.part === one!.again, 'missing' in one!, await db.get('plain', 'none')];
    db.close();
    return log;
  },
};

/** Scenarios that are compared only with browsers, because fake-indexeddb doesn't run microtasks between events. */
export const ONLY_BROWSERS: Record<string, Scenario> = {
  'a transaction that is about to fail still takes requests, and rejects them': async (implementation, name) => {
    const db = await withStores(implementation, name);
    await db.put('plain', 1, 'a');
    const tx = db.transaction('plain', 'readwrite');
    const done = outcome(tx.done);
    const log: unknown[] = [await outcome(tx.store.add(2, 'a')), String(tx.error)];
    const late = outcome(tx.store.put(3, 'b'));
    log.push(await late, await done, nameOf(tx.error), await db.getAllKeys('plain'));
    const caught = db.transaction('plain', 'readwrite');
    const end = outcome(caught.done);
    await outcome(caught.store.add(2, 'a'));
    log.push(
      refused(() => caught.abort()),
      await end,
      String(caught.error),
    );
    db.close();
    return log;
  },
};
