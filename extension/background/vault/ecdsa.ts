/** secp256k1 signatures: deterministic nonces (RFC 6979), low S. The one place that knows the library. */
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
