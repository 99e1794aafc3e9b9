/**
 * The keys that applications use, derived from the identity key, a counterparty's public key and a name (BRC-42,
 * BRC-43). The counterparty derives the same keys from its own private key and this identity key.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { PAYMENT_PROTOCOL_ID } from '../../protocol/messages/permission.ts';
import { addToPrivateKey, addToPublicKey, publicKeyOf, sharedPoint } from './ecdsa.ts';

/** The name of a key. The names of protocols are trimmed and in lower case (protocol/brc100/methods.ts). */
export interface KeyName {
  protocol: readonly [level: 0 | 1 | 2, name: string];
  keyID: string;
  /** `self`, `anyone` (whose private key is 1), or a compressed public key on the curve, hex. */
  counterparty: string;
}

/** Data of a payment by derived key (BRC-29) for the payee: two base64 texts and the payer's identity key, hex. */
export interface Remittance {
  derivationPrefix: string;
  derivationSuffix: string;
  senderIdentityKey: string;
}

/** The payee's name of the key that such a payment is locked to. */
export function paymentKeyName({ derivationPrefix, derivationSuffix, senderIdentityKey }: Remittance): KeyName {
  const keyID = `${derivationPrefix} ${derivationSuffix}`;
  return { protocol: PAYMENT_PROTOCOL_ID, keyID, counterparty: senderIdentityKey };
}

const ANYONE = publicKeyOf(new Uint8Array(32).fill(1, 31));

function counterpartyKey(identityKey: Uint8Array, counterparty: string): Uint8Array {
  if (counterparty === 'self') return publicKeyOf(identityKey);
  return counterparty === 'anyone' ? ANYONE : fromHex(counterparty);
}

/** The number that is added to the keys of both sides: HMAC-SHA256 of the name under the shared point (BRC-42, 2). */
function tweak(identityKey: Uint8Array, { protocol: [level, name], keyID, counterparty }: KeyName): Uint8Array {
  const shared = sharedPoint(identityKey, counterpartyKey(identityKey, counterparty));
  try {
    return hmac(sha256, shared, new TextEncoder().encode(`${level}-${name}-${keyID}`));
  } finally {
    shared.fill(0);
  }
}

/** The private key of this name, 32 bytes. The caller wipes it. @param identityKey the private identity key */
export function derivedPrivateKey(identityKey: Uint8Array, name: KeyName): Uint8Array {
  const added = tweak(identityKey, name);
  try {
    return addToPrivateKey(identityKey, added);
  } finally {
    added.fill(0);
  }
}

/**
 * The compressed public key of this name: the counterparty's, or with `forSelf` that of {@link derivedPrivateKey}.
 * @param identityKey the private identity key
 */
export function derivedPublicKey(identityKey: Uint8Array, name: KeyName, forSelf: boolean): Uint8Array {
  const added = tweak(identityKey, name);
  try {
    const base = forSelf ? publicKeyOf(identityKey) : counterpartyKey(identityKey, name.counterparty);
    return addToPublicKey(base, added);
  } finally {
    added.fill(0);
  }
}

/** The key that both sides share under this name: the x coordinate of a point, 32 bytes. The caller wipes it. */
export function derivedSymmetricKey(identityKey: Uint8Array, name: KeyName): Uint8Array {
  const own = derivedPrivateKey(identityKey, name);
  try {
    return sharedPoint(own, derivedPublicKey(identityKey, name, false)).subarray(1);
  } finally {
    own.fill(0);
  }
}
