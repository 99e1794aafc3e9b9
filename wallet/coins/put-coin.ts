/** The only module that writes coins, so that the totals always agree with them. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { WriteTransaction } from '../store/database.ts';
import { ranked, type Coin } from './coin.ts';
import { counted, NOTHING } from './balance-totals.ts';
import { moveCoin, type CoinMove } from './move.ts';
import { getTotal, putTotal } from '../store/totals.ts';
import { countScript } from './script-room.ts';

/** Stores a new coin. @throws ServiceError `internal` if it exists */
export async function addCoin(tx: WriteTransaction, coin: Coin): Promise<void> {
  await write(tx, coin, (before) => {
    if (before) throw new ServiceError('internal', { detail: 'a new coin that exists' });
  });
}

/**
 * Stores a coin after an event.
 * @throws ServiceError `internal` if the event is illegal in the coin's status
 */
export async function changeCoin(tx: WriteTransaction, coin: Coin, move: CoinMove): Promise<void> {
  await write(tx, moveCoin(coin, move));
}

/** Stores changes that aren't events. */
export async function amendCoin(
  tx: WriteTransaction,
  coin: Coin,
  changes: Partial<Omit<Coin, 'status'>> & { status?: never },
): Promise<void> {
  await write(tx, { ...coin, ...changes, status: coin.status });
}

/** Stores a coin as it is. For tests. */
export const putCoin = (tx: WriteTransaction, coin: Coin): Promise<void> => write(tx, coin);

/** Counts it as well, sequentially. */
async function write(tx: WriteTransaction, coin: Coin, check?: (before: Coin | undefined) => void): Promise<void> {
  const coins = tx.objectStore('coins');
  const [before, sum] = await Promise.all([coins.get(coin.outpoint), getTotal(tx, 'coins')]);
  check?.(before);
  await Promise.all([
    putTotal(tx, 'coins', counted(sum ?? NOTHING, before, coin)),
    coins.put(ranked(coin)),
    countScript(tx, before, coin, sum === undefined),
  ]);
}

/** Removes a coin whose outpoint has changed with the id of its transaction. */
export async function removeCoin(tx: WriteTransaction, outpoint: string): Promise<void> {
  const coins = tx.objectStore('coins');
  const [before, sum] = await Promise.all([coins.get(outpoint), getTotal(tx, 'coins')]);
  await Promise.all([
    putTotal(tx, 'coins', counted(sum ?? NOTHING, before, undefined)),
    coins.delete(outpoint),
    countScript(tx, before, undefined, false),
  ]);
}
