/**
 * Caches the text of search pages while the worker runs, because reading it takes up most of a search's time. The
 * transaction that changes a page also removes it from the cache.
 */
import type { SearchPageKey } from '../store/schema.ts';
import { part, type Wallet } from '../platform.ts';

/** Maximum length of the cached text (characters): enough for several hundred thousand typical payments. */
const MAX_CACHED_CHARS = 32_000_000;

const texts = part(() => new Map<string, string>());
const memoryOf = part(() => ({
  kept: 0,
}));

const nameOf = (key: SearchPageKey) => key.join('\n');

export function cachedPage(wallet: Wallet, key: SearchPageKey): string | undefined {
  return texts(wallet).get(nameOf(key));
}

/**
 * Caches a page's text if there is room. Evicting other pages wouldn't help, because each search reads all pages in
 * order.
 */
export function cachePage(wallet: Wallet, key: SearchPageKey, text: string): void {
  const memory = memoryOf(wallet);
  if (memory.kept + text.length > MAX_CACHED_CHARS || cachedPage(wallet, key) !== undefined) return;
  texts(wallet).set(nameOf(key), text);
  memory.kept += text.length;
}

/** Removes a changed or deleted page from the cache. */
export function forgetPage(wallet: Wallet, key: SearchPageKey): void {
  memoryOf(wallet).kept -= cachedPage(wallet, key)?.length ?? 0;
  texts(wallet).delete(nameOf(key));
}

/** Clears the cache when the wallet is locked or removed. */
export function forgetPages(wallet: Wallet): void {
  texts(wallet).clear();
  memoryOf(wallet).kept = 0;
}
