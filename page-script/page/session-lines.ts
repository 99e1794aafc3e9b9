/** Records of a page in its tab's session storage. */

/** The part of Web Storage used here. */
export type LineStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Reads the valid records: the page may have written anything. Lines, not JSON, because old libraries add a `toJSON` to
 * arrays.
 */
export function readLines(storage: () => LineStorage, key: string, line: RegExp): RegExpExecArray[] {
  try {
    return [...storage().getItem(key)!.matchAll(line)];
  } catch {
    return [];
  }
}

/** Writes records. Without storage, they last only as long as the page. */
export function writeLines(storage: () => LineStorage, key: string, lines: readonly string[]): void {
  try {
    if (lines[0]) storage().setItem(key, lines.join('\n'));
    else storage().removeItem(key);
  } catch {}
}
