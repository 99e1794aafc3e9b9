/** Stores a page's records in the tab's session storage. */

/** The methods of Web Storage used here. */
export type LineStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Reads only valid records, because the page can write anything. Records are lines instead of JSON, because old
 * libraries add a `toJSON` to arrays.
 */
export function readLines(storage: () => LineStorage, key: string, line: RegExp): RegExpExecArray[] {
  try {
    return [...storage().getItem(key)!.matchAll(line)];
  } catch {
    return [];
  }
}

/** Writes records. If the page has no access to storage, the records are lost when the page is unloaded. */
export function writeLines(storage: () => LineStorage, key: string, lines: readonly string[]): void {
  try {
    if (lines[0]) storage().setItem(key, lines.join('\n'));
    else storage().removeItem(key);
  } catch {}
}
