/** Recomputes the totals from all coins, in case the stored totals are wrong. */
import { database, inTransaction, readTransaction, type Reading } from '../store/database.ts';
import { counted, NOTHING, type BalanceTotals } from './coin.ts';
import { forgetTotal, getTotal, putTotal } from '../store/totals.ts';
import type { Wallet } from '../platform.ts';

const COINS_PER_READ = 2000;

/** Corrects the totals if they differ from the coins, in one database transaction. @returns true if they differed */
export async function recount(wallet: Wallet): Promise<boolean> {
  const tx = readTransaction(await database(wallet));
  if (isSame((await getTotal(tx, 'coins')) ?? NOTHING, await sumOf(wallet, tx))) return false;
  await inTransaction(wallet, async (write) => {
    await putTotal(write, 'coins', await sumOf(wallet, write));
    await forgetTotal(write, 'scripts'); // recomputed on demand (records.ts)
  });
  return true;
}

async function sumOf(wallet: Wallet, tx: Reading): Promise<BalanceTotals> {
  let totals = NOTHING;
  for (let range: IDBKeyRange | null = null; ;) {
    const coins = await tx.objectStore('coins').getAll(range, COINS_PER_READ);
    for (const coin of coins) totals = counted(totals, undefined, coin);
    const last = coins.at(-1);
    if (!last || coins.length < COINS_PER_READ) return totals;
    range = wallet.keyRange.lowerBound(last.outpoint, true);
  }
}

function isSame(known: BalanceTotals, { satoshis, unconfirmed, available }: BalanceTotals): boolean {
  return known.satoshis === satoshis && known.unconfirmed === unconfirmed && known.available === available;
}
