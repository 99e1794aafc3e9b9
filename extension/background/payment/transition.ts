/** How stored payments change: one database transaction for each transition. */
import type { PaymentState } from '../../../protocol/wallet-messages.ts';
import { meaningOf, ServiceError, toWireError, type WireError } from '../../../protocol/errors.ts';
import { database, inTransaction, type WriteTransaction } from '../database.ts';
import { recordBlock, recordRejection } from '../sites/store.ts';
import { announceChange, signalChange } from '../events.ts';
import { type PaymentRecord, isUnfinished } from './record.ts';

/** One payment by its id. */
export async function readPayment(id: string): Promise<PaymentRecord | undefined> {
  return (await database()).get('payments', id);
}

/**
 * Moves a payment on, in one database transaction, if it is still in the state that the step starts from. `change` may
 * touch coins, addresses, allowances and sites in the same transaction; it must await nothing else.
 * @returns the new record, or null where the payment was in another state already (nothing was changed then)
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

/** Stores a changed payment, as a part of more. Who waits for it is to be told afterwards (events.ts). */
export async function putPayment(tx: WriteTransaction, changed: PaymentRecord): Promise<PaymentRecord> {
  const next: PaymentRecord = { ...changed, updatedAt: Date.now(), unfinished: isUnfinished(changed) ? 1 : 0 };
  await tx.objectStore('payments').put(next);
  return next;
}

/** Ends a payment that was not signed, with a code that says so for good. Does nothing to any other. */
export function endUnsigned(
  id: string,
  state: 'refused' | 'failed',
  { code, message }: ServiceError,
): Promise<PaymentRecord | null> {
  // A code that leaves open whether the payment may still be made would be untrue of one that has ended.
  const error: WireError = meaningOf(code).final ? { code, message } : toWireError(new ServiceError('not-paid'));
  return transition(id, ['requested', 'approved'], () => ({ state, error, operations: null }));
}

/**
 * Ends a payment because the user said no, or because the page that asked took its question back, and notes that of its
 * site in the same transaction. Does nothing to one that is decided.
 * @param blockedUntil blocks the site until then (milliseconds since 1970); null leaves that as it is
 */
export function endAsked(
  id: string,
  by: 'user' | 'page',
  { code, message }: ServiceError,
  blockedUntil: number | null = null,
): Promise<PaymentRecord | null> {
  return transition(id, 'requested', async ({ origin, asking }, tx) => {
    if (asking) await recordRejection(tx, origin, by);
    if (blockedUntil !== null) await recordBlock(tx, origin, blockedUntil);
    return { state: 'refused', error: { code, message }, operations: null };
  });
}

/** Takes a payment that was never decided out of the store: asked again, it is a new one. Does nothing to any other. */
export async function forgetRequest(id: string): Promise<void> {
  await inTransaction(async (tx) => {
    if ((await tx.objectStore('payments').get(id))?.state === 'requested') await tx.objectStore('payments').delete(id);
  });
  signalChange(id);
}
