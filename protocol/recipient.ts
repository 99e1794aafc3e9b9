/** Interprets the text in `to` by its form, in the specification's order (section 2.2). */
import { readAddress } from './address.ts';
import { isAsm } from './opcodes.ts';
import type { RecipientKind } from './payment-types.ts';

/** Pay-to-script-hash: the network takes no payment to this form any more. */
const P2SH = /^OP_HASH160 [\da-f]{40} OP_EQUAL$/i;
const PAYMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)*$/;

/**
 * True if a paymail is given as an address. Pages for the original service did so; it is read as `to`.
 * @param field of an output that names the recipient
 */
export function isPaymailAsAddress(field: string, text: string): boolean {
  return field === 'address' && PAYMAIL.test(text);
}

/**
 * The kind of a recipient that has an account: an email form is a paymail, digits are a user ID. Null for any other
 * text.
 */
export function accountKind(to: string): 'PAYMAIL' | 'USER' | null {
  return PAYMAIL.test(to) ? 'PAYMAIL' : /^\d{1,19}$/.test(to) ? 'USER' : null;
}

/**
 * The kind of recipient, or null if the text is not one: see {@link accountKind}, then an address (with its checksum),
 * then a script in ASM that can be paid.
 */
export function recipientKind(to: string): RecipientKind | null {
  return accountKind(to) ?? (readAddress(to) ? 'ADDRESS' : isAsm(to) && !P2SH.test(to) ? 'SCRIPT' : null);
}
