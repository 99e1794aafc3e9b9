/** Bitcoin signed messages, in the format shared by many wallets. */
import { ByteWriter, sha256d } from '../../protocol/bitcoin/transaction.ts';
import { concatBytes, equalBytes } from '../../protocol/bitcoin/bytes.ts';
import { recoverSigner, signDigestRecoverably } from './ecdsa.ts';

const MAGIC = 'Bitcoin Signed Message:\n';
/** Base of a signature's first byte, and offset for a compressed key. */
const HEADER = 27;
const COMPRESSED = 4;

/** Returns the digest of a message: double SHA-256 of magic and message, each prefixed with its length. */
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
 * True if `signature` (base64) is a signed message of exactly these bytes by this key. The header may be that of a
 * compressed or an uncompressed key, because the key is the same.
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
