/** Which payment of the wallet holds a coin. The payments decide, and the coin's fields only repeat it. */
import type { PaymentState } from '../../protocol/messages/wallet-messages.ts';
import type { WriteTransaction } from '../store/database.ts';
import { type Coin, type CoinMove, type Held, heldAs } from './coin.ts';
import { paymentsIn, paymentsMaking, paymentsSpending } from '../payments/store.ts';

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

/** True if the network has accepted a payment, and as far as is known still has it. */
export const isOnNetwork = (payment: Holder) => isTaken(payment) && payment.trouble !== 'unseen';

/** How a payment holds a coin, within a larger transaction; null if none does. The one that it names comes first. */
export async function heldBy(
  tx: WriteTransaction,
  { outpoint, paymentId }: Pick<Coin, 'outpoint' | 'paymentId'>,
): Promise<Held | null> {
  const spenders: Holder[] = (await paymentsSpending(tx, outpoint)).filter(isLive);
  const spender =
    spenders.find(({ id }) => id === paymentId) ?? spenders.toSorted((a, b) => b.createdAt - a.createdAt)[0];
  if (spender) return heldAs(isTaken(spender), spender.id);
  const waiting: Holder[] = await paymentsIn(tx, 'signable');
  const signable = waiting.find(({ action }) => action?.unsigned?.coins.includes(outpoint));
  return signable ? heldAs(false, signable.id) : null;
}

/** The payments that make a coin and are or may still be mined, within a larger transaction. */
export async function liveMakers(tx: WriteTransaction, { txid }: Pick<Coin, 'txid'>): Promise<Holder[]> {
  return (await paymentsMaking(tx, txid)).filter(isLive);
}

/**
 * How a coin moves that the index shows as unspent, within a larger transaction: held by the wallet's payment that
 * spends it; not (null) while the payment that makes it waits for the network itself; else it is available.
 */
export async function moveOfShown(tx: WriteTransaction, coin: Coin): Promise<CoinMove | null> {
  const held = await heldBy(tx, coin);
  if (held) return held;
  if (coin.status === 'available') return null;
  if (coin.status === 'pending' || coin.status === 'void') {
    const makers = await liveMakers(tx, coin);
    if (makers.length > 0 && !makers.some(isOnNetwork)) return null;
  }
  return { event: 'show' };
}
