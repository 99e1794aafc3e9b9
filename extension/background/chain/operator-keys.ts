/**
 * Keys that operators of the network require, by address. They are encrypted, and available while the wallet is
 * unlocked.
 */
import { readKey, writeKey } from '../database.ts';
import { openBox, sealBox } from '../vault/seal.ts';
import { settingsKey } from '../vault/settings-key.ts';

const header = (url: string) => `service-button operator key 1 ${url}`;

/** The key of an address; null if there is none, or the wallet is locked. */
export async function operatorKey(url: string): Promise<string | null> {
  const box = (await readKey('operatorKeys'))?.[url];
  if (!box) return null;
  try {
    return new TextDecoder().decode(await openBox(await settingsKey(), box, header(url)));
  } catch {
    return null;
  }
}

/** Whether an address has a key, also while the wallet is locked. */
export async function hasOperatorKey(url: string): Promise<boolean> {
  return (await readKey('operatorKeys'))?.[url] !== undefined;
}

/**
 * Stores the key of an address and deletes all others; null deletes all.
 * @throws ServiceError `wallet-locked` (a key is given)
 */
export async function keepOperatorKey(url: string, key: string | null): Promise<void> {
  if (key === null) return writeKey('operatorKeys', {});
  const box = await sealBox(await settingsKey(), new TextEncoder().encode(key), header(url));
  return writeKey('operatorKeys', { [url]: box });
}
