/** Which payment of ours has a coin. The payments decide that; what a coin says of it only repeats them. */
import type { PaymentState } from '../../../protocol/wallet-messages.ts';
import type { WriteTransaction } from '../database.ts';
import type { Coin } from './coin.ts';

type Holding = Pick<Coin, 'status' | 'paymentId'>;

/** A payment as far as its coins need it. */
interface Holder {
  id: string;
  createdAt: number;
  state: PaymentState;
  trouble: string | null;
  signed: object | null;
  action?: { unsigned?: { coins: string[] } };
}

const isTaken = ({ state }: Holder) => state === 'broadcast' || state === 'settled';
const isLive = (payment: Holder) => payment.signed !== null && (payment.state === 'signed' || isTaken(payment));
/** True if the network has accepted a payment, and has not dropped it since as far as is known. */
export const isOnNetwork = (payment: Holder) => isTaken(payment) && payment.trouble !== 'unseen';

/** How a payment of ours holds a coin, as a part of more; null if none does. One that the coin names comes first. */
export async function heldBy(
  tx: WriteTransaction,
  { outpoint, paymentId }: Pick<Coin, 'outpoint' | 'paymentId'>,
): Promise<Holding | null> {
  const payments = tx.objectStore('payments');
  const spenders: Holder[] = (await payments.index('input').getAll(outpoint)).filter(isLive);
  const spender =
    spenders.find(({ id }) => id === paymentId) ?? spenders.toSorted((a, b) => b.createdAt - a.createdAt)[0];
  if (spender) return { status: isTaken(spender) ? 'spent' : 'reserved', paymentId: spender.id };
  const waiting: Holder[] = await payments.index('state').getAll('signable');
  const signable = waiting.find(({ action }) => action?.unsigned?.coins.includes(outpoint));
  return signable ? { status: 'reserved', paymentId: signable.id } : null;
}

/** The payments that make a coin and may still be mined, or are, as a part of more. */
export async function liveMakers(tx: WriteTransaction, { txid }: Pick<Coin, 'txid'>): Promise<Holder[]> {
  return (await tx.objectStore('payments').index('txid').getAll(txid)).filter(isLive);
}

/**
 * How a coin stands that the index shows as unspent, as a part of more: as the payment of ours that spends it has it;
 * `pending` or `void` as long as the payment that makes it waits for the network itself; else available.
 */
export async function holdingOf(tx: WriteTransaction, coin: Coin): Promise<Holding> {
  const held = await heldBy(tx, coin);
  if (held) return held;
  if (coin.status === 'available') return coin;
  if (coin.status === 'pending' || coin.status === 'void') {
    const makers = await liveMakers(tx, coin);
    if (makers.length > 0 && !makers.some(isOnNetwork)) return coin;
  }
  return { status: 'available', paymentId: null };
}
