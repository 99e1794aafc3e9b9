/**
 * The key for the log of applications' data: HKDF-SHA256 (RFC 5869) of the BIP39 seed, without salt. The derivation
 * must not change, because restores from recovery words depend on it. Keys for other purposes use other info strings.
 */
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { withSeed } from './session.ts';
import type { Wallet } from '../platform.ts';

const INFO = { key: 'service-button app log key 1', id: 'service-button app log id 1' } as const;

/**
 * The key that encrypts a wallet's log, and 8 bytes (hex) that identify the wallet in an exported file. The key can't
 * move money.
 */
export interface AppLogKey {
  key: CryptoKey;
  id: string;
}

export async function appLogKeyOf(seed: Uint8Array<ArrayBuffer>): Promise<AppLogKey> {
  const material = await crypto.subtle.importKey('raw', seed, 'HKDF', false, ['deriveKey', 'deriveBits']);
  const from = (info: string) => ({
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: new TextEncoder().encode(info),
  });
  const [key, id] = await Promise.all([
    crypto.subtle.deriveKey(from(INFO.key), material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
    crypto.subtle.deriveBits(from(INFO.id), material, 64),
  ]);
  return { key, id: toHex(new Uint8Array(id)) };
}

/** Returns the wallet's log key. @throws ServiceError `wallet-locked` */
export const appLogKey = (wallet: Wallet): Promise<AppLogKey> => withSeed(wallet, appLogKeyOf);
