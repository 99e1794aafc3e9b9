/** Recovery words (BIP39, English list). */
import { generateMnemonic, mnemonicToSeed, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { ServiceError } from '../../protocol/errors/service-error.ts';

/** Generates twelve random recovery words: 128 bits of entropy (BIP39). */
export function freshWords(): string {
  return generateMnemonic(wordlist, 128);
}

/**
 * Normalizes recovery words for BIP39: lower case, single spaces.
 * @throws ServiceError `invalid-words` (not 12, 15, 18, 21 or 24 words, a word not in the list, or an invalid checksum)
 */
export function normalizeWords(text: string): string {
  const words = text.normalize('NFKD').toLowerCase().trim().split(/\s+/);
  const normalized = words.join(' ');
  if (!validateMnemonic(normalized, wordlist)) throw new ServiceError('invalid-words');
  return normalized;
}

/**
 * Returns the 64-byte BIP39 seed, which the caller must wipe. @param passphrase set only to search other wallets' paths
 */
export function seedOf(words: string, passphrase = ''): Promise<Uint8Array<ArrayBuffer>> {
  return mnemonicToSeed(words, passphrase) as Promise<Uint8Array<ArrayBuffer>>;
}
