/** Tells the kinds of `data-to` apart by their form, in the specification's order (section 2.2). */
import { readAddress } from '../protocol/address.ts';
import type { RecipientKind } from '../protocol/payment.ts';
import { isOpcodeName } from './opcodes.ts';

/** `a@b` without blanks. Only the form: whether the paymail exists is for the wallet to find out. */
const PAYMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
const DIGITS = /^\d+$/;
/** The longest user ID, in digits: what the wallet's contract (protocol/payment.ts) takes. */
const MOST_DIGITS = 20;

/**
 * True for a script in ASM: names of opcodes and data in hex, one blank between two. Libraries read far more than
 * that (empty text, two blanks, odd hex), and would pay to a script that nobody meant.
 */
function isAsm(text: string): boolean {
  return text.split(' ').every((word) => word === '0' || word === '-1' || isOpcodeName(word) || /^(?:[0-9a-f]{2})+$/i.test(word));
}

/** What `text` names by its form, or null where it is none of the four. Never throws. */
export function recipientKind(text: string): RecipientKind | null {
  if (PAYMAIL.test(text)) return 'PAYMAIL';
  // Digits alone are never a script, although they would read as one.
  if (DIGITS.test(text)) return text.length <= MOST_DIGITS ? 'USER' : null;
  if (readAddress(text)) return 'ADDRESS';
  return isAsm(text) ? 'SCRIPT' : null;
}
