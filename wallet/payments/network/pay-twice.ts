/**
 * Detects that an earlier payment may still be made in addition to a new one that repeats it. Then the user decides
 * instead of an allowance or swipe.
 */
import { inTransaction, type WriteTransaction, readTransaction, database } from '../../store/database.ts';
import type { Plan } from '../../transaction/plan.ts';
import type { Coin } from '../../coins/coin.ts';
import { spendersOf } from './conflicts.ts';
import { isKeptByApplication, isLive, isOnNetwork, isOpen, PATIENCE_ATTEMPTS, type PaymentRecord } from '../record.ts';
import type { Quote } from '../../recipients/quote.ts';
import { repeats } from './replace.ts';
import { isTakenLate } from './taken-late.ts';
import { transition } from '../transition.ts';
import { allRequests, paymentsIn, paymentsMaking, paymentsUnfinished } from '../store.ts';
import { tipIn } from '../../chain/headers/store.ts';
import type { Wallet } from '../../platform.ts';

/** A payment to be signed. */
type Next = Pick<PaymentRecord, 'origin' | 'quote' | 'action' | 'asset' | 'cancel'>;

export function mayPayTwice(wallet: Wallet, next: Next, plan: Pick<Plan<Coin>, 'inputs'>): Promise<boolean> {
  return inTransaction(wallet, (tx) => paysTwice(wallet, tx, next, plan));
}

/**
 * Whether the network may accept both an earlier payment and the new one, within a larger transaction: they have no
 * coin in common, or the new one is not broadcast yet. Also true if it accepted the earlier one only after its page had
 * received another result.
 */
export async function paysTwice(
  wallet: Wallet,
  tx: WriteTransaction,
  next: Next,
  { inputs }: Pick<Plan<Coin>, 'inputs'>,
): Promise<boolean> {
  // An asset is minted only once.
  if (next.cancel || next.asset?.mint) return false;
  const isSent = !next.action?.noSend && !next.action?.signLater;
  const spent = new Set(isSent ? inputs.map(({ outpoint }) => outpoint) : []);
  for (const earlier of await paymentsIn(tx, 'signed'))
    if (
      ((isOpen(earlier) && repeats(next, earlier)) || repeatsPending(next, earlier)) &&
      !(await isExcluded(tx, earlier, spent))
    )
      return true;
  const unfinished = await paymentsUnfinished(tx);
  const tip = (await tipIn(tx))?.height ?? null;
  return unfinished.some((earlier) => isTakenLate(wallet, earlier, tip) && repeats(next, earlier));
}

/**
 * True if a payment is the same as one whose page got `payment-pending`: the wallet still sends that one. Another amount
 * or recipient is another payment, so that a short outage doesn't stop a site's small payments.
 */
function repeatsPending(next: Next, earlier: PaymentRecord): boolean {
  if (earlier.broadcast.attempts < PATIENCE_ATTEMPTS || isKeptByApplication(earlier)) return false;
  if (earlier.origin !== next.origin || earlier.action || next.action || earlier.cancel || earlier.sweep) return false;
  const [a, b] = [next.quote, earlier.quote];
  const recipients = ({ outputs }: Quote) => outputs.map(({ to }) => to).join('\n');
  return a.amount === b.amount && a.currency === b.currency && recipients(a) === recipients(b);
}

/**
 * Stores that its page or the user knows that a payment is paid. From then on, repeating it is another payment.
 * @param shown the payment as they have seen it
 */
export async function noteKnownPaid(wallet: Wallet, shown: PaymentRecord): Promise<void> {
  if (isTakenLate(wallet, shown, null))
    await transition(wallet, shown.id, ['broadcast', 'settled'], () => ({ knownPaid: true }));
}

/** True if a request that repeats a contested payment must wait for its decision, as otherwise both could be paid. */
export async function isAskedAgain(wallet: Wallet, earlier: PaymentRecord): Promise<boolean> {
  if (!isOpen(earlier)) return false;
  const tx = readTransaction(await database(wallet));
  const waiting = [...(await paymentsIn(tx, 'requested')), ...(await paymentsIn(tx, 'approved'))];
  if (waiting.some((next) => !next.cancel && repeats(next, earlier))) return true;
  return (await allRequests(tx)).some(({ origin }) => origin === earlier.origin);
}

/** True if transactions that spend some coins exclude a payment, directly or through its parents. */
async function isExcluded(
  tx: WriteTransaction,
  { id, signed }: PaymentRecord,
  spent: ReadonlySet<string>,
): Promise<boolean> {
  for (const key of signed?.inputs ?? []) {
    if (spent.has(key)) return true;
    if ((await spendersOf(tx, key)).some((other) => other.id !== id && isOnNetwork(other))) return true;
    for (const maker of await paymentsMaking(tx, key.slice(0, 64)))
      if (maker.id !== id && isLive(maker) && !isOnNetwork(maker) && (await isExcluded(tx, maker, spent))) return true;
  }
  return false;
}
