/**
 * Cache of search pages' texts while this worker lives, because reading them takes most of a search's time. Any change
 * of a page removes it in the transaction of the change, and so before the page is read again.
 */
import type { SearchPageKey } from '../store/schema.ts';
import { part, type Wallet } from '../platform.ts';

/** Maximum cached text (characters): that of some hundred thousand ordinary payments. */
const KEPT_MOST = 32_000_000;

const texts = part(() => new Map<string, string>());
const memoryOf = part(() => ({
  kept: 0,
}));

const nameOf = (key: SearchPageKey) => key.join('\n');

export function keptPage(wallet: Wallet, key: SearchPageKey): string | undefined {
  return texts(wallet).get(nameOf(key));
}

/** Caches a text while there is room. A search reads all pages in order, so evicting pages wouldn't help. */
export function keepPage(wallet: Wallet, key: SearchPageKey, text: string): void {
  const memory = memoryOf(wallet);
  if (memory.kept + text.length > KEPT_MOST || keptPage(wallet, key) !== undefined) return;
  texts(wallet).set(nameOf(key), text);
  memory.kept += text.length;
}

/** Removes a page that changes or is deleted. */
export function forgetPage(wallet: Wallet, key: SearchPageKey): void {
  memoryOf(wallet).kept -= keptPage(wallet, key)?.length ?? 0;
  texts(wallet).delete(nameOf(key));
}

/** Called when the wallet locks or is removed. */
export function forgetPages(wallet: Wallet): void {
  texts(wallet).clear();
  memoryOf(wallet).kept = 0;
}
