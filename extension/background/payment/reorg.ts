/** Undoes decisions about payments by blocks that a reorganization removed. */
import type { WriteTransaction } from '../database.ts';
import { signalChange } from '../events.ts';
import { reviveAbove } from './conflicts.ts';
import { scheduleWork } from './schedule.ts';
import { NOT_TRIED } from './retry.ts';

/**
 * Undoes confirmations by blocks above a height, and their decisions against payments.
 * @returns the work to do once the transaction is committed: proofs are requested again
 */
export async function reopenAbove(tx: WriteTransaction, height: number): Promise<() => Promise<void>> {
  const ids = [...(await unconfirmAbove(tx, height)), ...(await reviveAbove(tx, height))];
  return async () => {
    for (const id of ids) signalChange(id);
    if (ids.length > 0) await scheduleWork();
  };
}

/**
 * Payments in those blocks have remaining work: their new proof, or another broadcast.
 * @returns their ids
 */
async function unconfirmAbove(tx: WriteTransaction, height: number): Promise<string[]> {
  const payments = tx.objectStore('payments');
  const taken = await payments.index('height').getAll(IDBKeyRange.lowerBound(height, true));
  for (const payment of taken) {
    await payments.put({
      ...payment,
      height: null,
      wasConfirmed: true,
      seenAt: null,
      unfinished: 1,
      confirmation: NOT_TRIED,
      updatedAt: Date.now(),
    });
  }
  return taken.map(({ id }) => id);
}
