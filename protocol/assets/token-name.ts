/**
 * Formats a token's symbol for display. An unverified symbol appears next to an amount, so it must not look like part
 * of the amount, like money, or (with invisible characters) like another token.
 */
import { lookAlike } from '../text/look-alike.ts';
import { visible } from '../text/shown-text.ts';

/** The third and later combining marks on a letter, which could overlap adjacent lines. */
const STACKED = /(\p{M}{2})\p{M}+/gu;
/** Joiners and variation selectors outside emoji, which are invisible between letters. */
const UNSEEN = /(?<!\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]?)(?:\u200d|\ufe0f)/gu;
/** Units of BSV and BTC. */
const MONEY = ['BSV', 'BTC', 'SAT', 'SATS', 'SATOSHI', 'SATOSHIS'];

function isMoney(name: string): boolean {
  const code = name.normalize('NFKC').toUpperCase();
  return MONEY.includes(code) || /\p{Sc}/u.test(code) || Intl.supportedValuesOf('currency').includes(code);
}

/**
 * Formats a symbol. Quotes numbers and units of money. Shows foreign letters in mixed-alphabet words as code points.
 */
export function tokenNameOf(symbol: string): string {
  const plain = symbol
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replace(/^\p{M}+/u, '')
    .replaceAll(STACKED, '$1');
  const name = plain
    .split(' ')
    .map((word) => {
      // Checks the word without invisible characters, which could otherwise separate letters from different alphabets.
      const isMixed = lookAlike(word.replaceAll(/[\p{C}\p{DI}\u2800]/gu, ''))?.kind === 'mixed';
      return isMixed ? (lookAlike(word)?.ascii ?? word) : visible(word.replaceAll(UNSEEN, (c) => spelled(c)));
    })
    .join(' ');
  const isPlain = /^[\p{L}\p{Extended_Pictographic}]/u.test(name) && !/^\p{N}/u.test(name) && !isMoney(plain);
  return isPlain ? name : `“${name.replaceAll(/["“”„«»]/g, '’')}”`;
}

const spelled = (c: string) => `⟨U+${c.codePointAt(0)?.toString(16).toUpperCase()}⟩`;
