/** What a reorganisation takes back: confirmations in blocks that are not in the followed chain any more. */
import type { StepTransaction } from '../database.ts';
import { bringBackAbove } from './gone.ts';
import { putCoin } from './holdings.ts';

/**
 * Makes unconfirmed again what stands in blocks above a height: coins, receipts, and payments, which then have
 * something left to do: their new proof, or to be given to the network again. What a block there made impossible to
 * come in may come in again.
 * @returns the ids of those payments
 */
export async function unconfirmAbove(tx: StepTransaction, height: number): Promise<string[]> {
  const above = IDBKeyRange.lowerBound(height, true);
  const [coins, receipts, payments] = [tx.objectStore('coins'), tx.objectStore('receipts'), tx.objectStore('payments')];
  for (const coin of await coins.index('height').getAll(above)) await putCoin(tx, { ...coin, height: null, depth: 1 });
  for (const receipt of await receipts.index('height').getAll(above))
    await receipts.put({ ...receipt, height: null, unconfirmed: 1 });
  await bringBackAbove(tx, height);
  const taken = await payments.index('height').getAll(above);
  for (const payment of taken) {
    await payments.put({
      ...payment,
      height: null,
      wasConfirmed: true,
      seenAt: null,
      unfinished: 1,
      delivery: { attempts: 0, nextAt: 0, problem: null },
      updatedAt: Date.now(),
    });
  }
  return taken.map(({ id }) => id);
}
