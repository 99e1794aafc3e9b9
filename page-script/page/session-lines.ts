/** Records of a page in its tab's session storage. */

/** The part of Web Storage used here. */
export type LineStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Reads the valid records: the page may have written anything there. Lines, not JSON, because pages with old libraries
 * add a `toJSON` to arrays that quotes them twice.
 */
export function readLines(storage: () => LineStorage, key: string, line: RegExp): RegExpExecArray[] {
  try {
    return [...storage().getItem(key)!.matchAll(line)];
  } catch {
    return []; // Nothing readable, or no storage.
  }
}

/** Writes records. Without storage, they last only as long as the page. */
export function writeLines(storage: () => LineStorage, key: string, lines: readonly string[]): void {
  try {
    if (lines[0]) storage().setItem(key, lines.join('\n'));
    else storage().removeItem(key);
  } catch {
    // Storage is full or forbidden.
  }
}
