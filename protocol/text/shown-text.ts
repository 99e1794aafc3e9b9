/** Checks and cleans untrusted text before it is displayed. */

/** Control characters, line and paragraph separators, and directional controls (Unicode TR 36, 3.1). */
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

/** True for text without characters that are invisible, break the line or change its direction. */
export function isShownLine(text: string): boolean {
  return text.isWellFormed() && !UNFIT.test(text);
}

/** True for text whose lines all pass {@link isShownLine}. */
export function isShownText(text: string): boolean {
  return text.split(/\r?\n/).every(isShownLine);
}

/** Replaces invisible and direction-changing characters with spaces. Preserves line breaks. */
export function asShownText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.replace(new RegExp(UNFIT, 'gu'), ' '))
    .join('\n');
}

/**
 * Joins an amount and an untrusted name, in this order in every language. Isolates (Unicode Annex 9) prevent
 * right-to-left letters from reordering the digits.
 */
export function amountWithName(amount: string, name: string): string {
  return `\u2066${amount} \u2068${name}\u2069\u2069`;
}

/** True for a valid display name of a user: empty, or one line with visible characters. */
export function isShownName(text: string): boolean {
  return isShownLine(text) && (text === '' || isVisible(text));
}

/** True for text that contains a visible character, not only spaces and zero-width characters. */
export function isVisible(text: string): boolean {
  return /[^\p{Z}\p{C}\u034F\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/u.test(text);
}

/**
 * Spells out invisible and direction-changing characters in untrusted text, which is then displayed in its written
 * order (Unicode Technical Report 36, section 2.5). Joiners and selectors inside emoji remain.
 */
export function visible(text: string): string {
  // U+2800, an empty Braille cell, is blank, but `\p{DI}` doesn't include it.
  return text.replace(/[\p{Cc}\p{Cf}\p{DI}\u2028\u2029\u2800]/gu, (c) =>
    '\n\t\u200d\ufe0f'.includes(c) ? c : `⟨U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}
