/** Validates the text of a QR code, which is untrusted and only fills the form. */
import type { Network } from '../../../../protocol/bitcoin/address.ts';
import { recipientKind } from '../../../../protocol/payments/recipient.ts';
import { sendTexts } from '../../../ui/texts/texts.ts';
import { recipientProblem } from '../draft.ts';
import { readPaymentLink } from '../payment-link.ts';

/**
 * Returns why a code can't be used, or null for a payment link, a paymail, a user ID or an address. Rejects scripts,
 * because users can't tell who a script pays.
 */
export function problemOfCode(text: string, network: Network): string | null {
  const link = readPaymentLink(text);
  if (typeof link === 'string') return recipientProblem(text, network) ?? null;
  const to = link?.to ?? text.trim();
  return recipientProblem(to, network) ?? (recipientKind(to) === 'SCRIPT' ? sendTexts.nobody : null);
}
