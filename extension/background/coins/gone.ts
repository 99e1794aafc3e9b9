/** Money that came in, and whose transaction is gone: dropped by the network, or double-spent in another branch. */
import { inOneStep, type StepTransaction } from '../database.ts';
import { putCoin } from './holdings.ts';
import type { Failure, Receipt } from './receipt.ts';

/**
 * Takes it out of the balance, in one database transaction with its receipt. Coins that a payment of ours has spent stay that
 * payment's: it cannot be mined without them, and ends by its own rules. Does nothing to what a block holds.
 */
export async function markGone(txid: string, failed: Failure, look: NonNullable<Receipt['look']>): Promise<void> {
  await inOneStep(async (tx) => {
    const receipt = await tx.objectStore('receipts').get(txid);
    if (!receipt || receipt.height !== null) return;
    if (receipt.failed !== failed || receipt.look?.at !== look.at) await tx.objectStore('receipts').put({ ...receipt, failed, look });
    for (const coin of await tx.objectStore('coins').index('txid').getAll(txid)) {
      if (coin.status === 'available') await putCoin(tx, { ...coin, status: 'gone', paymentId: null });
    }
  });
}

/** Notes a look after which it stands as it did. */
export async function noteLook(txid: string, look: NonNullable<Receipt['look']>): Promise<void> {
  await inOneStep(async (tx) => {
    const receipt = await tx.objectStore('receipts').get(txid);
    if (receipt) await tx.objectStore('receipts').put({ ...receipt, look });
  });
}

/** Puts it into the balance again, as a part of more: it is there after all. */
export async function bringBack(tx: StepTransaction, txid: string): Promise<void> {
  for (const coin of await tx.objectStore('coins').index('txid').getAll(txid)) {
    if (coin.status === 'gone') await putCoin(tx, { ...coin, status: 'available' });
  }
  const receipt = await tx.objectStore('receipts').get(txid);
  if (!receipt?.failed && !receipt?.look) return;
  const { failed, look, ...rest } = receipt;
  await tx.objectStore('receipts').put(rest);
}
