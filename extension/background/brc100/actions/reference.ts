/** Finds a site's own records. Those of other sites are not found. */
import { database } from '../../database.ts';
import type { PaymentRecord } from '../../payment/record.ts';

/** A site's action by its reference. */
export async function paymentByReference(origin: string, reference: string): Promise<PaymentRecord | undefined> {
  return (await database()).getFromIndex('payments', 'reference', [origin, reference]);
}
