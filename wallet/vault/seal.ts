/** The stored form of the vault: the recovery words under AES-256-GCM, the key from the password by PBKDF2. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Wallet } from '../platform.ts';

/** Ciphertext of AES-256-GCM. */
export interface Box {
  iv: Uint8Array<ArrayBuffer>;
  ciphertext: Uint8Array<ArrayBuffer>;
}

interface SealedByPassword extends Box {
  kdf: { name: 'PBKDF2-SHA256'; salt: Uint8Array<ArrayBuffer>; parameters: { iterations: number } };
}

/**
 * A sealed vault. `version` is authenticated as additional data, so no field can be swapped for an older version's. In
 * a wallet that never had a passkey, the password seals the words (1). Otherwise it seals a random key, which seals
 * `words` (2), so that a passkey can open them without the password.
 */
export type SealedVault = (SealedByPassword & { version: 1 }) | (SealedByPassword & { version: 2; words: Box });

/** Content of a vault opened by password: the words and, in version 2, the random key that seals them. */
export interface OpenedVault {
  words: string;
  key: Uint8Array<ArrayBuffer> | null;
}

/**
 * Rounds for a new vault (OWASP's figure for PBKDF2-HMAC-SHA256). Ones with fewer are resealed at their next unlock.
 */
export const ITERATIONS = 600_000;

async function keyFrom(password: string, kdf: SealedVault['kdf']): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(password.normalize('NFKC'));
  const material = await crypto.subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveKey']);
  bytes.fill(0);
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: kdf.salt, iterations: kdf.parameters.iterations };
  return crypto.subtle.deriveKey(algorithm, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

const boundHeader = (version: number) => `service-button vault ${version}`;
const WORDS_HEADER = 'service-button words 2';

/** Seals bytes under a key, with a fresh iv. `header` is bound: the box opens only with the same one. */
export async function sealBox(
  wallet: Wallet,
  key: CryptoKey,
  plaintext: Uint8Array<ArrayBuffer>,
  header: string,
): Promise<Box> {
  const iv = wallet.getRandomValues(new Uint8Array(12));
  const cipher = { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(header) };
  return { iv, ciphertext: new Uint8Array(await crypto.subtle.encrypt(cipher, key, plaintext)) };
}

/** Opens the result of {@link sealBox}. Rejects if the key or the header differs, or the box was altered. */
export async function openBox(key: CryptoKey, box: Box, header: string): Promise<Uint8Array<ArrayBuffer>> {
  const cipher = { name: 'AES-GCM', iv: box.iv, additionalData: new TextEncoder().encode(header) };
  return new Uint8Array(await crypto.subtle.decrypt(cipher, key, box.ciphertext));
}

const aesKey = (key: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt']);

async function sealByPassword(
  wallet: Wallet,
  content: Uint8Array<ArrayBuffer>,
  password: string,
  iterations: number,
  version: 1 | 2,
): Promise<SealedByPassword> {
  const kdf: SealedVault['kdf'] = {
    name: 'PBKDF2-SHA256',
    salt: wallet.getRandomValues(new Uint8Array(16)),
    parameters: { iterations },
  };
  return { kdf, ...(await sealBox(wallet, await keyFrom(password, kdf), content, boundHeader(version))) };
}

/** The text that the bytes encode. They are wiped. */
function textOf(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  bytes.fill(0);
  return text;
}

/** Seals the words under a password, with a fresh salt and iv. */
export async function seal(
  wallet: Wallet,
  words: string,
  password: string,
  iterations = ITERATIONS,
): Promise<SealedVault & { version: 1 }> {
  const plaintext = new TextEncoder().encode(words);
  try {
    return { version: 1, ...(await sealByPassword(wallet, plaintext, password, iterations, 1)) };
  } finally {
    plaintext.fill(0);
  }
}

/** Seals the words under a key of 32 random bytes, and that key under the password. */
export async function sealWithKey(
  wallet: Wallet,
  words: string,
  key: Uint8Array<ArrayBuffer>,
  password: string,
  iterations = ITERATIONS,
): Promise<SealedVault & { version: 2 }> {
  const plaintext = new TextEncoder().encode(words);
  try {
    const box = await sealBox(wallet, await aesKey(key), plaintext, WORDS_HEADER);
    return { version: 2, ...(await sealByPassword(wallet, key, password, iterations, 2)), words: box };
  } finally {
    plaintext.fill(0);
  }
}

/**
 * The words of a sealed vault, and its key. The caller wipes the key.
 * @throws ServiceError `wrong-password` (also if the record was altered: the two cannot be distinguished)
 */
export async function openSealed(vault: SealedVault, password: string): Promise<OpenedVault> {
  let content: Uint8Array<ArrayBuffer> | undefined;
  try {
    content = await openBox(await keyFrom(password, vault.kdf), vault, boundHeader(vault.version));
    if (vault.version === 2) return { words: await wordsUnder(vault, content), key: content };
    return { words: textOf(content), key: null };
  } catch {
    content?.fill(0);
    throw new ServiceError('wrong-password');
  }
}

/** The words of a vault of version 2, by its key. Rejects if the key is wrong. */
export async function wordsUnder(vault: SealedVault & { version: 2 }, key: Uint8Array<ArrayBuffer>): Promise<string> {
  return textOf(await openBox(await aesKey(key), vault.words, WORDS_HEADER));
}

/** The record of an unlocked wallet in IndexedDB. `lockAt` is milliseconds since 1970. */
export interface WrappedSeed {
  key: CryptoKey;
  outerIv: Uint8Array<ArrayBuffer>;
  innerIv: Uint8Array<ArrayBuffer>;
  ciphertext: Uint8Array<ArrayBuffer>;
  /** When the wallet locks (milliseconds since 1970), and how far ahead that was when it was set (milliseconds). */
  lockAt: number;
  lastsMs: number;
}
