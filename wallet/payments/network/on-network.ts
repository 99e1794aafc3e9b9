/**
 * Coins that the network has, because it has accepted the transaction that makes them. A transaction that spends other
 * coins may never be mined, or only together with one that the user did not want.
 */
import type { Coin } from '../../coins/coin.ts';
import { isGone } from '../../coins/gone.ts';
import { type WriteTransaction, readTransaction, database } from '../../store/database.ts';
import type { PaymentRecord } from '../record.ts';
import { isLive, isOnNetwork } from '../move.ts';
import { paymentsMaking } from '../store.ts';
import type { Wallet } from '../../platform.ts';

/** Whether the network has the transaction that makes a coin. */
export async function isKnown(tx: WriteTransaction, { txid, height }: Pick<Coin, 'txid' | 'height'>): Promise<boolean> {
  if (height !== null) return true;
  const makers = await paymentsMaking(tx, txid);
  return makers.length > 0 ? makers.some(isOnNetwork) : !(await isGone(tx, txid));
}

export async function freeStatus(
  tx: WriteTransaction,
  coin: Pick<Coin, 'txid' | 'height'>,
): Promise<'available' | 'pending' | 'void' | 'gone'> {
  if (await isKnown(tx, coin)) return 'available';
  const makers = await paymentsMaking(tx, coin.txid);
  if (makers.length === 0) return 'gone';
  return makers.some((maker) => isLive(maker) && !maker.replacedBy) ? 'pending' : 'void';
}

/** True if a payment spends an output that the network lacks, so that it can't be broadcast yet. */
export async function waitsForMaker(wallet: Wallet, { signed }: PaymentRecord): Promise<boolean> {
  const tx = readTransaction(await database(wallet));
  const txids = new Set(signed?.inputs.map((key) => key.slice(0, 64)));
  const makers = await Promise.all([...txids].map((txid) => paymentsMaking(tx, txid)));
  return makers.some((own) => own.length > 0 && !own.some(isOnNetwork));
}
