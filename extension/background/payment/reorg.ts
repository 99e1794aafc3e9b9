/** What a reorganisation means for payments: what blocks above a height said of them is open again. */
import type { WriteTransaction } from '../database.ts';
import { signalChange } from '../events.ts';
import { reviveAbove } from './conflicts.ts';
import { scheduleWork } from './schedule.ts';
import { NOT_TRIED } from './retry.ts';

/**
 * Takes back confirmations by blocks above a height, and decisions that they made against payments.
 * @returns what is to be done once the transaction is committed: proofs are asked for anew
 */
export async function reopenAbove(tx: WriteTransaction, height: number): Promise<() => Promise<void>> {
  const ids = [...(await unconfirmAbove(tx, height)), ...(await reviveAbove(tx, height))];
  return async () => {
    for (const id of ids) signalChange(id);
    if (ids.length > 0) await scheduleWork();
  };
}

/**
 * Payments in those blocks have something left to do: their new proof, or to be given to the network again.
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
