/** Which payment of the wallet holds a coin. The payments decide, and the coin's fields only repeat it. */
import type { PaymentState } from '../../protocol/messages/wallet-messages.ts';
import type { WriteTransaction } from '../store/database.ts';
import type { Coin } from './coin.ts';
import { paymentsIn, paymentsMaking, paymentsSpending } from '../payments/store.ts';

type Holding = Pick<Coin, 'status' | 'paymentId'>;

/** The part of a payment that its coins need. */
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
/** True if the network has accepted a payment, and as far as is known hasn't dropped it since. */
export const isOnNetwork = (payment: Holder) => isTaken(payment) && payment.trouble !== 'unseen';

/** How a payment holds a coin, within a larger transaction; null if none does. The one that it names comes first. */
export async function heldBy(
  tx: WriteTransaction,
  { outpoint, paymentId }: Pick<Coin, 'outpoint' | 'paymentId'>,
): Promise<Holding | null> {
  const spenders: Holder[] = (await paymentsSpending(tx, outpoint)).filter(isLive);
  const spender =
    spenders.find(({ id }) => id === paymentId) ?? spenders.toSorted((a, b) => b.createdAt - a.createdAt)[0];
  if (spender) return { status: isTaken(spender) ? 'spent' : 'reserved', paymentId: spender.id };
  const waiting: Holder[] = await paymentsIn(tx, 'signable');
  const signable = waiting.find(({ action }) => action?.unsigned?.coins.includes(outpoint));
  return signable ? { status: 'reserved', paymentId: signable.id } : null;
}

/** The payments that make a coin and are or may still be mined, within a larger transaction. */
export async function liveMakers(tx: WriteTransaction, { txid }: Pick<Coin, 'txid'>): Promise<Holder[]> {
  return (await paymentsMaking(tx, txid)).filter(isLive);
}

/**
 * The status of a coin that the index shows as unspent, within a larger transaction: that of the wallet's payment that
 * spends it; `pending` or `void` while the payment that makes it waits for the network itself; else available.
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
