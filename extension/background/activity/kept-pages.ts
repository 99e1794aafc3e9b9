/**
 * Texts of search pages that this run of the worker has read, so that the next search need not: reading them takes most of
 * its time. Everything that changes a page forgets it in the transaction of the change, and so before anybody reads it again.
 */
import type { SearchPageKey } from '../database.ts';

/** Most text that is kept (characters): of some hundred thousand ordinary payments. */
const KEPT_MOST = 32_000_000;

const texts = new Map<string, string>();
let kept = 0;

const nameOf = (key: SearchPageKey) => key.join('\n');

/** A page's text, or undefined if that has to be read. */
export function keptPage(key: SearchPageKey): string | undefined {
  return texts.get(nameOf(key));
}

/** Keeps what was read, while there is room: a search reads all pages in their order, so making room would keep none. */
export function keepPage(key: SearchPageKey, text: string): void {
  if (kept + text.length > KEPT_MOST || keptPage(key) !== undefined) return;
  texts.set(nameOf(key), text);
  kept += text.length;
}

/** The page changes, or goes. */
export function forgetPage(key: SearchPageKey): void {
  kept -= keptPage(key)?.length ?? 0;
  texts.delete(nameOf(key));
}

/** When the wallet locks or is removed. */
export function forgetPages(): void {
  texts.clear();
  kept = 0;
}
