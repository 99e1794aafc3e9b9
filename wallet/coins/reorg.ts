/** Reverts confirmations in blocks that a reorganization removed. */
import type { WriteTransaction } from '../store/database.ts';
import { restoreAbove } from './gone.ts';
import { amendCoin } from './records.ts';
import { receiptsMinedAbove, putMoved } from './receipts/receipts.ts';
import type { Wallet } from '../platform.ts';

/** Marks coins and receipts above a height as unconfirmed, and restores money that was double-spent in those blocks. */
export async function unconfirmAbove(wallet: Wallet, tx: WriteTransaction, height: number): Promise<void> {
  const above = wallet.keyRange.lowerBound(height, true);
  for (const coin of await tx.objectStore('coins').index('height').getAll(above))
    await amendCoin(tx, coin, { height: null, depth: 1 });
  for (const receipt of await receiptsMinedAbove(wallet, tx, height))
    await putMoved(tx, receipt, { event: 'unconfirm' });
  await restoreAbove(wallet, tx, height);
}
