/** A browser's database, which outlives its workers. */
import { DATABASE_NAME } from '../../wallet/store/database.ts';
import { MemoryDatabases } from '../../testkit/database/database.ts';
import type { Key } from '../../testkit/database/keys.ts';
import type { StoredRecord } from '../../testkit/database/records.ts';
import type { Turns } from '../../testkit/database/turns.ts';

interface Contents {
  readonly records: readonly StoredRecord[];
  readonly values: readonly unknown[];
}

const NOTHING: Contents = { records: [], values: [] };

/** The databases of a browser, and the committed contents of the wallet's database. */
export class Disk {
  readonly databases: MemoryDatabases;
  /** Called after each commit with the names of the changed stores. */
  onCommit: (written: readonly string[]) => void = () => undefined;
  readonly #stores: Map<string, Contents>;

  /** @param from the disk to copy; null creates an empty one */
  constructor(turns: Turns, from: Disk | null = null) {
    this.databases = from?.databases.copy(turns) ?? new MemoryDatabases(turns);
    this.#stores = new Map(from === null ? [] : from.#stores);
    this.databases.watch(DATABASE_NAME, (stores, scope) => {
      const written = [...scope].filter((name) => {
        const records = stores.get(name)?.entries ?? [];
        const { records: before } = this.#contents(name);
        if (records.length === before.length && records.every((one, at) => one === before[at])) return false;
        this.#stores.set(name, { records: [...records], values: records.map(({ value }) => value.value) });
        return true;
      });
      if (written.length > 0) this.onCommit(written);
    });
  }

  /** Returns the values of a store in key order. The values must not be modified. */
  all<T>(store: string): readonly T[] {
    return this.#contents(store).values as readonly T[];
  }

  /** Returns one record of a store. The record must not be modified. */
  get<T>(store: string, key: Key): T | undefined {
    return this.#contents(store).records.find((one) => one.key === key)?.value.value as T | undefined;
  }

  #contents(store: string): Contents {
    return this.#stores.get(store) ?? NOTHING;
  }
}
