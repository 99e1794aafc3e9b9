/** Adds up all coins, in case the stored totals are wrong. */
import { database, inTransaction } from '../store/database.ts';
import { counted, NOTHING, type BalanceTotals } from './balance-totals.ts';
import type { Coin } from './coin.ts';
import type { Wallet } from '../platform.ts';

/** Coins that are read at a time. */
const COINS_PER_READ = 2000;

/** Corrects the totals if they differ from the coins, in one database transaction. @returns whether they did */
export async function recount(wallet: Wallet): Promise<boolean> {
  const tx = (await database(wallet)).transaction(['coins', 'totals']);
  if (isSame(await tx.objectStore('totals').get('coins'), await sumOf(tx))) return false;
  await inTransaction(wallet, async (write) => {
    await write.objectStore('totals').put(await sumOf(write), 'coins');
    await write.objectStore('totals').delete('scripts'); // added up again when needed (script-room.ts)
  });
  return true;
}

/** A database transaction that reads coins. */
interface Reading {
  objectStore(name: 'coins'): { getAll(range: IDBKeyRange | null, count: number): Promise<Coin[]> };
}

async function sumOf(tx: Reading): Promise<BalanceTotals> {
  let totals = NOTHING;
  for (let range: IDBKeyRange | null = null; ;) {
    const coins = await tx.objectStore('coins').getAll(range, COINS_PER_READ);
    for (const coin of coins) totals = counted(totals, undefined, coin);
    const last = coins.at(-1);
    if (!last || coins.length < COINS_PER_READ) return totals;
    range = IDBKeyRange.lowerBound(last.outpoint, true);
  }
}

function isSame(stored: unknown, { satoshis, unconfirmed, available }: BalanceTotals): boolean {
  const known = (stored as BalanceTotals | undefined) ?? NOTHING;
  return known.satoshis === satoshis && known.unconfirmed === unconfirmed && known.available === available;
}
