import { isRecoveryWord } from './read-words.ts';

/** BIP39 word lists other than English, by language (BCP 47). The lists are loaded only if the words aren't English. */
const LISTS: Readonly<Record<string, () => Promise<{ wordlist: readonly string[] }>>> = {
  es: () => import('@scure/bip39/wordlists/spanish.js'),
  fr: () => import('@scure/bip39/wordlists/french.js'),
  it: () => import('@scure/bip39/wordlists/italian.js'),
  pt: () => import('@scure/bip39/wordlists/portuguese.js'),
  cs: () => import('@scure/bip39/wordlists/czech.js'),
  ja: () => import('@scure/bip39/wordlists/japanese.js'),
  ko: () => import('@scure/bip39/wordlists/korean.js'),
  'zh-Hans': () => import('@scure/bip39/wordlists/simplified-chinese.js'),
  'zh-Hant': () => import('@scure/bip39/wordlists/traditional-chinese.js'),
};
/** Minimum fraction of the words that must be in a list, so one of twelve words may be misspelled. */
const ENOUGH = 0.9;

/** Removes accents, which are often omitted when words are typed. */
const plain = (word: string) => word.normalize('NFKD').replace(/\p{M}/gu, '');

/** Returns the language whose list contains these words, or null. Chinese words can be written without spaces. */
export async function languageOfWords(tokens: readonly string[]): Promise<string | null> {
  const words = tokens.flatMap((token) => (/\p{Script=Han}/u.test(token) ? [...token] : [token])).map(plain);
  if (words.length < 3) return null;
  // Some words are in several lists, so another language must match more words than English.
  let best: { language: string | null; known: number } = {
    language: null,
    known: words.filter(isRecoveryWord).length,
  };
  for (const [language, load] of Object.entries(LISTS)) {
    const list = new Set((await load()).wordlist.map(plain));
    const known = words.filter((word) => list.has(word)).length;
    if (known >= words.length * ENOUGH && known > best.known) best = { language, known };
  }
  return best.language;
}
