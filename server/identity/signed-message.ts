import { createHash } from 'node:crypto';
import { recoverPublicKey } from '@noble/secp256k1';
import { toHex } from '../../protocol/bitcoin/bytes.ts';

const MAGIC = Buffer.from('Bitcoin Signed Message:\n');

/** Encodes a length below 2^32 as Bitcoin's compact size. */
function lengthPrefix(n: number): Buffer {
  if (n < 0xfd) return Buffer.from([n]);
  const bytes = Buffer.alloc(n <= 0xffff ? 3 : 5, n <= 0xffff ? 0xfd : 0xfe);
  bytes.writeUIntLE(n, 1, bytes.length - 1);
  return bytes;
}

function messageDigest(message: string | Uint8Array): Uint8Array {
  const text = typeof message === 'string' ? Buffer.from(message, 'utf8') : message;
  const bytes = Buffer.concat([lengthPrefix(MAGIC.length), MAGIC, lengthPrefix(text.length), text]);
  return createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();
}

/** True if this key signed exactly `message` as a Bitcoin signed message. @param publicKey compressed, lowercase hex */
export function isSignedBy(publicKey: string, message: string | Uint8Array, signature: string): boolean {
  return signerOf(message, signature) === publicKey;
}

/**
 * Returns the key (compressed, lowercase hex) that signed exactly `message` as a Bitcoin signed message, or null if the
 * signature is invalid.
 * @param signature base64 of 65 bytes: a header for a compressed key (31 to 34), r, s
 */
export function signerOf(message: string | Uint8Array, signature: string): string | null {
  const bytes = Buffer.from(signature, 'base64');
  const header = bytes[0] ?? 0;
  // The base64 must be canonical, because Buffer.from ignores invalid characters and trailing bits.
  if (bytes.length !== 65 || bytes.toString('base64') !== signature || header < 31 || header > 34) return null;
  try {
    const recovered = Uint8Array.from(bytes);
    recovered[0] = header - 31;
    return toHex(recoverPublicKey(recovered, messageDigest(message), { prehash: false }));
  } catch {
    // No public key can be recovered, so the signature is invalid.
    return null;
  }
}
