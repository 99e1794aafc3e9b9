import type { PaymentState } from '../../protocol/messages/wallet-messages.ts';
import { meaningOf, ServiceError, toWireError, type WireError } from '../../protocol/errors/service-error.ts';
import { inTransaction, readTransaction, type WriteTransaction, database } from '../store/database.ts';
import { announceChange, signalChange } from '../events.ts';
import type { Change } from './move.ts';
import type { PaymentRecord } from './record.ts';
import { getPayment, putPayment } from './store.ts';
import type { Wallet } from '../platform.ts';

export async function readPayment(wallet: Wallet, id: string): Promise<PaymentRecord | undefined> {
  return getPayment(readTransaction(await database(wallet)), id);
}

/**
 * Changes a payment, in one database transaction, if it is still in the expected state. `change` may change coins,
 * addresses, allowances and sites in the same transaction, and may await nothing else. An event in it moves the payment
 * to another state (move.ts).
 * @returns the new record, or null if the payment was in another state already, and nothing was changed
 */
export async function transition(
  wallet: Wallet,
  id: string,
  from: PaymentState | readonly PaymentState[],
  change: (record: PaymentRecord, tx: WriteTransaction) => Change | Promise<Change>,
): Promise<PaymentRecord | null> {
  const moved = await inTransaction(wallet, async (tx) => {
    const record = await getPayment(tx, id);
    if (!record || ![from].flat().includes(record.state)) return null;
    return putPayment(wallet, tx, record, await change(record, tx));
  });
  if (moved === null) return null;
  signalChange(wallet, id);
  announceChange(wallet);
  return moved;
}

/** The error of a payment that ended unsigned. Codes that mean it may still be made would be wrong. */
export function lastingError({ code, message }: WireError): WireError {
  return meaningOf(code).final ? { code, message } : toWireError(new ServiceError('not-paid'));
}

/** Ends an approved payment that couldn't be signed. Does nothing in other states. */
export function failUnsigned(wallet: Wallet, id: string, error: ServiceError): Promise<PaymentRecord | null> {
  return transition(wallet, id, 'approved', () => ({ event: 'fail', error: lastingError(error), operations: null }));
}
