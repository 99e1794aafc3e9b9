/** Bitcoin signed messages (the "Bitcoin Signed Message" form that wallets share), made with the identity key. */
import { ByteWriter, sha256d } from '../../../protocol/transaction.ts';
import { concatBytes } from '../../../protocol/bytes.ts';
import { signDigestRecoverably } from './ecdsa.ts';

const MAGIC = 'Bitcoin Signed Message:\n';

/** What is signed for a text: double SHA-256 over the magic and the text, each behind its length. */
export function messageDigest(message: Uint8Array): Uint8Array {
  const magic = new TextEncoder().encode(MAGIC);
  return sha256d(new ByteWriter().compactSize(magic.length).bytes(magic).compactSize(message.length).bytes(message).done());
}

/** The signature as base64 of 65 bytes: recovery header for a compressed key (31 to 34), r, s. */
export function signMessage(message: Uint8Array, privateKey: Uint8Array): string {
  const recovered = signDigestRecoverably(messageDigest(message), privateKey);
  const signature = concatBytes(new Uint8Array([27 + 4 + (recovered[0] as number)]), recovered.subarray(1));
  return btoa(String.fromCharCode(...signature));
}
