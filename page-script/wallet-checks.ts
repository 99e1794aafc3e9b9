/** Checks a payment before the swipe against what the wallet reports: its network, and its rates. */
import type { PageRates } from '../protocol/page-messages.ts';
import type { PaymentOptions } from '../protocol/payment.ts';
import { ConfigurationError } from './configuration-error.ts';
import { isBelowSatoshi } from './cost.ts';

/** An address, among the texts that name a recipient rightly. */
export const ADDRESS = /^[1mn][A-Za-z1-9]{24,35}$/;

/** Is this recipient paid on the wallet's network? True for all but addresses. */
export function isOfNetwork(recipient: string, network: string | undefined): boolean {
  return !network || !ADDRESS.test(recipient) || recipient.startsWith('1') === (network === 'mainnet');
}

/**
 * The fault that the wallet would find, or null.
 * @param network of the wallet, undefined while it is not known
 * @param rates null where they are not known
 */
export function faultOf(
  { outputs }: PaymentOptions,
  network: string | undefined,
  rates: PageRates | null,
): ConfigurationError | null {
  const stray = outputs
    .map(({ to, address }) => (address ?? to)!)
    .find((recipient) => recipient && !isOfNetwork(recipient, network));
  if (stray)
    return new ConfigurationError(
      'invalid-recipient',
      `${stray} is an address of another network: the wallet is on ${network}.`,
    );
  const small = rates && outputs.find((output) => isBelowSatoshi(output, rates));
  return small
    ? new ConfigurationError('amount-too-small', `${small.amount} ${small.currency} is less than one satoshi.`)
    : null;
}
