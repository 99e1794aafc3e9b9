import { ServiceError } from '../../protocol/errors/service-error.ts';
import { inTransaction } from '../store/database.ts';
import { announceChange } from '../events.ts';
import { isShown } from './row.ts';
import { amendPayment, getPayment } from '../payments/store.ts';
import type { Wallet } from '../platform.ts';

/**
 * Replaces the user's private note on a payment. An empty note removes it.
 * @param id the payment's ID
 * @throws ServiceError `not-found` if this browser made no such payment, or the activity doesn't show it
 */
export async function changeNote(wallet: Wallet, id: string, note: string): Promise<void> {
  await inTransaction(wallet, async (tx) => {
    const record = await getPayment(tx, id);
    if (!record || !isShown({ store: 'payments', id, time: record.createdAt, record }, wallet.now()))
      throw new ServiceError('not-found');
    const { note: _, ...rest } = record;
    const text = note.trim();
    await amendPayment(tx, { ...rest, ...(text !== '' && { note: text }) });
  });
  announceChange(wallet);
}
