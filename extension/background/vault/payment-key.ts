/** Keys of payments by derived key (BRC-29): the payer derives the public one, and only the payee the private one (BRC-42). */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { getPublicKey, getSharedSecret, Point } from '@noble/secp256k1';
import { ServiceError } from '../../../protocol/errors.ts';
import { fromHex, toHex } from '../../../protocol/bytes.ts';
import { withIdentityKey } from './identity.ts';
import type { KeyPair } from './keys.ts';

/** What the payer tells the payee: two texts, base64, and the payer's identity key, compressed, hex. */
export interface Remittance {
  derivationPrefix: string;
  derivationSuffix: string;
  senderIdentityKey: string;
}

/** BRC-29's own protocol, at security level 2 (BRC-43). */
const PROTOCOL = '2-3241645161d8';

/**
 * Runs `use` with the keys of some payments, and wipes them afterwards.
 * @throws ServiceError `wallet-locked`, `invalid-request` (the payer's key is none)
 */
export function withPaymentKeys<T>(
  remittances: readonly Remittance[],
  use: (pairs: KeyPair[]) => T | Promise<T>,
): Promise<T> {
  return withIdentityKey(async (identity) => {
    const pairs = remittances.map((one) => pairOf(identity, one));
    try {
      return await use(pairs);
    } finally {
      for (const { privateKey } of pairs) privateKey.fill(0);
    }
  });
}

/** BRC-42: the child is the parent's key and what an HMAC by the shared point adds, modulo the order of the curve. */
function pairOf(identity: Uint8Array, { derivationPrefix, derivationSuffix, senderIdentityKey }: Remittance): KeyPair {
  const invoice = `${PROTOCOL}-${derivationPrefix} ${derivationSuffix}`;
  const shared = sharedPoint(identity, senderIdentityKey);
  const added = hmac(sha256, shared, new TextEncoder().encode(invoice));
  const sum = (BigInt(`0x${toHex(identity)}`) + BigInt(`0x${toHex(added)}`)) % Point.CURVE().n;
  const privateKey = fromHex(sum.toString(16).padStart(64, '0'));
  return { privateKey, publicKey: getPublicKey(privateKey, true) };
}

function sharedPoint(identity: Uint8Array, senderIdentityKey: string): Uint8Array {
  try {
    return getSharedSecret(identity, fromHex(senderIdentityKey), true);
  } catch {
    throw new ServiceError('invalid-request', { detail: 'a key that is no point of the curve' });
  }
}
