/**
 * Cache of search pages' texts while this worker lives, because reading them takes most of a search's time. Any change
 * of a page removes it in the transaction of the change, and so before the page is read again.
 */
import type { SearchPageKey } from '../database.ts';

/** Maximum cached text (characters): that of some hundred thousand ordinary payments. */
const KEPT_MOST = 32_000_000;

const texts = new Map<string, string>();
let kept = 0;

const nameOf = (key: SearchPageKey) => key.join('\n');

export function keptPage(key: SearchPageKey): string | undefined {
  return texts.get(nameOf(key));
}

/** Caches a text while there is room. A search reads all pages in order, so evicting would keep none. */
export function keepPage(key: SearchPageKey, text: string): void {
  if (kept + text.length > KEPT_MOST || keptPage(key) !== undefined) return;
  texts.set(nameOf(key), text);
  kept += text.length;
}

/** The page changes, or is removed. */
export function forgetPage(key: SearchPageKey): void {
  kept -= keptPage(key)?.length ?? 0;
  texts.delete(nameOf(key));
}

/** When the wallet locks or is removed. */
export function forgetPages(): void {
  texts.clear();
  kept = 0;
}
