/** Waits for payments. */
import { ServiceError, type ErrorCode } from '../../protocol/errors/service-error.ts';
import { nextChange } from '../events.ts';
import { PATIENCE_ATTEMPTS, type PaymentRecord } from './record.ts';
import { readOutcome } from './void-approval.ts';
import type { Wallet } from '../platform.ts';

/**
 * Waits until `read` returns something other than undefined. It gets the payment now and after each change; undefined
 * if there is none.
 * @throws the errors of `read`
 */
export async function outcomeOf<T>(
  wallet: Wallet,
  id: string,
  read: (record: PaymentRecord | undefined) => T | undefined | Promise<T | undefined>,
): Promise<T> {
  for (;;) {
    const change = nextChange(wallet, id); // registered first, so that no change is missed
    const outcome = await read(await readOutcome(wallet, id));
    if (outcome !== undefined) return outcome;
    await change;
  }
}

/**
 * Returns the payment unless it has ended.
 * @throws ServiceError the reason; `not-paid` if it is gone, because another document waited for it and found no free
 * window
 */
export function unlessEnded(record: PaymentRecord | undefined): PaymentRecord {
  if (!record) throw new ServiceError('not-paid');
  if (record.error) throw new ServiceError(record.error.code, { message: record.error.message });
  return record;
}

/** True if the wallet no longer broadcasts a signed payment. */
export const isStopped = ({ state, trouble, replacedBy }: PaymentRecord): boolean =>
  state === 'signed' && (trouble === 'refused' || Boolean(replacedBy));

/**
 * Why a signed payment isn't on the network; null if unknown.
 * @param since number of attempts: without a later one it is unknown, unless the payment is stopped
 */
export function stuckCode(record: PaymentRecord, since = 0): ErrorCode | null {
  const { state, trouble, broadcast } = record;
  if (isStopped(record)) return 'payment-contested';
  if (state !== 'signed' || broadcast.attempts < PATIENCE_ATTEMPTS || broadcast.attempts <= since) return null;
  return trouble === 'contested' ? 'payment-contested' : 'payment-pending';
}
