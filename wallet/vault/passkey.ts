/**
 * How a passkey opens the vault. Its PRF's output (Web Authentication Level 3, 10.1.4) and a random half in the
 * database make the key that wraps the vault's own key. A copied or synced passkey opens nothing without the database,
 * nor the database without the passkey.
 */
import { openBox, sealBox, type Box } from './seal.ts';
import type { Wallet } from '../platform.ts';

/** A passkey that opens the vault, as it is stored. */
export interface Passkey {
  /** The credential's id and the input of its PRF: base64url. Neither is secret. */
  id: string;
  salt: string;
  /** The name that the user gave it. */
  name: string;
  /** 32 random bytes. */
  half: Uint8Array<ArrayBuffer>;
  wrapped: Box;
  /** Milliseconds since 1970; null if it was never used. */
  createdAt: number;
  usedAt: number | null;
}

/** Binds the wrapped key to its credential. */
const header = (id: string) => `service-button passkey 1 ${id}`;

/** HKDF (RFC 5869) over the PRF's output and the local half. */
async function wrappingKey(output: Uint8Array<ArrayBuffer>, half: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const both = new Uint8Array(output.length + half.length);
  try {
    both.set(output);
    both.set(half, output.length);
    const material = await crypto.subtle.importKey('raw', both, 'HKDF', false, ['deriveKey']);
    const info = new TextEncoder().encode('service-button passkey 1');
    const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info };
    const key = { name: 'AES-GCM', length: 256 };
    return await crypto.subtle.deriveKey(algorithm, material, key, false, ['encrypt', 'decrypt']);
  } finally {
    both.fill(0);
  }
}

/** Wraps the vault's key for a passkey, with a fresh local half. */
export async function wrapFor(
  wallet: Wallet,
  id: string,
  output: Uint8Array<ArrayBuffer>,
  key: Uint8Array<ArrayBuffer>,
): Promise<Pick<Passkey, 'half' | 'wrapped'>> {
  const half = wallet.getRandomValues(new Uint8Array(32));
  return { half, wrapped: await sealBox(wallet, await wrappingKey(output, half), key, header(id)) };
}

/** The vault's key. Rejects if the output is another passkey's, or the record was altered. */
export async function unwrapWith(
  { id, half, wrapped }: Passkey,
  output: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  return openBox(await wrappingKey(output, half), wrapped, header(id));
}
