/**
 * Checks whether the network has accepted the transaction that creates a coin. Before acceptance, a transaction that
 * spends the coin may never be mined, or may be mined only together with a transaction that the user did not want.
 */
import type { Coin } from '../../coins/coin.ts';
import { isFailed } from '../../coins/gone.ts';
import type { WriteTransaction } from '../../store/database.ts';
import { isLive, isOnNetwork } from '../move.ts';
import { lightMaking } from '../store.ts';
import { hasRival } from '../../coins/unproven.ts';

/** True if the network has the transaction that creates a coin. */
export async function isKnown(tx: WriteTransaction, { txid, height }: Pick<Coin, 'txid' | 'height'>): Promise<boolean> {
  if (height !== null) return true;
  const makers = await lightMaking(tx, txid);
  if (makers.length === 0) return !(await isFailed(tx, txid));
  for (const maker of makers) if (isOnNetwork(maker) && !(await hasRival(tx, maker))) return true;
  return false;
}

type FreeStatus = 'available' | 'pending' | 'void' | 'gone';

/** Returns a function that returns a coin's status when it is released. Reads the payments of a transaction only once. */
export function freeStatuses(tx: WriteTransaction): (coin: Pick<Coin, 'txid' | 'height'>) => Promise<FreeStatus> {
  const known = new Map<string, FreeStatus>();
  return async (coin) => {
    if (coin.height !== null) return 'available';
    const status = known.get(coin.txid) ?? (await freeStatus(tx, coin));
    known.set(coin.txid, status);
    return status;
  };
}

async function freeStatus(tx: WriteTransaction, coin: Pick<Coin, 'txid' | 'height'>): Promise<FreeStatus> {
  if (await isKnown(tx, coin)) return 'available';
  const makers = await lightMaking(tx, coin.txid);
  if (makers.length === 0) return 'gone';
  return makers.some((maker) => isLive(maker) && !maker.replacedBy) ? 'pending' : 'void';
}
