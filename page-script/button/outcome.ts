import type { PaymentError } from '../wallet/payment-error.ts';
import type { Paid } from '../wallet/wallet.ts';

/** True for a payment that is signed but hasn't been accepted by the network yet. */
export const isOnItsWay = ({ code }: PaymentError) => code === 'payment-pending' || code === 'payment-contested';

/**
 * Waits for the outcome of a payment whose request ended without one.
 * @param ask queries the wallet for an outcome other than `known`; called again if the connection is lost
 * @param heard called for each later error that leaves the outcome open
 * @throws PaymentError with the last error, if the outcome remains unknown
 */
export async function outcomeAfter(
  before: PaymentError,
  ask: (known: string) => Promise<Paid>,
  heard: (reason: PaymentError) => void = () => {},
): Promise<Paid> {
  try {
    return await ask(before.code);
  } catch (cause) {
    const reason = cause as PaymentError;
    const isNews = isOnItsWay(reason);
    if (reason.code === before.code || !(isNews || reason.code === 'wallet-disconnected')) throw reason;
    if (isNews) heard(reason);
    return outcomeAfter(reason, ask, heard);
  }
}
