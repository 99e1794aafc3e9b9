/**
 * Finds the payment that holds (reserves or spends) a coin. The payment records are authoritative, and a coin's fields
 * only mirror them.
 */
import type { PaymentState } from '../../protocol/messages/wallet-messages.ts';
import type { WriteTransaction } from '../store/database.ts';
import { type Coin, type CoinMove, type CoinHold, heldAs } from './coin.ts';
import { getPayment, lightIn, lightMaking, lightSpenders } from '../payments/store.ts';

/** The fields of a payment that determine the status of its coins. */
interface Holder {
  id: string;
  createdAt: number;
  state: PaymentState;
  trouble: string | null;
  signed: object | null;
  ended?: object | null;
}

const isTaken = ({ state }: Holder) => state === 'broadcast' || state === 'settled';

export const isLive = (payment: Holder) => payment.signed !== null && (payment.state === 'signed' || isTaken(payment));

/** True if the network has accepted a payment and isn't known to have dropped it. */
export const isOnNetwork = (payment: Holder) => isTaken(payment) && payment.trouble !== 'unseen';

/**
 * Returns the hold on a coin, preferably that of the payment `paymentId`, or null.
 * @param reserved the result of one {@link reservedIn} call, shared by many coins
 */
export async function heldBy(
  tx: WriteTransaction,
  { outpoint, paymentId }: Pick<Coin, 'outpoint' | 'paymentId'>,
  reserved = reservedIn(tx),
): Promise<CoinHold | null> {
  const spenders: Holder[] = (await lightSpenders(tx)(outpoint)).filter(isLive);
  const spender =
    spenders.find(({ id }) => id === paymentId) ?? spenders.toSorted((a, b) => b.createdAt - a.createdAt)[0];
  if (spender) return heldAs(isTaken(spender), spender.id);
  const signable = (await reserved()).find(({ coins }) => coins.includes(outpoint));
  return signable ? heldAs(false, signable.id) : null;
}

/** Coins (outpoints) and change scripts (hex) that are reserved for an action that has yet to be signed. */
interface Reservation {
  id: string;
  coins: string[];
  change: string[];
}

/** Returns a function that reads the reservations only once. No action may be added or signed in the meantime. */
export function reservedIn(tx: WriteTransaction): () => Promise<Reservation[]> {
  let read: Promise<Reservation[]> | undefined;
  return () => (read ??= reservations(tx));
}

/** Returns the reservations for all actions that have yet to be signed. */
export async function reservations(tx: WriteTransaction): Promise<Reservation[]> {
  const signable = await lightIn(tx, 'signable');
  return Promise.all(
    signable.map(async ({ id, action }) => {
      // Copies stored by earlier versions contain neither.
      const parts = action?.reserved ?? action?.unsigned ?? (await getPayment(tx, id))?.action?.unsigned;
      return { id, coins: parts?.coins ?? [], change: parts?.change ?? [] };
    }),
  );
}

/** Returns the payments that create a coin and that were or may still be mined. */
export async function liveMakers(tx: WriteTransaction, { txid }: Pick<Coin, 'txid'>): Promise<Holder[]> {
  return (await lightMaking(tx, txid)).filter(isLive);
}

/**
 * Returns the event for a coin that the index shows as unspent, or null for no change. A payment that spends the coin
 * keeps its hold. Otherwise the coin becomes available, unless the network has yet to accept the payment that creates
 * it, or a block with a conflicting transaction has ended that payment. The index can be outdated or wrong about both.
 */
export async function moveOfShown(
  tx: WriteTransaction,
  coin: Coin,
  reserved = reservedIn(tx),
): Promise<CoinMove | null> {
  const held = await heldBy(tx, coin, reserved);
  if (held) return held;
  if (coin.status === 'available') return null;
  const makers: Holder[] = await lightMaking(tx, coin.txid);
  const known = makers.filter((maker) => isLive(maker) || Boolean(maker.ended));
  return known.length > 0 && !known.some(isOnNetwork) ? null : { event: 'show' };
}
