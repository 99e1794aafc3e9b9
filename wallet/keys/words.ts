/** Recovery words: BIP39, English list. */
import { generateMnemonic, mnemonicToSeed, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { ServiceError } from '../../protocol/errors/service-error.ts';

/** Twelve fresh words: 128 bits of the browser's randomness (BIP39). */
export function freshWords(): string {
  return generateMnemonic(wordlist, 128);
}

/**
 * The words as BIP39 writes them: lower case, single spaces.
 * @throws ServiceError `invalid-words` (a count other than 12, 15, 18, 21 or 24, a word not in the list, a wrong checksum)
 */
export function normalizeWords(text: string): string {
  const words = text.normalize('NFKD').toLowerCase().trim().split(/\s+/);
  const normalized = words.join(' ');
  if (!validateMnemonic(normalized, wordlist)) throw new ServiceError('invalid-words');
  return normalized;
}

/** The 64-byte seed of the words (BIP39). The caller wipes it. @param passphrase only other wallets have one */
export function seedOf(words: string, passphrase = ''): Promise<Uint8Array<ArrayBuffer>> {
  return mnemonicToSeed(words, passphrase) as Promise<Uint8Array<ArrayBuffer>>;
}
