/**
 * Derives the keys for payments between wallets (BRC-29). The payer can derive the public key, but only the payee can
 * derive the private key.
 */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { derivedPrivateKey, paymentKeyName, type Remittance } from '../keys/derived-keys.ts';
import { publicKeyOf } from '../keys/ecdsa.ts';
import { withIdentityKey } from './identity.ts';
import type { KeyPair } from '../keys/keys.ts';
import type { Wallet } from '../platform.ts';

/**
 * Runs `use` with the keys for the given payments, then wipes them.
 * @throws ServiceError `wallet-locked`, `invalid-request` (a payer's key isn't a point on the curve)
 */
export function withPaymentKeys<T>(
  wallet: Wallet,
  remittances: readonly Remittance[],
  use: (pairs: KeyPair[]) => T | Promise<T>,
): Promise<T> {
  return withIdentityKey(wallet, async (identity) => {
    const pairs: KeyPair[] = [];
    try {
      for (const one of remittances) pairs.push(pairOf(identity, one));
      return await use(pairs);
    } finally {
      for (const { privateKey } of pairs) privateKey.fill(0);
    }
  });
}

function pairOf(identity: Uint8Array, remittance: Remittance): KeyPair {
  try {
    const privateKey = derivedPrivateKey(identity, paymentKeyName(remittance));
    return { privateKey, publicKey: publicKeyOf(privateKey) };
  } catch (cause) {
    throw new ServiceError('invalid-request', { cause });
  }
}
