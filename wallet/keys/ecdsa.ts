/**
 * secp256k1 functions: signatures with deterministic nonces (RFC 6979) and low s, Bitcoin signed messages in a format
 * that many wallets use, and Diffie-Hellman.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import * as secp256k1 from '@noble/secp256k1';
import { sha256d } from '../../protocol/bitcoin/transaction.ts';
import { ByteWriter } from '../../protocol/bitcoin/wire-format.ts';
import { concatBytes, equalBytes } from '../../protocol/bitcoin/bytes.ts';

secp256k1.hashes.sha256 = sha256;
secp256k1.hashes.hmacSha256 = (key, message) => hmac(sha256, key, message);

/** Signs a 32-byte digest. Returns r and s (64 bytes). */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): Uint8Array {
  return secp256k1.sign(digest, privateKey, { prehash: false, lowS: true });
}

/** Signs a 32-byte digest. Returns the recovery ID (0 to 3), r and s (65 bytes). */
export function signDigestRecoverably(digest: Uint8Array, privateKey: Uint8Array): Uint8Array {
  return secp256k1.sign(digest, privateKey, { prehash: false, lowS: true, format: 'recovered' });
}

/** True if the key signed the 32-byte digest. `compact` is r and s (64 bytes). @param lowS rejects a high s */
export function verifyDigest(
  compact: Uint8Array,
  digest: Uint8Array,
  publicKey: Uint8Array,
  { lowS = true }: { lowS?: boolean } = {},
): boolean {
  try {
    return secp256k1.verify(compact, digest, publicKey, { prehash: false, lowS });
  } catch {
    // not a valid public key
    return false;
  }
}

/**
 * Recovers the compressed public key from a signature (recovery ID, r, s) of a 32-byte digest.
 * @throws if no key matches
 */
export function recoverSigner(recovered: Uint8Array, digest: Uint8Array): Uint8Array {
  return secp256k1.recoverPublicKey(recovered, digest, { prehash: false });
}

/** True if the bytes are a compressed point on the curve. */
export function isPublicKey(bytes: Uint8Array): boolean {
  if (bytes.length !== 33) return false;
  try {
    secp256k1.Point.fromBytes(bytes).assertValidity();
    return true;
  } catch {
    return false;
  }
}

/** Returns the shared point of two keys (Diffie-Hellman), compressed. */
export function sharedPoint(privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array {
  return secp256k1.getSharedSecret(privateKey, publicKey, true);
}

export function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  return secp256k1.getPublicKey(privateKey, true);
}

const { bytesToNumberBE, numberToBytesBE, mod } = secp256k1.etc;
const scalar = (bytes: Uint8Array) => mod(bytesToNumberBE(bytes), secp256k1.Point.CURVE().n);

/** Adds a 32-byte number to a private key, modulo the curve order. The caller must wipe the result. */
export function addToPrivateKey(privateKey: Uint8Array, number: Uint8Array): Uint8Array {
  return numberToBytesBE(mod(scalar(privateKey) + scalar(number), secp256k1.Point.CURVE().n));
}

/** Returns the compressed public key for the result of {@link addToPrivateKey}. */
export function addToPublicKey(publicKey: Uint8Array, number: Uint8Array): Uint8Array {
  return secp256k1.Point.fromBytes(publicKey)
    .add(secp256k1.Point.BASE.multiply(scalar(number)))
    .toBytes(true);
}

/** Generates a random key pair. The caller must wipe the private key. */
export function freshKeyPair(): { privateKey: Uint8Array; publicKey: Uint8Array } {
  const { secretKey, publicKey } = secp256k1.keygen();
  return { privateKey: secretKey, publicKey };
}

const MAGIC = 'Bitcoin Signed Message:\n';
/** First byte of a message signature, to which the recovery ID and, for a compressed key, COMPRESSED are added. */
const HEADER = 27;
const COMPRESSED = 4;

/** Returns a message's digest: double SHA-256 of the magic string and the message, each prefixed with its length. */
export function messageDigest(message: Uint8Array): Uint8Array {
  const magic = new TextEncoder().encode(MAGIC);
  return sha256d(
    new ByteWriter().compactSize(magic.length).bytes(magic).compactSize(message.length).bytes(message).done(),
  );
}

/** Signs a message. Returns 65 bytes in base64: recovery header for a compressed key (31 to 34), r, s. */
export function signMessage(message: Uint8Array, privateKey: Uint8Array): string {
  const recovered = signDigestRecoverably(messageDigest(message), privateKey);
  const signature = concatBytes(
    new Uint8Array([HEADER + COMPRESSED + (recovered[0] as number)]),
    recovered.subarray(1),
  );
  return btoa(String.fromCharCode(...signature));
}

/**
 * True if `signature` (base64) is this key's signature for exactly this message. The header may denote a compressed or
 * an uncompressed key, because the key is the same in both formats.
 * @param publicKey compressed
 */
export function isSignedBy(publicKey: Uint8Array, message: Uint8Array, signature: string): boolean {
  try {
    const bytes = Uint8Array.from(atob(signature), (c) => c.charCodeAt(0));
    const id = (bytes[0] ?? 0) - HEADER;
    if (bytes.length !== 65 || id < 0 || id >= 2 * COMPRESSED) return false;
    bytes[0] = id % COMPRESSED;
    return equalBytes(recoverSigner(bytes, messageDigest(message)), publicKey);
  } catch {
    return false; // invalid base64, or no key matches
  }
}
