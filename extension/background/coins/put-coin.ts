/** The one place that writes coins, so that the totals always agree with them. */
import type { WriteTransaction } from '../database.ts';
import { ranked, type Coin } from './coin.ts';
import { counted, NOTHING, type BalanceTotals } from './balance-totals.ts';

/** Stores a coin, new or changed, and counts it, one coin after the other. No other code writes coins. */
export async function putCoin(tx: WriteTransaction, coin: Coin): Promise<void> {
  await replaceCoin(tx, coin.outpoint, coin);
}

/** Removes a coin, if it is there. */
export async function deleteCoin(tx: WriteTransaction, outpoint: string): Promise<void> {
  await replaceCoin(tx, outpoint, undefined);
}

async function replaceCoin(tx: WriteTransaction, outpoint: string, after: Coin | undefined): Promise<void> {
  const [coins, totals] = [tx.objectStore('coins'), tx.objectStore('totals')];
  const [before, sum = NOTHING] = await Promise.all([coins.get(outpoint), totals.get('coins')]);
  await Promise.all([
    totals.put(counted(sum as BalanceTotals, before, after), 'coins'),
    after ? coins.put(ranked(after)) : coins.delete(outpoint),
  ]);
}
