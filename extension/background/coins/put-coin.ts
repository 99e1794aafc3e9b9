/** The one place that writes coins, so that the totals always agree with them. */
import type { WriteTransaction } from '../database.ts';
import { ranked, type Coin } from './coin.ts';
import { counted, NOTHING } from './balance-totals.ts';

/** Stores a coin, new or changed, and counts it. No other code writes coins. */
export async function putCoin(tx: WriteTransaction, coin: Coin): Promise<void> {
  await count(tx, await tx.objectStore('coins').get(coin.outpoint), coin);
  await tx.objectStore('coins').put(ranked(coin));
}

/** Removes a coin, if it is there. */
export async function deleteCoin(tx: WriteTransaction, outpoint: string): Promise<void> {
  await count(tx, await tx.objectStore('coins').get(outpoint), undefined);
  await tx.objectStore('coins').delete(outpoint);
}

async function count(tx: WriteTransaction, before: Coin | undefined, after: Coin | undefined): Promise<void> {
  const totals = tx.objectStore('totals');
  await totals.put(counted((await totals.get('coins')) ?? NOTHING, before, after), 'coins');
}
