/** Computes skeletons of handles and names. Names that look alike have the same skeleton. */

/** Letters from other alphabets, and small capitals, that look like Latin letters (UTS 39, confusables). */
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

/** Each character of `FROM` maps to the character below it in `TO`. Separators without a counterpart are removed. */
export const FROM = '0123456789i.-';
export const TO = 'olzeas6tbgl';
/** Pairs of letters that look like one letter. */
export const PAIRS = [
  ['rn', 'm'],
  ['vv', 'w'],
] as const;

/**
 * Returns a handle's visual skeleton. Handles with equal skeletons can be mistaken for each other (Unicode Technical
 * Standard 39, section 4, plus digits that look like letters). The skeletons of `ann1` and `ann2` differ, because these
 * handles can belong to different people.
 */
export function skeletonOf(handle: string): string {
  const folded = [...handle].map((c) => (FROM.includes(c) ? (TO[FROM.indexOf(c)] ?? '') : c)).join('');
  return PAIRS.reduce((text, [pair, one]) => text.replaceAll(pair, one), folded);
}

/**
 * Returns the visual form of letters and digits: Latin letters without diacritics, and digits as the letters they
 * resemble.
 */
export function visualForm(text: string): string {
  const plain = text.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  const latin = [...plain].map((letter) => LOOKS_LIKE.get(letter) ?? letter).join('');
  return skeletonOf(latin.replace(/[^\p{L}\p{N}]/gu, ''));
}
