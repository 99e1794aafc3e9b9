/** The vault as it lies on disk: the recovery words under AES-256-GCM, the key from the password by PBKDF2. */
import { ServiceError } from '../../../protocol/errors.ts';

/** A sealed vault. `version` is bound as additional data, so no field can be swapped for an older form's. */
export interface SealedVault {
  version: 1;
  kdf: { name: 'PBKDF2-SHA256'; salt: Uint8Array<ArrayBuffer>; parameters: { iterations: number } };
  iv: Uint8Array<ArrayBuffer>;
  ciphertext: Uint8Array<ArrayBuffer>;
}

/**
 * Rounds for a new vault (OWASP's figure for PBKDF2-HMAC-SHA256). A vault with fewer is sealed anew at its next unlock.
 */
export const ITERATIONS = 600_000;

async function keyFrom(password: string, kdf: SealedVault['kdf']): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(password.normalize('NFKC'));
  const material = await crypto.subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveKey']);
  bytes.fill(0);
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: kdf.salt, iterations: kdf.parameters.iterations };
  return crypto.subtle.deriveKey(algorithm, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

const boundHeader = (version: number) => new TextEncoder().encode(`service-button vault ${version}`);

/** Seals the words under a password, with a fresh salt and iv. */
export async function seal(words: string, password: string, iterations = ITERATIONS): Promise<SealedVault> {
  const kdf: SealedVault['kdf'] = {
    name: 'PBKDF2-SHA256',
    salt: crypto.getRandomValues(new Uint8Array(16)),
    parameters: { iterations },
  };
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const plaintext = new TextEncoder().encode(words);
  const cipher = { name: 'AES-GCM', iv, additionalData: boundHeader(1) };
  const ciphertext = new Uint8Array(await crypto.subtle.encrypt(cipher, await keyFrom(password, kdf), plaintext));
  plaintext.fill(0);
  return { version: 1, kdf, iv, ciphertext };
}

/**
 * The words of a sealed vault.
 * @throws ServiceError `wrong-password` (also if the record was altered: the two cannot be distinguished)
 */
export async function unseal(vault: SealedVault, password: string): Promise<string> {
  try {
    const key = await keyFrom(password, vault.kdf);
    const cipher = { name: 'AES-GCM', iv: vault.iv, additionalData: boundHeader(vault.version) };
    return new TextDecoder().decode(await crypto.subtle.decrypt(cipher, key, vault.ciphertext));
  } catch {
    throw new ServiceError('wrong-password');
  }
}

/** What IndexedDB holds of an unlocked wallet. `lockAt` is milliseconds since 1970. */
export interface WrappedSeed {
  key: CryptoKey;
  outerIv: Uint8Array<ArrayBuffer>;
  innerIv: Uint8Array<ArrayBuffer>;
  ciphertext: Uint8Array<ArrayBuffer>;
  lockAt: number;
}
