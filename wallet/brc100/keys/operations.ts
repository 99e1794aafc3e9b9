/**
 * Operations with an application's keys: AES-256-GCM with a 32-byte nonce (BRC-2), HMAC-SHA256 (BRC-56), ECDSA over
 * SHA-256 (BRC-3). Tests compare them with ProtoWallet from @bsv/sdk. Pure.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '../../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { compactOf } from '../../../protocol/bitcoin/p2pkh-unlock.ts';
import { derSignature } from '../../transaction/sign.ts';
import { derivedPrivateKey, derivedPublicKey, derivedSymmetricKey, type KeyName } from '../../keys/derived-keys.ts';
import { signDigest, verifyDigest } from '../../keys/ecdsa.ts';
import type { Wallet } from '../../platform.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const NONCE_BYTES = 32;
const TAG_BYTES = 16;

function importAes(identityKey: Uint8Array, name: KeyName): Promise<CryptoKey> {
  const key = derivedSymmetricKey(identityKey, name) as Bytes;
  return crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt']).finally(() => key.fill(0));
}

/**
 * Encrypts with a random nonce. Returns the nonce, the ciphertext and the tag.
 * @param identityKey the private identity key, as in the other functions
 */
export async function encryptUnder(
  wallet: Wallet,
  identityKey: Uint8Array,
  name: KeyName,
  plaintext: Bytes,
): Promise<Bytes> {
  const key = await importAes(identityKey, name);
  const iv = wallet.getRandomValues(new Uint8Array(NONCE_BYTES));
  return concatBytes(iv, new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, plaintext)));
}

/**
 * Decrypts.
 * @throws ServiceError `operation-failed` if the ciphertext was altered or encrypted under a different key name
 */
export async function decryptUnder(identityKey: Uint8Array, name: KeyName, ciphertext: Bytes): Promise<Bytes> {
  if (ciphertext.length < NONCE_BYTES + TAG_BYTES) throw new ServiceError('operation-failed');
  const key = await importAes(identityKey, name);
  const iv = ciphertext.subarray(0, NONCE_BYTES);
  try {
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, ciphertext.subarray(NONCE_BYTES)));
  } catch (cause) {
    throw new ServiceError('operation-failed', { cause });
  }
}

/**
 * Returns the HMAC (32 bytes). Unlike the encryption key, the HMAC key is the shared x coordinate without leading
 * zeros.
 */
export function hmacUnder(identityKey: Uint8Array, name: KeyName, data: Uint8Array): Uint8Array {
  const key = derivedSymmetricKey(identityKey, name);
  try {
    return hmac(
      sha256,
      key.subarray(
        Math.max(
          0,
          key.findIndex((byte) => byte !== 0),
        ),
      ),
      data,
    );
  } finally {
    key.fill(0);
  }
}

/** Verifies an HMAC in constant time. */
export function isHmacUnder(identityKey: Uint8Array, name: KeyName, data: Uint8Array, given: Uint8Array): boolean {
  const expected = hmacUnder(identityKey, name, data);
  let difference = given.length ^ expected.length;
  expected.forEach((byte, i) => (difference |= byte ^ (given[i] ?? 0)));
  return difference === 0;
}

/** Signs a 32-byte digest. Returns a DER signature. */
export function signUnder(identityKey: Uint8Array, name: KeyName, digest: Uint8Array): Uint8Array {
  const key = derivedPrivateKey(identityKey, name);
  try {
    return derSignature(signDigest(digest, key));
  } finally {
    key.fill(0);
  }
}

/** True if the counterparty, or this user if `forSelf`, signed the 32-byte digest under this key name. */
export function isSignedUnder(
  identityKey: Uint8Array,
  name: KeyName,
  digest: Uint8Array,
  signature: Uint8Array,
  forSelf: boolean,
): boolean {
  const compact = compactOf(signature);
  return (
    compact !== null && verifyDigest(compact, digest, derivedPublicKey(identityKey, name, forSelf), { lowS: false })
  );
}
