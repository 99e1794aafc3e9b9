/** What the text in `to` stands for, told apart by its form in the specification's order (section 2.2). */
import { readAddress } from './address.ts';
import { isAsm } from './opcodes.ts';
import type { RecipientKind } from './payment.ts';

/**
 * The kind of recipient, or null where the text is none: an email form is a paymail, digits are a user ID, then an
 * address (with its checksum), then a script in ASM.
 */
export function recipientKind(to: string): RecipientKind | null {
  if (/^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)*$/.test(to)) return 'PAYMAIL';
  if (/^\d{1,19}$/.test(to)) return 'USER';
  if (readAddress(to)) return 'ADDRESS';
  return isAsm(to) ? 'SCRIPT' : null;
}
