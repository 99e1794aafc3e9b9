/**
 * Detects names that can look like other names, by their alphabets and invisible characters, and spells them in ASCII
 * (Unicode Technical Standard 39, section 5; Technical Report 36, section 2). Doesn't reject names, because users see
 * the warning.
 */

/** The warning about a name that contains more than the letters a to z, digits and punctuation. */
export interface LookAlike {
  /**
   * The most severe finding: `hidden` (invisible characters), `mixed` (several alphabets in one word), `foreign` (words
   * in a different alphabet), `unusual` (other Latin letters or signs, or a domain in Punycode).
   */
  kind: 'hidden' | 'mixed' | 'foreign' | 'unusual';
  /** The alphabets by ISO 15924 code, in order of appearance. `Zzzz` represents all rare alphabets. */
  scripts: string[];
  /** The same name in ASCII: the domain in Punycode, and non-ASCII letters before the @ as code points. */
  ascii: string;
}

/** Alphabets in modern use (Unicode Standard Annex 31, table 5), plus three with Latin-like letters. */
const SCRIPTS = [
  'Latn',
  'Cyrl',
  'Grek',
  'Arab',
  'Armn',
  'Beng',
  'Bopo',
  'Cher',
  'Copt',
  'Deva',
  'Ethi',
  'Geor',
  'Goth',
  'Gujr',
  'Guru',
  'Hang',
  'Hani',
  'Hebr',
  'Hira',
  'Kana',
  'Khmr',
  'Knda',
  'Laoo',
  'Mlym',
  'Mymr',
  'Orya',
  'Sinh',
  'Taml',
  'Telu',
  'Thaa',
  'Thai',
  'Tibt',
];
let patterns: (readonly [script: string, has: RegExp])[] | undefined;
/** Returns the patterns. Compiled only when the first unusual name occurs, because compiling them is slow. */
const alphabets = () => (patterns ??= SCRIPTS.map((code) => [code, new RegExp(`^\\p{Script=${code}}$`, 'u')]));
/**
 * Groups of scripts that count as one alphabet: Japanese, Korean, and Chinese with its phonetic letters (UTS 39,
 * section 5.1).
 */
const TOGETHER = [
  ['Hani', 'Hira', 'Kana'],
  ['Hani', 'Hang'],
  ['Hani', 'Bopo'],
];
/** Characters that are invisible or reverse the following text. U+2800 is an empty Braille cell, which is blank. */
const HIDDEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Examines a paymail or any other name. Returns null for plain letters, digits and punctuation. */
export function lookAlike(name: string): LookAlike | null {
  const at = name.lastIndexOf('@');
  const domain = name.slice(at + 1);
  const encoded = at >= 0 && /(?:^|\.)xn--/i.test(domain);
  if (/^[\x21-\x7e]*$/.test(name) && !encoded) return null;
  // The part before the @ counts as one word, and so does each label of the domain.
  const words = [...(at < 0 ? [] : [name.slice(0, at)]), ...domain.split('.')].map(scriptsOf);
  const scripts = [...new Set(words.flat())];
  const ascii = at < 0 ? spelled(name) : `${spelled(name.slice(0, at))}@${asciiDomain(domain)}`;
  return { kind: kindOf(name, words), scripts, ascii };
}

function kindOf(name: string, words: readonly (readonly string[])[]): LookAlike['kind'] {
  if (HIDDEN.test(name)) return 'hidden';
  if (
    words.some(
      (scripts) => scripts.length > 1 && !TOGETHER.some((family) => scripts.every((one) => family.includes(one))),
    )
  )
    return 'mixed';
  return words.flat().some((one) => one !== 'Latn') ? 'foreign' : 'unusual';
}

/** Returns a word's alphabets. Digits, punctuation (`Common`) and marks (`Inherited`) belong to any alphabet. */
function scriptsOf(word: string): string[] {
  const found = [...word]
    .filter((c) => !/^[\p{Script=Common}\p{Script=Inherited}]$/u.test(c) && !HIDDEN.test(c))
    .map((c) => alphabets().find(([, has]) => has.test(c))?.[0] ?? 'Zzzz');
  return [...new Set(found)];
}

/**
 * Converts the domain to Punycode (RFC 3492) as the URL standard does. If the domain is invalid, spells out its letters
 * instead.
 */
function asciiDomain(domain: string): string {
  try {
    const { host, href } = new URL(`https://${domain}`);
    if (href === `https://${host}/`) return host;
  } catch {
    // The text isn't a valid domain.
  }
  return spelled(domain);
}

/** Replaces non-ASCII characters with their code points: `<U+0430>`. */
function spelled(text: string): string {
  return text.replace(
    /[^\x21-\x7e]/gu,
    (c) => `<U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
  );
}
