/** Who may read a payment. To anyone else it does not exist. Pure. */
import type { StoredPayment } from './store.ts';

/**
 * True for the sender. Recipients with an account here belong in this function too, once the service itself gives out
 * the destinations that they are paid at: what a wallet says of them is no reason to show them a payment.
 */
export function mayRead({ payment }: StoredPayment, userId: number): boolean {
  return payment.userId === userId;
}
