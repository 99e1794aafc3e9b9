/** Bitcoin signed messages (the "Bitcoin Signed Message" form that wallets share). */
import { ByteWriter, sha256d } from '../../protocol/bitcoin/transaction.ts';
import { concatBytes, equalBytes } from '../../protocol/bitcoin/bytes.ts';
import { recoverSigner, signDigestRecoverably } from './ecdsa.ts';

const MAGIC = 'Bitcoin Signed Message:\n';
/** Base of a signature's first byte, and the offset for a compressed key. */
const HEADER = 27;
const COMPRESSED = 4;

/** The digest of a text: double SHA-256 over the magic and the text, each with its length in front. */
export function messageDigest(message: Uint8Array): Uint8Array {
  const magic = new TextEncoder().encode(MAGIC);
  return sha256d(
    new ByteWriter().compactSize(magic.length).bytes(magic).compactSize(message.length).bytes(message).done(),
  );
}

/** The signature as base64 of 65 bytes: recovery header for a compressed key (31 to 34), r, s. */
export function signMessage(message: Uint8Array, privateKey: Uint8Array): string {
  const recovered = signDigestRecoverably(messageDigest(message), privateKey);
  const signature = concatBytes(
    new Uint8Array([HEADER + COMPRESSED + (recovered[0] as number)]),
    recovered.subarray(1),
  );
  return btoa(String.fromCharCode(...signature));
}

/**
 * True if `signature` is the base64 of a signed message of exactly these bytes by this key. Its header may say
 * compressed or not, because the key is the same.
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
    return false; // Not base64, or no key made it.
  }
}
