/** Uses of the identity key. */
import { identityKeyOf } from '../keys/keys.ts';
import { withSeed } from './session.ts';
import { signMessage } from '../keys/signed-message.ts';
import type { Wallet } from '../platform.ts';

/** Runs `use` with the identity key's private bytes, then wipes them. @throws ServiceError `wallet-locked` */
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
 * The identity key's signature of a text that the wallet composed itself: a Bitcoin signed message, base64. Sites' data
 * goes through crypto-operations/.
 * @throws ServiceError `wallet-locked`
 */
export function signAsIdentity(wallet: Wallet, text: string): Promise<string> {
  return withIdentityKey(wallet, (key) => signMessage(new TextEncoder().encode(text), key));
}
