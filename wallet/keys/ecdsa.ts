/** secp256k1: signatures with deterministic nonces (RFC 6979) and low S, and shared points. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import * as secp256k1 from '@noble/secp256k1';

secp256k1.hashes.sha256 = sha256;
secp256k1.hashes.hmacSha256 = (key, message) => hmac(sha256, key, message);

/** The 64 bytes r, s of a signature over a 32-byte digest. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): Uint8Array {
  return secp256k1.sign(digest, privateKey, { prehash: false, lowS: true });
}

/** The recovery id (0 to 3), then r, s: 65 bytes. */
export function signDigestRecoverably(digest: Uint8Array, privateKey: Uint8Array): Uint8Array {
  return secp256k1.sign(digest, privateKey, { prehash: false, lowS: true, format: 'recovered' });
}

/** True if the key signed the 32-byte digest. `compact` is r, s: 64 bytes. @param lowS accept only low S */
export function verifyDigest(
  compact: Uint8Array,
  digest: Uint8Array,
  publicKey: Uint8Array,
  { lowS = true }: { lowS?: boolean } = {},
): boolean {
  try {
    return secp256k1.verify(compact, digest, publicKey, { prehash: false, lowS });
  } catch {
    // Not a key of the curve.
    return false;
  }
}

/** The compressed public key that made a signature (recovery id, r, s) over a 32-byte digest. @throws if no key did */
export function recoverSigner(recovered: Uint8Array, digest: Uint8Array): Uint8Array {
  return secp256k1.recoverPublicKey(recovered, digest, { prehash: false });
}

/** True if the bytes are a compressed point of the curve. */
export function isPublicKey(bytes: Uint8Array): boolean {
  if (bytes.length !== 33) return false;
  try {
    secp256k1.Point.fromBytes(bytes).assertValidity();
    return true;
  } catch {
    return false;
  }
}

/** The point that two keys share (Diffie-Hellman), compressed. */
export function sharedPoint(privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array {
  return secp256k1.getSharedSecret(privateKey, publicKey, true);
}

export function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  return secp256k1.getPublicKey(privateKey, true);
}

const { bytesToNumberBE, numberToBytesBE, mod } = secp256k1.etc;
const scalar = (bytes: Uint8Array) => mod(bytesToNumberBE(bytes), secp256k1.Point.CURVE().n);

/** A private key plus a number of 32 bytes, modulo the order of the curve. The caller wipes it. */
export function addToPrivateKey(privateKey: Uint8Array, number: Uint8Array): Uint8Array {
  return numberToBytesBE(mod(scalar(privateKey) + scalar(number), secp256k1.Point.CURVE().n));
}

/** The compressed public key of the result of {@link addToPrivateKey}. */
export function addToPublicKey(publicKey: Uint8Array, number: Uint8Array): Uint8Array {
  return secp256k1.Point.fromBytes(publicKey)
    .add(secp256k1.Point.BASE.multiply(scalar(number)))
    .toBytes(true);
}

/** A key pair from the browser's randomness. The caller wipes the private key. */
export function freshKeyPair(): { privateKey: Uint8Array; publicKey: Uint8Array } {
  const { secretKey, publicKey } = secp256k1.keygen();
  return { privateKey: secretKey, publicKey };
}
