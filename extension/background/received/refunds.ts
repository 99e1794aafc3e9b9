/**
 * What came in and may give a payment of ours back: the account's service knows, where the payment was reported to it. It
 * may lie, which changes a label and no money.
 */
import { database, inTransaction, readKey } from '../database.ts';
import { announceChange } from '../events.ts';
import { listRefunds } from '../service/client.ts';
import { OWN } from '../sites/site.ts';
import type { Receipt } from '../coins/receipt.ts';

/** The service may hear of a refund later than the wallet sees its money: it is asked so long (milliseconds). */
const ASKED_FOR_MS = 7 * 24 * 3600_000;
/** And no more often than this. */
const ASKED_EVERY_MS = 60_000;
/** The latest receipts that are looked at. */
const MOST = 100;

let askedAt = 0;

/** Asks, where something is open. Never throws: the next refresh asks again. */
export async function confirmRefunds(): Promise<void> {
  if (Date.now() - askedAt < ASKED_EVERY_MS || !(await readKey('account')) || !(await isOpen())) return;
  askedAt = Date.now();
  const refunds = await listRefunds().catch(() => []);
  let isNew = false;
  for (const { paymentId, txid } of refunds) isNew = (await confirm(paymentId, txid)) || isNew;
  if (isNew) announceChange();
}

/** Did money come in lately of which it is not known whether it gives something back? */
async function isOpen(): Promise<boolean> {
  const since = IDBKeyRange.lowerBound(Date.now() - ASKED_FOR_MS);
  const latest = (await database()).transaction('receipts').store.index('createdAt');
  let left = MOST;
  for (let cursor = await latest.openCursor(since, 'prev'); cursor && left > 0; cursor = await cursor.continue()) {
    if (cursor.value.refundOf && isUnconfirmed(cursor.value)) return true;
    left -= 1;
  }
  return false;
}

const isUnconfirmed = ({ refundOf, failed }: Receipt) => !failed && !refundOf?.isConfirmed;

/** Notes it where both are in this wallet. @returns whether that was new */
async function confirm(paymentId: string, txid: string): Promise<boolean> {
  return inTransaction(async (tx) => {
    const [receipt, payment] = await Promise.all([
      tx.objectStore('receipts').get(txid),
      tx.objectStore('payments').get(paymentId),
    ]);
    if (!receipt || !payment || !isUnconfirmed(receipt)) return false;
    const origin = payment.origin === OWN ? null : payment.origin;
    const refundOf = { id: paymentId, origin, to: payment.quote.outputs[0]?.to ?? '', isConfirmed: true };
    await tx.objectStore('receipts').put({ ...receipt, refundOf });
    return true;
  });
}
