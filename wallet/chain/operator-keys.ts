/** Operators' keys by address, encrypted, and available while the wallet is unlocked. */
import { readKey, writeKey } from '../store/database.ts';
import { openBox, sealBox, type Box } from '../vault/seal.ts';
import { settingsKey } from '../vault/settings-key.ts';
import type { Wallet } from '../platform.ts';

const header = (url: string) => `service-button operator key 1 ${url}`;

/** The key of an address; null if there is none, or the wallet is locked. */
export async function operatorKey(wallet: Wallet, url: string): Promise<string | null> {
  const box = (await readKey(wallet, 'operatorKeys'))?.[url];
  if (!box) return null;
  try {
    return new TextDecoder().decode(await openBox(await settingsKey(wallet), box, header(url)));
  } catch {
    return null;
  }
}

/** Whether an address has a key, also while the wallet is locked. */
export async function hasOperatorKey(wallet: Wallet, url: string): Promise<boolean> {
  return (await readKey(wallet, 'operatorKeys'))?.[url] !== undefined;
}

/**
 * Stores keys of the addresses in use and deletes all others.
 * @param given key by address; null deletes it, undefined leaves it unchanged
 * @throws ServiceError `wallet-locked` (a key is given)
 */
export async function keepOperatorKeys(
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
