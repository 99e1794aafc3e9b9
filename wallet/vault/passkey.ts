/**
 * Opens the vault with a passkey. The vault's key is wrapped with a key derived from the passkey's PRF output (Web
 * Authentication Level 3, 10.1.4) and a random half in the database. A copied or synced passkey is useless without the
 * database, and vice versa.
 */
import { openBox, sealBox, type Box } from './seal.ts';
import type { Wallet } from '../platform.ts';

export interface Passkey {
  /** Credential ID and PRF input (base64url). Neither is secret. */
  id: string;
  salt: string;
  name: string;
  /** The local half: 32 random bytes. */
  half: Uint8Array<ArrayBuffer>;
  wrapped: Box;
  /** Times in milliseconds since 1970; `usedAt` is null if never used. */
  createdAt: number;
  usedAt: number | null;
}

/** Additional data that binds the wrapped key to its credential. */
const header = (id: string) => `service-button passkey 1 ${id}`;

/** Derives the wrapping key: HKDF (RFC 5869) of the PRF output and the local half. */
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

/** Wraps the vault's key for a passkey, with a new local half. */
export async function wrapFor(
  wallet: Wallet,
  id: string,
  output: Uint8Array<ArrayBuffer>,
  key: Uint8Array<ArrayBuffer>,
): Promise<Pick<Passkey, 'half' | 'wrapped'>> {
  const half = wallet.getRandomValues(new Uint8Array(32));
  return { half, wrapped: await sealBox(wallet, await wrappingKey(output, half), key, header(id)) };
}

/** Unwraps the vault's key. Rejects if the output comes from a different passkey, or if the record was altered. */
export async function unwrapWith(
  { id, half, wrapped }: Passkey,
  output: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  return openBox(await wrappingKey(output, half), wrapped, header(id));
}
