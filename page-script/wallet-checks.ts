/** Checks a payment before the swipe against what the wallet reports of itself: its network. */
import type { PaymentOptions } from '../protocol/payment.ts';
import { ConfigurationError } from './configuration-error.ts';

/** An address, among the texts that name a recipient rightly. */
export const ADDRESS = /^[1mn][A-Za-z1-9]{24,35}$/;

/** Is this recipient paid on the wallet's network? True for all but addresses. */
export function isOfNetwork(recipient: string, network: string | undefined): boolean {
  return !network || !ADDRESS.test(recipient) || recipient.startsWith('1') === (network === 'mainnet');
}

/**
 * The fault of an address that is of another network, or null.
 * @param network of the wallet, undefined while it is not known
 */
export function networkFaultOf({ outputs }: PaymentOptions, network: string | undefined): ConfigurationError | null {
  const stray = outputs
    .map(({ to, address }) => (address ?? to)!)
    .find((recipient) => recipient && !isOfNetwork(recipient, network));
  return stray
    ? new ConfigurationError(
        'invalid-recipient',
        `data-to is ${stray}, of another network than the wallet: write an address of ${network}.`,
      )
    : null;
}
