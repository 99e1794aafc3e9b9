/** The only module that writes coins, so that the totals always agree with them. */
import type { WriteTransaction } from '../store/database.ts';
import { ranked, type Coin } from './coin.ts';
import { counted, NOTHING } from './balance-totals.ts';
import { getTotal, putTotal } from '../store/totals.ts';
import { countScript } from './script-room.ts';

/** Stores a new or changed coin and counts it, sequentially. No other code writes coins. */
export async function putCoin(tx: WriteTransaction, given: Coin): Promise<void> {
  const { isUnproven, ...proven } = given;
  const coin = given.status === 'available' ? proven : given;
  const coins = tx.objectStore('coins');
  const [before, sum] = await Promise.all([coins.get(coin.outpoint), getTotal(tx, 'coins')]);
  await Promise.all([
    putTotal(tx, 'coins', counted(sum ?? NOTHING, before, coin)),
    coins.put(ranked(coin)),
    countScript(tx, before, coin, sum === undefined),
  ]);
}

/** Removes a coin that exists under another outpoint, because the id of its transaction has changed. */
export async function removeCoin(tx: WriteTransaction, outpoint: string): Promise<void> {
  const coins = tx.objectStore('coins');
  const [before, sum] = await Promise.all([coins.get(outpoint), getTotal(tx, 'coins')]);
  await Promise.all([
    putTotal(tx, 'coins', counted(sum ?? NOTHING, before, undefined)),
    coins.delete(outpoint),
    countScript(tx, before, undefined, false),
  ]);
}
