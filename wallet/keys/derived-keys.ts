/**
 * Derives keys for applications from the identity key, a counterparty's public key and a key name (BRC-42, BRC-43). The
 * counterparty derives the same keys from its own private key and the public identity key.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { PAYMENT_PROTOCOL_ID } from '../../protocol/messages/permission.ts';
import { addToPrivateKey, addToPublicKey, publicKeyOf, sharedPoint } from './ecdsa.ts';

/** The name of a key. Protocol names are trimmed and in lower case (protocol/brc100/methods.ts). */
export interface KeyName {
  protocol: readonly [level: 0 | 1 | 2, name: string];
  keyID: string;
  /** `self`, `anyone` (private key 1), or a valid compressed public key (hex). */
  counterparty: string;
}

/**
 * The data with which the payee derives a payment's key (BRC-29): two base64 strings, and the payer's identity key
 * (hex).
 */
export interface Remittance {
  derivationPrefix: string;
  derivationSuffix: string;
  senderIdentityKey: string;
}

/** Returns the name of the key that a payment is locked to, as seen by the payee. */
export function paymentKeyName({ derivationPrefix, derivationSuffix, senderIdentityKey }: Remittance): KeyName {
  const keyID = `${derivationPrefix} ${derivationSuffix}`;
  return { protocol: PAYMENT_PROTOCOL_ID, keyID, counterparty: senderIdentityKey };
}

const ANYONE = publicKeyOf(new Uint8Array(32).fill(1, 31));

function counterpartyKey(identityKey: Uint8Array, counterparty: string): Uint8Array {
  if (counterparty === 'self') return publicKeyOf(identityKey);
  return counterparty === 'anyone' ? ANYONE : fromHex(counterparty);
}

/**
 * Returns the value that is added to either party's key: HMAC-SHA256 of the key name, keyed with the shared point
 * (BRC-42, section 2).
 */
function tweak(identityKey: Uint8Array, { protocol: [level, name], keyID, counterparty }: KeyName): Uint8Array {
  const shared = sharedPoint(identityKey, counterpartyKey(identityKey, counterparty));
  try {
    return hmac(sha256, shared, new TextEncoder().encode(`${level}-${name}-${keyID}`));
  } finally {
    shared.fill(0);
  }
}

/** Returns a 32-byte private key, which the caller must wipe. @param identityKey the private identity key */
export function derivedPrivateKey(identityKey: Uint8Array, name: KeyName): Uint8Array {
  const added = tweak(identityKey, name);
  try {
    return addToPrivateKey(identityKey, added);
  } finally {
    added.fill(0);
  }
}

/**
 * Returns a compressed public key: the counterparty's or, with `forSelf`, the one for {@link derivedPrivateKey}.
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

/** Returns the key shared by both parties: a point's x coordinate (32 bytes). The caller must wipe it. */
export function derivedSymmetricKey(identityKey: Uint8Array, name: KeyName): Uint8Array {
  const own = derivedPrivateKey(identityKey, name);
  try {
    return sharedPoint(own, derivedPublicKey(identityKey, name, false)).subarray(1);
  } finally {
    own.fill(0);
  }
}
