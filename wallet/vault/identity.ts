/** Operations with the private identity key. */
import { identityKeyOf } from '../keys/keys.ts';
import { withSeed } from './session.ts';
import { signMessage } from '../keys/ecdsa.ts';
import type { Wallet } from '../platform.ts';

/** Runs `use` with the private identity key, then wipes it. @throws ServiceError `wallet-locked` */
export function withIdentityKey<T>(wallet: Wallet, use: (privateKey: Uint8Array) => T | Promise<T>): Promise<T> {
  return withSeed(wallet, async (seed) => {
    const key = identityKeyOf(seed);
    try {
      return await use(key);
    } finally {
      key.fill(0);
    }
  });
}

/**
 * Signs a message that the wallet itself composed, with the identity key (Bitcoin signed message, base64). To sign a
 * site's data, use crypto-operations/.
 * @throws ServiceError `wallet-locked`
 */
export function signAsIdentity(wallet: Wallet, text: string): Promise<string> {
  return withIdentityKey(wallet, (key) => signMessage(new TextEncoder().encode(text), key));
}
