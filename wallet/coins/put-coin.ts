/** The only module that writes coins, so that the totals always agree with them. */
import type { WriteTransaction } from '../store/database.ts';
import { ranked, type Coin } from './coin.ts';
import { counted, NOTHING, type BalanceTotals } from './balance-totals.ts';
import { countScript } from './script-room.ts';

/** Stores a new or changed coin and counts it, sequentially. No other code writes coins. */
export async function putCoin(tx: WriteTransaction, given: Coin): Promise<void> {
  const { isUnproven, ...proven } = given;
  const coin = given.status === 'available' ? proven : given;
  const [coins, totals] = [tx.objectStore('coins'), tx.objectStore('totals')];
  const [before, sum] = await Promise.all([coins.get(coin.outpoint), totals.get('coins')]);
  await Promise.all([
    totals.put(counted((sum as BalanceTotals | undefined) ?? NOTHING, before, coin), 'coins'),
    coins.put(ranked(coin)),
    countScript(tx, before, coin, sum === undefined),
  ]);
}

/** Removes a coin that exists under another outpoint, because the id of its transaction has changed. */
export async function removeCoin(tx: WriteTransaction, outpoint: string): Promise<void> {
  const [coins, totals] = [tx.objectStore('coins'), tx.objectStore('totals')];
  const [before, sum] = await Promise.all([coins.get(outpoint), totals.get('coins')]);
  await Promise.all([
    totals.put(counted((sum as BalanceTotals | undefined) ?? NOTHING, before, undefined), 'coins'),
    coins.delete(outpoint),
    countScript(tx, before, undefined, false),
  ]);
}
