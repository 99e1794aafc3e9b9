/**
 * Recovery words for test wallets, and their first addresses. Deriving the addresses takes longer than the rest of a
 * wallet's creation, so each process derives them once: the first wallets of all test files have the same words.
 */
import type { Address } from '../../wallet/coins/addresses/address.ts';

interface KnownWords {
  words: string;
  /** Null until the first wallet with these words has derived them. */
  addresses: Address[] | null;
}

/** In a global, because each test file loads this module again. Mutation tests change how addresses are derived. */
const kept = globalThis as { wordsForTests?: KnownWords[] };
const known = process.env.MUTATION_TESTS === undefined ? (kept.wordsForTests ??= []) : [];
let used = 0;

/** Returns words that no other wallet in this test file has, or creates them with `freshWords`. */
export function nextWords(freshWords: () => string): KnownWords {
  return (known[used++] ??= { words: freshWords(), addresses: null });
}
