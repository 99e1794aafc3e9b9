/**
 * What came in and may give a payment of ours back, at the address that paid it or by paymail: the account's service
 * knows, where the payment was reported to it. It may lie, which changes a label and no money.
 */
import { database, inTransaction, readKey } from '../database.ts';
import { announceChange } from '../events.ts';
import { listRefunds } from '../service/client.ts';
import { OWN } from '../sites/site.ts';
import type { Receipt } from '../coins/receipt.ts';

/** The service may hear of a refund later than the wallet sees its money: it is asked so long (milliseconds). */
const ASKED_FOR_MS = 7 * 24 * 3600_000;
/** And no more often than this, and ever more rarely: each time after another twentieth of how long it has been there. */
const ASKED_EVERY_MS = 60_000;
const PART_OF_AGE = 20;
/** The latest receipts that are looked at. */
const MOST = 100;

/** Refunds of one payment that it lists in its details. */
const MOST_OF_A_PAYMENT = 100;

let askedAt = 0;
let hasArrived = false;

/**
 * Asks, where something is open. Never throws: the next refresh asks again.
 * @param isNew something has just come in by paymail: however old its service says it is, it is asked about once
 */
export async function confirmRefunds(isNew = false): Promise<void> {
  hasArrived ||= isNew;
  const waited = Math.abs(Date.now() - askedAt);
  if (waited < ASKED_EVERY_MS || !(await readKey('account'))) return;
  if (!hasArrived) {
    const since = await latestOpen();
    if (since === null || waited < (Date.now() - since) / PART_OF_AGE) return;
  }
  askedAt = Date.now();
  hasArrived = false;
  const refunds = await listRefunds().catch(() => []);
  let hasChanged = false;
  for (const { paymentId, txid } of refunds) hasChanged = (await confirm(paymentId, txid)) || hasChanged;
  if (hasChanged) announceChange();
}

/** When the latest money came in of which it is not known whether it gives something back; null where there is none. */
async function latestOpen(): Promise<number | null> {
  const since = IDBKeyRange.lowerBound(Date.now() - ASKED_FOR_MS);
  const latest = (await database()).transaction('receipts').store.index('createdAt');
  let left = MOST;
  for (let cursor = await latest.openCursor(since, 'prev'); cursor && left > 0; cursor = await cursor.continue()) {
    if (isOpen(cursor.value)) return cursor.value.createdAt;
    left -= 1;
  }
  return null;
}

/** Could it be a refund: where a payment came from, or by paymail (the service names a sender, or says there is none)? */
const isOpen = ({ refundOf, sender, spent, failed }: Receipt) =>
  !failed && !spent && !refundOf?.isConfirmed && (refundOf !== undefined || sender !== undefined);

/** Notes it where both are in this wallet. @returns whether that was new */
async function confirm(paymentId: string, txid: string): Promise<boolean> {
  return inTransaction(async (tx) => {
    const [receipt, payment] = await Promise.all([
      tx.objectStore('receipts').get(txid),
      tx.objectStore('payments').get(paymentId),
    ]);
    if (!receipt || !payment?.signed || !isOpen(receipt)) return false;
    const origin = payment.origin === OWN ? null : payment.origin;
    const refundOf = { id: paymentId, origin, to: payment.quote.outputs[0]?.to ?? '', isConfirmed: true };
    await tx.objectStore('receipts').put({ ...receipt, refundOf });
    // By paymail it has an address of its own, by which the payment would not find it.
    const { refundedBy = [] } = payment;
    if (receipt.sender !== undefined && refundedBy.length < MOST_OF_A_PAYMENT)
      await tx.objectStore('payments').put({ ...payment, refundedBy: [...refundedBy, txid] });
    return true;
  });
}
