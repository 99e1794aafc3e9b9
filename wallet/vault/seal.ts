/** The stored vault: recovery words encrypted with AES-256-GCM, with a key derived from the password by PBKDF2. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Wallet } from '../platform.ts';

/** An AES-256-GCM ciphertext. */
export interface Box {
  iv: Uint8Array<ArrayBuffer>;
  ciphertext: Uint8Array<ArrayBuffer>;
}

interface SealedByPassword extends Box {
  kdf: { name: 'PBKDF2-SHA256'; salt: Uint8Array<ArrayBuffer>; parameters: { iterations: number } };
}

/**
 * A sealed vault. `version` is authenticated as additional data, so fields from different versions can't be mixed. In
 * version 1, the password seals the recovery words. In version 2, which a wallet gets with its first passkey, the
 * password seals a random key that seals `words`, so a passkey can open them without the password.
 */
export type SealedVault = (SealedByPassword & { version: 1 }) | (SealedByPassword & { version: 2; words: Box });

/** The content of an opened vault: the recovery words and, in version 2, the random key that seals them. */
export interface OpenedVault {
  words: string;
  key: Uint8Array<ArrayBuffer> | null;
}

/**
 * PBKDF2-HMAC-SHA256 iterations for new vaults outside tests (OWASP recommendation). Vaults with fewer iterations are
 * resealed when unlocked.
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

/** Encrypts bytes with a new IV. `header` is authenticated, so the box opens only with the same header. */
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

/** Decrypts the result of {@link sealBox}. Rejects if the key or the header differs, or the box was altered. */
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
  version: 1 | 2,
): Promise<SealedByPassword> {
  const kdf: SealedVault['kdf'] = {
    name: 'PBKDF2-SHA256',
    salt: wallet.getRandomValues(new Uint8Array(16)),
    parameters: { iterations: wallet.passwordIterations },
  };
  return { kdf, ...(await sealBox(wallet, await keyFrom(password, kdf), content, boundHeader(version))) };
}

/** Decodes bytes as text, and wipes them. */
function textOf(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  bytes.fill(0);
  return text;
}

/** Seals recovery words with a password, a new salt and a new IV. */
export async function seal(wallet: Wallet, words: string, password: string): Promise<SealedVault & { version: 1 }> {
  const plaintext = new TextEncoder().encode(words);
  try {
    return { version: 1, ...(await sealByPassword(wallet, plaintext, password, 1)) };
  } finally {
    plaintext.fill(0);
  }
}

/** Seals recovery words with a 32-byte random key, and that key with a password. */
export async function sealWithKey(
  wallet: Wallet,
  words: string,
  key: Uint8Array<ArrayBuffer>,
  password: string,
): Promise<SealedVault & { version: 2 }> {
  const plaintext = new TextEncoder().encode(words);
  try {
    const box = await sealBox(wallet, await aesKey(key), plaintext, WORDS_HEADER);
    return { version: 2, ...(await sealByPassword(wallet, key, password, 2)), words: box };
  } finally {
    plaintext.fill(0);
  }
}

/**
 * Opens a sealed vault. Returns its recovery words and its key, which the caller must wipe.
 * @throws ServiceError `wrong-password` (or the record was altered, which looks the same)
 */
export async function openSealed(vault: SealedVault, password: string): Promise<OpenedVault> {
  let content: Uint8Array<ArrayBuffer> | undefined;
  try {
    content = await openBox(await keyFrom(password, vault.kdf), vault, boundHeader(vault.version));
    if (vault.version === 2) return { words: await decryptWords(vault, content), key: content };
    return { words: textOf(content), key: null };
  } catch {
    content?.fill(0);
    throw new ServiceError('wrong-password');
  }
}

/** Decrypts the recovery words of a version 2 vault with its key. Rejects if the key is wrong. */
export async function decryptWords(vault: SealedVault & { version: 2 }, key: Uint8Array<ArrayBuffer>): Promise<string> {
  return textOf(await openBox(await aesKey(key), vault.words, WORDS_HEADER));
}

/** An unlocked wallet's session record in IndexedDB. */
export interface WrappedSeed {
  key: CryptoKey;
  outerIv: Uint8Array<ArrayBuffer>;
  innerIv: Uint8Array<ArrayBuffer>;
  ciphertext: Uint8Array<ArrayBuffer>;
  /** When the wallet locks (milliseconds since 1970). */
  lockAt: number;
  /** The time remaining until `lockAt` when it was set (milliseconds). */
  lastsMs: number;
}
