import { isRecoveryWord } from './read-words.ts';

/** The lists of BIP39 other than the English one, by language (BCP 47). Loaded when words aren't English. */
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
/** Share of the words that must be in a list: one in twelve may be misspelled, and lists share words. */
const ENOUGH = 0.9;

/** Accents are often left out when words are typed. */
const plain = (word: string) => word.normalize('NFKD').replace(/\p{M}/gu, '');

/** The language whose list these words are from, or null. Chinese words may have been written without spaces. */
export async function languageOfWords(tokens: readonly string[]): Promise<string | null> {
  const words = tokens.flatMap((token) => (/\p{Script=Han}/u.test(token) ? [...token] : [token])).map(plain);
  if (words.length < 3) return null;
  // The lists share words: another language must explain more of them than English does.
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
