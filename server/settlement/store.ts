/** How a payment's status moves: only forward, with what follows from it in the same transaction. */
import { and, eq } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { payments } from '../database/schema.ts';
import { markUnpaid } from '../destinations/addresses.ts';
import { countSale } from '../payments/sales-sums.ts';
import { lockTransaction } from '../payments/one-at-a-time.ts';
import { takeRefundBack } from '../payments/refunds.ts';
import { outputsOf, type FinalStatus } from '../payments/stored-payment.ts';
import { enqueuePaymentEvent } from '../webhooks/outbox.ts';

/**
 * Ends a payment, if it is still open, with its event for webhooks in the same transaction: of several who try, one
 * does. What a failed one had paid is unpaid again.
 */
export function finishPayment(
  db: Database,
  id: string,
  { status, description }: FinalStatus,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (status === 'FAILED') {
      const [open] = await tx.select({ txid: payments.txid }).from(payments).where(eq(payments.id, id));
      if (open) await lockTransaction(tx, open.txid);
    }
    const [payment] = await tx
      .update(payments)
      .set({ status, statusDescription: description, updatedAt: now, nextCheckAt: null })
      .where(and(eq(payments.id, id), eq(payments.status, 'RECEIVED')))
      .returning();
    if (!payment) return false;
    if (status === 'FAILED') {
      // Payments before users: two that fail at once lock both in this order.
      await takeRefundBack(tx, payment);
      await markUnpaid(tx, id);
    }
    const outputs = await outputsOf(tx, id);
    await enqueuePaymentEvent(
      tx,
      { payment, outputs },
      status === 'COMPLETED' ? 'payment.completed' : 'payment.failed',
      now,
    );
    // Last, as where a payment is stored: all payments of an application wait for one another there.
    if (status === 'FAILED') await countSale(tx, payment, -1);
    return true;
  });
}

/** Makes open payments with this transaction due at once. Its status is queried from the network itself. */
export async function checkSoon(db: Database, txid: string, now: Date): Promise<void> {
  await db
    .update(payments)
    .set({ nextCheckAt: now })
    .where(and(eq(payments.txid, txid), eq(payments.status, 'RECEIVED')));
}

/** A transaction's bytes, for as long as its payment is open. */
export async function openTransaction(db: Database, id: string): Promise<Uint8Array | null> {
  const [found] = await db
    .select({ rawtx: payments.rawtx })
    .from(payments)
    .where(and(eq(payments.id, id), eq(payments.status, 'RECEIVED')));
  return found?.rawtx ?? null;
}

/** Notes that ARC will call back about a payment. */
export async function noteCallbackAsked(db: Database, id: string, now: Date): Promise<void> {
  await db.update(payments).set({ callbackAskedAt: now }).where(eq(payments.id, id));
}
