/** Change of a site's unbroadcast actions, which another action of the site spends before the network has it. */
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { Coin } from '../../coins/coin.ts';
import type { WriteTransaction } from '../../store/database.ts';
import { isOnNetwork } from '../record.ts';
import { paymentMaking, paymentsMaking } from '../store.ts';
import { getCoin } from '../../coins/records.ts';

/**
 * The coins of such change, while they can be spent: their transaction is withheld, on its way to the network or there.
 * @param outpoints of change
 * @throws ServiceError `unusable-input`, if one is spent, or its transaction was given up, refused or replaced
 */
export async function keptChange(tx: WriteTransaction, outpoints: readonly string[]): Promise<Coin[]> {
  const coins: Coin[] = [];
  for (const key of outpoints) {
    const coin = await getCoin(tx, key);
    const isThere = coin?.status === 'available' || (coin?.status === 'pending' && (await isComing(tx, coin)));
    if (!isThere) throw new ServiceError('unusable-input', { detail: 'the change is gone' });
    coins.push(coin);
  }
  return coins;
}

async function isComing(tx: WriteTransaction, { txid }: Pick<Coin, 'txid'>): Promise<boolean> {
  const maker = await paymentMaking(tx, txid);
  return maker !== undefined && !maker.replacedBy && (maker.trouble === 'held' || maker.trouble === null);
}

/**
 * Rejects an action that spends an output of another transaction of the wallet which the network doesn't have, unless
 * that one is of the same site and is sent with it.
 * @throws ServiceError `unusable-input`
 */
export async function refuseUnknown(tx: WriteTransaction, origin: string, outpoints: readonly string[]): Promise<void> {
  for (const txid of new Set(outpoints.map((key) => key.slice(0, 64)))) {
    const makers = await paymentsMaking(tx, txid);
    if (makers.length === 0 || makers.some(isOnNetwork)) continue;
    if (!makers.some((one) => one.origin === origin && one.state === 'signed') || !(await isComing(tx, { txid })))
      throw new ServiceError('unusable-input', { detail: 'the network does not have what makes it' });
  }
}
