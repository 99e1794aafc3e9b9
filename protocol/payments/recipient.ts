/** Interprets the string in `to` by its syntax, in the specification's order (section 2.2). */
import { readAddress } from '../bitcoin/address.ts';
import { isAsm } from '../bitcoin/opcodes.ts';
import type { RecipientKind } from './payment-types.ts';

/** Pay-to-script-hash in ASM. The network no longer accepts such outputs. */
const P2SH = /^OP_HASH160 [\da-f]{40} OP_EQUAL$/i;
const PAYMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)*$/;

/** True if the `address` field contains a paymail, as on pages for the original service. */
export function isPaymailAsAddress(field: string, text: string): boolean {
  return field === 'address' && PAYMAIL.test(text);
}

/** Returns `PAYMAIL` for text in the form of an email address, `USER` for digits, otherwise null. */
export function accountKind(to: string): 'PAYMAIL' | 'USER' | null {
  return PAYMAIL.test(to) ? 'PAYMAIL' : /^\d{1,19}$/.test(to) ? 'USER' : null;
}

/** Returns the kind of recipient, or null: {@link accountKind}, an address (with its checksum), or a payable script. */
export function recipientKind(to: string): RecipientKind | null {
  return accountKind(to) ?? (readAddress(to) ? 'ADDRESS' : isAsm(to) && !P2SH.test(to) ? 'SCRIPT' : null);
}
