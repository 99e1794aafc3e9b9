/**
 * What a token's mint calls it, as people are shown it: nobody has checked that, and it stands beside an amount. The ID tells
 * tokens apart; here no name passes for digits of the amount, for money, or for another name by characters that are not seen.
 */
import { lookAlike } from './look-alike.ts';
import { visible } from './shown-text.ts';

/** Most combining marks on one letter: more of them are drawn over the lines around. */
const STACKED = /(\p{M}{2})\p{M}+/gu;
/** Joiners and selectors that do not belong to a picture: between letters they are not seen. */
const UNSEEN = /(?<!\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]?)(?:\u200d|\ufe0f)/gu;
/** Other units of the money here. */
const MONEY = ['BSV', 'BTC', 'SAT', 'SATS', 'SATOSHI', 'SATOSHIS'];

/** Is it what money is called? Wide and small letters count as well. */
function isMoney(name: string): boolean {
  const code = name.normalize('NFKC').toUpperCase();
  return MONEY.includes(code) || /\p{Sc}/u.test(code) || Intl.supportedValuesOf('currency').includes(code);
}

/** In quotation marks where it begins like a number or is what money is called; letters of mixed alphabets by their number. */
export function tokenNameOf(symbol: string): string {
  const plain = symbol
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replace(/^\p{M}+/u, '')
    .replaceAll(STACKED, '$1');
  const name = plain
    .split(' ')
    .map((word) => {
      // What is not seen must not hide that the rest is mixed: joiners and selectors of pictures stay.
      const isMixed = lookAlike(word.replaceAll(/[\p{C}\p{DI}\u2800]/gu, ''))?.kind === 'mixed';
      return isMixed ? (lookAlike(word)?.ascii ?? word) : visible(word.replaceAll(UNSEEN, (c) => spelled(c)));
    })
    .join(' ');
  const isPlain = /^[\p{L}\p{Extended_Pictographic}]/u.test(name) && !/^\p{N}/u.test(name) && !isMoney(plain);
  return isPlain ? name : `“${name.replaceAll(/["“”„«»]/g, '’')}”`;
}

const spelled = (c: string) => `⟨U+${c.codePointAt(0)?.toString(16).toUpperCase()}⟩`;
