/** Look-alike names: letters that can be mistaken for others, and a form that such names share. */

/** Letters of other alphabets, and small capitals, that look like Latin ones (Unicode Technical Standard 39, confusables). */
const LOOKS_LIKE = new Map(
  Object.entries({
    a: 'аαɑᴀ',
    b: 'вьβʙ',
    c: 'сϲᴄ',
    d: 'ԁɗᴅ',
    e: 'еєεҽᴇ',
    f: 'ғꜰ',
    g: 'ɡցɢ',
    h: 'һнհʜ',
    i: 'іιıɩɪ',
    j: 'јϳᴊ',
    k: 'кκᴋ',
    l: 'ӏⅼʟ|',
    m: 'мᴍ',
    n: 'нոηпɴ',
    o: 'оοօσᴏ',
    p: 'рρᴘ',
    q: 'ԛզ',
    r: 'гʀ',
    s: 'ѕꜱ$',
    t: 'тτᴛ',
    u: 'υսцᴜ',
    v: 'ѵνᴠ',
    w: 'ԝωшᴡ',
    x: 'хχ',
    y: 'уүγʏ',
    z: 'ᴢ',
  }).flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
);

/** Each character of the first string maps to the one below it. Unmapped separators are removed. */
export const FROM = '0123456789i.-';
export const TO = 'olzeas6tbgl';
/** Pairs that look like one letter. */
export const PAIRS = [
  ['rn', 'm'],
  ['vv', 'w'],
] as const;

/**
 * The visual skeleton of a handle: handles with the same one can be mistaken for each other (Unicode Technical Standard
 * 39, section 4, plus digits that stand for letters). Digits stay distinct: `ann1` and `ann2` are two people.
 */
export function skeletonOf(handle: string): string {
  const folded = [...handle].map((c) => (FROM.includes(c) ? (TO[FROM.indexOf(c)] ?? '') : c)).join('');
  return PAIRS.reduce((text, [pair, one]) => text.replaceAll(pair, one), folded);
}

/** The visual form of letters and digits: without marks, in one alphabet, digits as the letters they resemble. */
export function looksOf(text: string): string {
  const plain = text.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  const latin = [...plain].map((letter) => LOOKS_LIKE.get(letter) ?? letter).join('');
  return skeletonOf(latin.replace(/[^\p{L}\p{N}]/gu, ''));
}
