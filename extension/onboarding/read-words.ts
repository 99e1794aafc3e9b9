/** Parses recovery words as pasted or typed by people (BIP39, English list). Pure. */
import { validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

const LIST: ReadonlySet<string> = new Set(wordlist);
const COUNTS: readonly number[] = [12, 15, 18, 21, 24];
const MAX_WORD_LETTERS = 8;
/** Maximum number of letters to split. 24 words can't have more. */
const MAX_LETTERS = 24 * MAX_WORD_LETTERS;
/** Maximum number of ways to split letters. Real phrases have only a few. */
const MAX_SPLITS = 5_000;

/** Invisible characters: zero-width spaces, soft hyphens, byte order marks, directional marks. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?!\s)\p{Cc}/gu;
/** List numbering: "No. 1", "a)", "b -" or "iii.". None of these is a recovery word. */
const NUMBERING = /(?<![\p{L}\p{M}])(?:(?:no|nr|n)\W{0,3}(?=\d)|[a-z]\s*[.):\]-]|(?:[a-z]{2}|[ivx]{3,5})\s*[.):\]])/gu;
const LABEL = /(?<![\p{L}\p{M}])word\W{0,3}\d+/gu;

export const isRecoveryWord = (word: string): boolean => LIST.has(word);

/** True for a number of words allowed by BIP39: 12, 15, 18, 21 or 24. */
export const isPhraseLength = (count: number): boolean => COUNTS.includes(count);

/** Splits text into lower-case words. Quotation marks that Unicode classifies as letters also separate words. */
export function tokensOf(text: string): string[] {
  const seen = text.normalize('NFKD').toLowerCase().replace(INVISIBLE, '');
  // "word" is also a recovery word, so it is removed only if it labels every word in the list.
  const labels = seen.match(LABEL)?.length ?? 0;
  const unlabeled = labels >= 12 ? seen.replace(LABEL, ' ') : seen;
  return unlabeled.replace(NUMBERING, ' ').match(/(?:(?!\p{Lm})[\p{L}\p{M}])+/gu) ?? [];
}

/** Returns the words in `text`. Splits run-together or hyphenated words if only one split has a valid checksum. */
export function readWords(text: string): string[] {
  const tokens = tokensOf(text);
  if (tokens.every(isRecoveryWord)) return tokens;
  const letters = tokens.join('');
  if (letters.length > MAX_LETTERS || !/^[a-z]+$/.test(letters)) return tokens;
  const whole = splits(letters).filter(isPhrase);
  // If several splits are valid, prefers those that keep all of the word boundaries in the user's text.
  const kept = whole.filter((words) => keepsBoundaries(words, tokens));
  const found = kept.length > 0 ? kept : whole;
  if (found.length === 1) return found[0] as string[];
  return whole.length > 0 ? tokens : tokens.flatMap(onlySplit);
}

const isPhrase = (words: readonly string[]) =>
  isPhraseLength(words.length) && validateMnemonic(words.join(' '), wordlist);

/** Splits a token into words if that is unambiguous, otherwise returns it unchanged. */
function onlySplit(token: string): string[] {
  if (isRecoveryWord(token)) return [token];
  const ways = splits(token);
  return ways.length === 1 ? (ways[0] as string[]) : [token];
}

/** Returns all ways to split letters into at most 24 words, or none if there are too many. */
function splits(letters: string): string[][] {
  // Marks the positions from which the end is reachable, to skip all other splits.
  const ends = Array<boolean>(letters.length + 1).fill(false);
  ends[letters.length] = true;
  for (let at = letters.length - 1; at >= 0; at -= 1)
    ends[at] = wordsAt(letters, at).some((word) => ends[at + word.length]);
  const found: string[][] = [];
  const follow = (at: number, words: readonly string[]): void => {
    if (found.length > MAX_SPLITS) return;
    if (at === letters.length) found.push([...words]);
    else if (words.length < 24)
      for (const word of wordsAt(letters, at)) if (ends[at + word.length]) follow(at + word.length, [...words, word]);
  };
  if (ends[0]) follow(0, []);
  return found.length > MAX_SPLITS ? [] : found;
}

function wordsAt(letters: string, at: number): string[] {
  const words: string[] = [];
  for (let length = 3; length <= MAX_WORD_LETTERS; length += 1) {
    const word = letters.slice(at, at + length);
    if (word.length === length && isRecoveryWord(word)) words.push(word);
  }
  return words;
}

function keepsBoundaries(words: readonly string[], tokens: readonly string[]): boolean {
  const ends = (parts: readonly string[]) => {
    let at = 0;
    return parts.map((part) => (at += part.length));
  };
  const reached = new Set(ends(words));
  return ends(tokens).every((end) => reached.has(end));
}

/** Returns up to four words that start with the typed letters. If none do, returns words that differ by one typo. */
export function suggestions(typed: string): string[] {
  if (typed.length < 2) return [];
  const begun = wordlist.filter((word) => word.startsWith(typed));
  return (begun.length > 0 ? begun : wordlist.filter((word) => isOneMistakeFrom(word, typed))).slice(0, 4);
}

/** True if one letter was replaced, added or left out, or two adjacent letters were swapped. */
function isOneMistakeFrom(word: string, typed: string): boolean {
  let start = 0;
  while (start < word.length && word[start] === typed[start]) start += 1;
  const [a, b] = [word.slice(start), typed.slice(start)];
  return (
    a.slice(1) === b.slice(1) ||
    a.slice(1) === b ||
    a === b.slice(1) ||
    (a.slice(2) === b.slice(2) && a[0] === b[1] && a[1] === b[0])
  );
}
