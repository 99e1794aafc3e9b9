/**
 * The key for secrets in settings: HKDF-SHA256 (RFC 5869) of the BIP39 seed, without salt. The key can't move money.
 */
import { withSeed } from './session.ts';
import type { Wallet } from '../platform.ts';

const INFO = 'service-button settings key 1';

/** Returns the settings key. @throws ServiceError `wallet-locked` */
export const settingsKey = (wallet: Wallet): Promise<CryptoKey> =>
  withSeed(wallet, async (seed) => {
    const material = await crypto.subtle.importKey('raw', seed, 'HKDF', false, ['deriveKey']);
    const from = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: new TextEncoder().encode(INFO) };
    return crypto.subtle.deriveKey(from, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  });
