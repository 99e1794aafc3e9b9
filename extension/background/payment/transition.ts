/** Changes of stored payments, each in one database transaction. */
import type { PaymentState } from '../../../protocol/wallet-messages.ts';
import { meaningOf, ServiceError, toWireError, type WireError } from '../../../protocol/errors.ts';
import { database, inTransaction, type WriteTransaction } from '../database.ts';
import { announceChange, signalChange } from '../events.ts';
import { withoutScripts } from '../light-payment.ts';
import { isEndedUnsigned } from './ended-unsigned.ts';
import { type PaymentRecord, unfinishedOf } from './record.ts';

/** One payment by its id. */
export async function readPayment(id: string): Promise<PaymentRecord | undefined> {
  return (await database()).get('payments', id);
}

/**
 * Moves a payment on, in one database transaction, if it is still in the expected state. `change` may change coins,
 * addresses, allowances and sites in the same transaction, and must await nothing else.
 * @returns the new record, or null if the payment was in another state already, and nothing was changed
 */
export async function transition(
  id: string,
  from: PaymentState | readonly PaymentState[],
  change: (record: PaymentRecord, tx: WriteTransaction) => Partial<PaymentRecord> | Promise<Partial<PaymentRecord>>,
): Promise<PaymentRecord | null> {
  const moved = await inTransaction(async (tx) => {
    const record = await tx.objectStore('payments').get(id);
    if (!record || ![from].flat().includes(record.state)) return null;
    return putPayment(tx, { ...record, ...(await change(record, tx)) });
  });
  if (moved === null) return null;
  signalChange(id);
  announceChange();
  return moved;
}

/** Stores a changed payment within a larger transaction. Announce the change afterwards (events.ts). */
export async function putPayment(tx: WriteTransaction, changed: PaymentRecord): Promise<PaymentRecord> {
  const kept = isEndedUnsigned(changed) ? withoutScripts(changed) : changed;
  const next: PaymentRecord = { ...kept, updatedAt: Date.now(), unfinished: unfinishedOf(kept) };
  await tx.objectStore('payments').put(next);
  return next;
}

/** The error of a payment that ended unsigned. A code that leaves open whether it may still be made would be false. */
export function lastingError({ code, message }: WireError): WireError {
  return meaningOf(code).final ? { code, message } : toWireError(new ServiceError('not-paid'));
}

/** Ends an approved payment that couldn't be signed. Does nothing to any other. */
export function failUnsigned(id: string, error: ServiceError): Promise<PaymentRecord | null> {
  return transition(id, 'approved', () => ({ state: 'failed', error: lastingError(error), operations: null }));
}
