/** Encrypted API keys for operators' URLs, readable while the wallet is unlocked. */
import { readKey, writeKey } from '../store/database.ts';
import { openBox, sealBox, type Box } from '../vault/seal.ts';
import { settingsKey } from '../vault/settings-key.ts';
import type { Wallet } from '../platform.ts';

const header = (url: string) => `service-button operator key 1 ${url}`;

/** Returns the key for a URL; null if there is none or the wallet is locked. */
export async function operatorKey(wallet: Wallet, url: string): Promise<string | null> {
  const box = (await readKey(wallet, 'operatorKeys'))?.[url];
  if (!box) return null;
  try {
    return new TextDecoder().decode(await openBox(await settingsKey(wallet), box, header(url)));
  } catch {
    return null;
  }
}

/** True if a URL has a key, even while the wallet is locked. */
export async function hasOperatorKey(wallet: Wallet, url: string): Promise<boolean> {
  return (await readKey(wallet, 'operatorKeys'))?.[url] !== undefined;
}

/**
 * Stores the keys of the URLs in use and deletes all others.
 * @param given key by URL; null deletes a key, undefined leaves it unchanged
 * @throws ServiceError `wallet-locked` if a key is passed while the wallet is locked
 */
export async function storeOperatorKeys(
  wallet: Wallet,
  given: Record<string, string | null | undefined>,
): Promise<void> {
  const stored = (await readKey(wallet, 'operatorKeys')) ?? {};
  const next: Record<string, Box> = {};
  for (const [url, key] of Object.entries(given)) {
    if (typeof key === 'string')
      next[url] = await sealBox(wallet, await settingsKey(wallet), new TextEncoder().encode(key), header(url));
    else if (key === undefined && stored[url]) next[url] = stored[url];
  }
  await writeKey(wallet, 'operatorKeys', next);
}
