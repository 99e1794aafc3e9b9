/** Stores records of payments in the tab's session storage, which all of the site's documents in the tab share. */

export const ITEMS_KEY = 'service-button/1 payments of pages';

/** The methods of Web Storage used here. */
export type LineStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface SessionLine {
  readonly id: string;
  state: string;
  /** The serialized payment. Equal payments have equal keys. */
  readonly key: string;
}

export interface SessionLines<T> {
  /** Returns the stored records and those that this document has written, even if they couldn't be stored. */
  read(): T[];
  /**
   * Adds, replaces or deletes one record. {@link SessionLines.read} returns the same object until it is deleted. Returns
   * true if the change could be stored.
   */
  write(id: string, record?: T): boolean;
}

/**
 * Reads only valid records, because the page can write anything. Records are lines instead of JSON, because old
 * libraries add a `toJSON` to arrays.
 * @param storage returns the tab's storage; throws if the page has no access to it
 * @param line matches a line: an ID, a state and a key, separated by `separator`. The key's JSON can contain U+2028 and
 * U+2029, which `.` doesn't match.
 */
export function createSessionLines<T extends SessionLine>(
  storage: () => LineStorage,
  name: string,
  line: RegExp,
  separator: string,
): SessionLines<T> {
  /** The records that this document has written. */
  const own = new Map<string, T>();

  function stored(): Map<string, T> {
    const records = new Map();
    try {
      for (const [, id, state, key] of storage().getItem(name)!.matchAll(line)) records.set(id, { id, state, key });
    } catch {}
    return records;
  }

  return {
    read() {
      const records = stored();
      for (const [id, one] of own) records.set(id, Object.assign(one, records.get(id)));
      return [...records.values()];
    },
    write(id, record) {
      // Other documents may have changed the other records since this document read them.
      const records = stored();
      for (const each of [own, records])
        if (record) each.set(id, record);
        else each.delete(id);
      const lines = Array.from(records.values(), (one) => [one.id, one.state, one.key].join(separator));
      try {
        if (lines[0]) storage().setItem(name, lines.join('\n'));
        else storage().removeItem(name);
        return true;
      } catch {
        return makeRoom(storage, () => this.write(id, record));
      }
    },
  };
}

/**
 * Deletes the oldest paid item and calls `retry`. Restores the item if that fails. Unpaid items are never deleted,
 * because their outcome would be lost.
 */
function makeRoom(storage: () => LineStorage, retry: () => boolean): boolean {
  try {
    const before = storage().getItem(ITEMS_KEY)!;
    const after = before.replace(/^\S+\tpaid\t[^\n]+\n?/m, '');
    if (before !== after) {
      storage().setItem(ITEMS_KEY, after);
      if (retry()) return true;
      storage().setItem(ITEMS_KEY, before);
    }
  } catch {}
  return false;
}
