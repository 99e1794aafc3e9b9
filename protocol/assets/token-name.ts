/**
 * Displays a token's name by its mint, which is unverified and appears next to an amount: it can't look like digits of
 * the amount, like money, or like another name with invisible characters.
 */
import { lookAlike } from '../text/look-alike.ts';
import { visible } from '../text/shown-text.ts';

/** Maximum number of combining marks on one letter. More of them would cover the lines around it. */
const STACKED = /(\p{M}{2})\p{M}+/gu;
/** Joiners and selectors outside of emoji, which are invisible between letters. */
const UNSEEN = /(?<!\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]?)(?:\u200d|\ufe0f)/gu;
/** Other units of the money here. */
const MONEY = ['BSV', 'BTC', 'SAT', 'SATS', 'SATOSHI', 'SATOSHIS'];

function isMoney(name: string): boolean {
  const code = name.normalize('NFKC').toUpperCase();
  return MONEY.includes(code) || /\p{Sc}/u.test(code) || Intl.supportedValuesOf('currency').includes(code);
}

/** Quotes a name that begins like a number or is a name of money. Shows letters of mixed alphabets by number. */
export function tokenNameOf(symbol: string): string {
  const plain = symbol
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replace(/^\p{M}+/u, '')
    .replaceAll(STACKED, '$1');
  const name = plain
    .split(' ')
    .map((word) => {
      // Invisible characters must not hide that the rest is mixed. Joiners and selectors of emoji stay.
      const isMixed = lookAlike(word.replaceAll(/[\p{C}\p{DI}\u2800]/gu, ''))?.kind === 'mixed';
      return isMixed ? (lookAlike(word)?.ascii ?? word) : visible(word.replaceAll(UNSEEN, (c) => spelled(c)));
    })
    .join(' ');
  const isPlain = /^[\p{L}\p{Extended_Pictographic}]/u.test(name) && !/^\p{N}/u.test(name) && !isMoney(plain);
  return isPlain ? name : `“${name.replaceAll(/["“”„«»]/g, '’')}”`;
}

const spelled = (c: string) => `⟨U+${c.codePointAt(0)?.toString(16).toUpperCase()}⟩`;
