/** Checks before the swipe that a payment is for the wallet's network. */
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { ADDRESS } from './notation.ts';

/** False for an address that isn't for this network. True otherwise, or if the network is unknown. */
export function isOfNetwork(recipient: string, network: string | undefined): boolean {
  return !network || !ADDRESS.test(recipient) || recipient.startsWith('1') === (network === 'mainnet');
}

/** Returns the error for an address that isn't for the wallet's network, or null. `network` is undefined if unknown. */
export function networkFaultOf({ outputs }: PaymentOptions, network: string | undefined): ConfigurationError | null {
  const stray = outputs
    .map(({ to, address }) => (address ?? to)!)
    .find((recipient) => recipient && !isOfNetwork(recipient, network));
  return stray
    ? new ConfigurationError(
        'invalid-recipient',
        `data-to is ${stray}, which is not on the wallet's network: write an address of ${network}.`,
      )
    : null;
}
