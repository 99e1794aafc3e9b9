/** Checks the text of a QR code for the form. It is as hostile as a page, and pays nothing. */
import type { Network } from '../../../../protocol/bitcoin/address.ts';
import { recipientKind } from '../../../../protocol/payments/recipient.ts';
import { sendTexts } from '../../../ui/texts/texts.ts';
import { recipientProblem } from '../draft.ts';
import { readPaymentLink } from '../payment-link.ts';

/**
 * The problem in words; null for a payment link, a paymail, a user ID or an address. Scripts are rejected, because
 * users can't read their recipient.
 */
export function problemOfCode(text: string, network: Network): string | null {
  const link = readPaymentLink(text);
  if (typeof link === 'string') return recipientProblem(text, network) ?? null;
  const to = link?.to ?? text.trim();
  return recipientProblem(to, network) ?? (recipientKind(to) === 'SCRIPT' ? sendTexts.nobody : null);
}
