/**
 * Determines whether received money is a refund. Money may be a refund if it arrived at an address from which a payment
 * was made, or by paymail. The account's service recognizes a refund if the payment was reported to it. A lying service
 * can cause money to be mislabeled, but can't move it.
 */
import { database, inTransaction, readKey, readTransaction } from '../store/database.ts';
import { announceChange } from '../events.ts';
import { listRefunds } from '../service/client.ts';
import { OWN } from '../sites/site.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import { amendPayment, getPayment } from '../payments/store.ts';
import { getReceipt, newestReceipts, putReceipt } from '../coins/receipts/receipts.ts';
import { part, type Wallet } from '../platform.ts';

/**
 * How long the service is queried about a receipt (milliseconds), because it may receive the refund's report after the
 * wallet has found the money.
 */
const ASKED_FOR_MS = 7 * 24 * 3600_000;
/** Minimum time between queries (milliseconds). */
const ASKED_EVERY_MS = 60_000;
/** For older receipts, the minimum time is their age divided by this number. */
const PART_OF_AGE = 20;
/** Maximum number of recent receipts checked. */
const MAX_RECEIPTS = 100;

const MAX_REFUNDS_PER_PAYMENT = 100;

const memoryOf = part(() => ({
  askedAt: 0,
  hasArrived: false,
}));

/**
 * Queries the service if it hasn't confirmed a possible refund yet. Never throws: the next refresh retries.
 * @param isNew true if a paymail payment has just arrived: queries once, regardless of its reported age
 */
export async function confirmRefunds(wallet: Wallet, isNew = false): Promise<void> {
  memoryOf(wallet).hasArrived ||= isNew;
  await confirmAll(wallet).catch(() => undefined);
}

/** @throws ServiceError `network-unavailable`, `disk-full` */
async function confirmAll(wallet: Wallet): Promise<void> {
  const memory = memoryOf(wallet);
  const waited = Math.abs(wallet.now() - memory.askedAt);
  if (waited < ASKED_EVERY_MS || !(await readKey(wallet, 'account'))) return;
  if (!memory.hasArrived) {
    const since = await latestOpen(wallet);
    if (since === null || waited < (wallet.now() - since) / PART_OF_AGE) return;
  }
  memory.askedAt = wallet.now();
  const refunds = await listRefunds(wallet);
  let hasChanged = false;
  try {
    for (const { paymentId, txid } of refunds) hasChanged = (await confirm(wallet, paymentId, txid)) || hasChanged;
  } finally {
    if (hasChanged) announceChange(wallet);
  }
  memory.hasArrived = false;
}

/** Returns the time of the latest received money that may be a refund; null if there is none. */
async function latestOpen(wallet: Wallet): Promise<number | null> {
  const since = wallet.now() - ASKED_FOR_MS;
  let left = MAX_RECEIPTS;
  for await (const receipt of newestReceipts(wallet, readTransaction(await database(wallet)), since)) {
    if (isOpen(receipt)) return receipt.createdAt;
    left -= 1;
    if (left === 0) break;
  }
  return null;
}

/** True if a receipt may be a refund that the service hasn't confirmed. `sender` is set for paymail payments. */
const isOpen = ({ refundOf, sender, spent, failed }: Receipt) =>
  !failed && !spent && !refundOf?.isConfirmed && (refundOf !== undefined || sender !== undefined);

/** Records a refund confirmed by the service, if this wallet has both transactions. @returns true if it was new */
async function confirm(wallet: Wallet, paymentId: string, txid: string): Promise<boolean> {
  return inTransaction(wallet, async (tx) => {
    const [receipt, payment] = await Promise.all([getReceipt(tx, txid), getPayment(tx, paymentId)]);
    if (!receipt || !payment?.signed || !isOpen(receipt)) return false;
    const origin = payment.origin === OWN ? null : payment.origin;
    const refundOf = { id: paymentId, origin, to: payment.quote.outputs[0]?.to ?? '', isConfirmed: true };
    await putReceipt(tx, { ...receipt, refundOf });
    // A paymail refund's address doesn't identify the payment, so the payment stores the refund's ID.
    const { refundedBy = [] } = payment;
    if (receipt.sender !== undefined && refundedBy.length < MAX_REFUNDS_PER_PAYMENT)
      await amendPayment(tx, { ...payment, refundedBy: [...refundedBy, txid] });
    return true;
  });
}
