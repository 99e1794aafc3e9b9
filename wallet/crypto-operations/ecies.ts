/**
 * Electrum's ECIES: the ASCII string "BIE1", an ephemeral public key (33 bytes), AES-128-CBC with PKCS #7 padding, and
 * an HMAC-SHA256 of everything before it. The SHA-512 of the compressed shared point yields the IV, the encryption key
 * and the HMAC key.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { concatBytes } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { freshKeyPair, isPublicKey, sharedPoint } from '../keys/ecdsa.ts';

const MAGIC = new TextEncoder().encode('BIE1');
const KEY_BYTES = 33;
const TAG_BYTES = 32;
const BLOCK_BYTES = 16;
/** Offset of the ciphertext. */
const HEAD_BYTES = MAGIC.length + KEY_BYTES;

/** Maximum number of bytes added by encryption. */
export const CIPHERTEXT_OVERHEAD = HEAD_BYTES + BLOCK_BYTES + TAG_BYTES;

interface Secrets {
  iv: Uint8Array<ArrayBuffer>;
  aes: CryptoKey;
  mac: Uint8Array;
}

async function secretsOf(privateKey: Uint8Array, publicKey: Uint8Array): Promise<Secrets> {
  const hash = Uint8Array.from(sha512(sharedPoint(privateKey, publicKey)));
  const aes = await crypto.subtle.importKey('raw', hash.subarray(16, 32), 'AES-CBC', false, ['encrypt', 'decrypt']);
  return { iv: hash.subarray(0, 16), aes, mac: hash.subarray(32) };
}

/** Encrypts for the holder of a key. Each call returns a different ciphertext. */
export async function encryptFor(
  publicKey: Uint8Array,
  data: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const ephemeral = freshKeyPair();
  const { iv, aes, mac } = await secretsOf(ephemeral.privateKey, publicKey);
  ephemeral.privateKey.fill(0);
  const ciphertext = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, aes, data));
  const tagged = concatBytes(MAGIC, ephemeral.publicKey, ciphertext);
  return concatBytes(tagged, hmac(sha256, mac, tagged));
}

/** True if the bytes have this ciphertext format. They don't reveal who can decrypt them. */
export function isCiphertext(bytes: Uint8Array): boolean {
  const blocks = bytes.length - HEAD_BYTES - TAG_BYTES;
  return (
    blocks >= BLOCK_BYTES &&
    blocks % BLOCK_BYTES === 0 &&
    MAGIC.every((byte, i) => bytes[i] === byte) &&
    isPublicKey(bytes.subarray(MAGIC.length, HEAD_BYTES))
  );
}

/** Returns the maximum length of a ciphertext's plaintext (bytes). At least one byte is padding. */
export function mostPlaintext(bytes: Uint8Array): number {
  return Math.max(0, bytes.length - HEAD_BYTES - TAG_BYTES - 1);
}

/**
 * Verifies the HMAC, then decrypts.
 * @throws ServiceError `operation-failed` (not encrypted for this key, or altered)
 */
export async function decryptWith(
  privateKey: Uint8Array,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!isCiphertext(bytes)) throw new ServiceError('operation-failed');
  const { iv, aes, mac } = await secretsOf(privateKey, bytes.subarray(MAGIC.length, HEAD_BYTES));
  const end = bytes.length - TAG_BYTES;
  if (!sameTag(hmac(sha256, mac, bytes.subarray(0, end)), bytes.subarray(end)))
    throw new ServiceError('operation-failed');
  try {
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-CBC', iv }, aes, bytes.subarray(HEAD_BYTES, end)));
  } catch (cause) {
    throw new ServiceError('operation-failed', { cause });
  }
}

/** Compares in constant time. */
function sameTag(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (const [i, byte] of a.entries()) difference |= byte ^ (b[i] ?? 0);
  return difference === 0;
}
