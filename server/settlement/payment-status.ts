/** Changes a payment's status and network status, with all effects in the same transaction. */
import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { payments, receivedTransactions } from '../database/schema.ts';
import type { NetworkStanding } from '../../protocol/payments/payment-types.ts';
import { markPaidAfterAll, markUnpaid } from '../destinations/addresses.ts';
import { FAILED_DELAY_MS } from '../payments/failed-checks.ts';
import { countSale } from '../payments/sales/sales-sums.ts';
import { indexPayment } from '../payments/search/search-index.ts';
import { lockTransaction } from '../payments/transaction-lock.ts';
import { reapplyRefund, revertRefund } from '../payments/refunds.ts';
import { outputsOf, type FinalStatus, type StoredPayment } from '../payments/stored-payment.ts';
import type { Altered } from './altered.ts';
import {
  enqueueCheckedEvent,
  enqueueContestedEvent,
  enqueuePaymentEvent,
  enqueueRefundEvent,
} from '../webhooks/outbox.ts';

/** A payment as claimed for a check. The claim itself has incremented `checks` since. */
type ClaimedPayment = Pick<StoredPayment['payment'], 'checks' | 'unseenSince'>;

/**
 * Settles an open payment once, with its webhook event in the same transaction. A failed payment's destinations become
 * unpaid, and paid again if the payment is mined after all.
 * @param altered the mined transaction if its txid has changed
 * @param claimed the payment as claimed for the check that ends it as failed; nothing changes if another check has
 * begun since, or has found that the network has the transaction again
 */
export function finishPayment(
  db: Database,
  id: string,
  { status, description }: FinalStatus,
  now: Date,
  { altered, claimed }: { altered?: Altered | undefined; claimed?: ClaimedPayment | undefined } = {},
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { normalizedTxid, status: before } = payments;
    const [found] = await tx.select({ normalizedTxid, before }).from(payments).where(eq(payments.id, id));
    if (!found) return false;
    const isCorrection = found.before === 'FAILED' && status === 'COMPLETED';
    if (status === 'FAILED' || isCorrection || altered) await lockTransaction(tx, found.normalizedTxid);
    const isFailure = status === 'FAILED';
    const [payment] = await tx
      .update(payments)
      .set({
        status,
        statusDescription: description,
        network: isFailure
          ? sql`case when ${payments.network} = 'seen' then 'contested' else ${payments.network} end`
          : 'seen',
        updatedAt: now,
        ...altered,
        nextCheckAt: isFailure ? new Date(now.getTime() + FAILED_DELAY_MS) : null,
      })
      .where(
        and(
          eq(payments.id, id),
          eq(payments.status, isCorrection ? 'FAILED' : 'RECEIVED'),
          claimed && eq(payments.checks, claimed.checks + 1),
          claimed?.unseenSince ? eq(payments.unseenSince, claimed.unseenSince) : undefined,
        ),
      )
      .returning();
    if (!payment) return false;
    if (isCorrection) {
      await announceRefund(tx, payment, await reapplyRefund(tx, payment), now);
      await markPaidAfterAll(tx, id);
    }
    if (status === 'FAILED') {
      // Locks payments before users so that concurrent failures lock both in the same order.
      await revertRefund(tx, payment);
      await markUnpaid(tx, id);
    }
    if (altered) {
      const { txid } = altered;
      await tx.update(receivedTransactions).set({ txid }).where(eq(receivedTransactions.paymentId, id));
      await indexPayment(tx, id);
    }
    const stored = { payment, outputs: await outputsOf(tx, id) };
    if (isCorrection) await enqueueCheckedEvent(tx, stored, now);
    await enqueuePaymentEvent(tx, stored, status === 'COMPLETED' ? 'payment.completed' : 'payment.failed', now);
    if (status === 'FAILED') await countSale(tx, payment, -1);
    if (isCorrection) await countSale(tx, payment, 1);
    return true;
  });
}

/**
 * Stores the event for a refund that counts again, because receivers might have read that it failed, or got no event.
 */
async function announceRefund(
  tx: Database,
  { id: paymentId, txid, refundSatoshis }: StoredPayment['payment'],
  refunded: StoredPayment['payment'] | null,
  now: Date,
): Promise<void> {
  if (!refunded || refundSatoshis === null) return;
  const refund = { paymentId, txid, satoshis: refundSatoshis.toString() };
  await enqueueRefundEvent(tx, { payment: refunded, outputs: await outputsOf(tx, refunded.id) }, refund, now);
}

/**
 * Returns a stored time, or `now` if there is none. Replaces a time in the future, which a clock that was ahead stored.
 * Otherwise, a period measured from that time would last until the clock's wrong time.
 */
export const notAfter = (now: Date, stored: Date | null): Date => (stored && stored <= now ? stored : now);

/**
 * Records the network's status for an open payment, with a webhook event if the network no longer confirms it.
 * @param standing null if every operator that might have the payment is unreachable
 * @param claimed the payment as claimed for the check; unless `standing` is `seen`, nothing changes if another check
 * has found since then that the network has the transaction again
 */
export async function recordStanding(
  db: Database,
  id: string,
  standing: NetworkStanding | null,
  now: Date,
  claimed?: ClaimedPayment,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { network, unseenSince } = payments;
    const [before] = await tx
      .select({ network, unseenSince })
      .from(payments)
      .where(and(eq(payments.id, id), eq(payments.status, 'RECEIVED')))
      .for('no key update');
    if (!before) return;
    if (standing !== 'seen' && claimed?.unseenSince && !before.unseenSince) return;
    const next = {
      network: standing ?? before.network,
      unseenSince: standing === 'seen' ? null : notAfter(now, before.unseenSince),
    };
    if (next.network === before.network && next.unseenSince === before.unseenSince) return;
    const [payment] = await tx
      .update(payments)
      .set({ ...next, updatedAt: now })
      .where(eq(payments.id, id))
      .returning();
    if (payment && before.network === 'seen' && next.network !== 'seen')
      await enqueueContestedEvent(tx, { payment, outputs: await outputsOf(tx, id) }, now);
  });
}

/** Makes unmined payments with these transactions due for a check. */
export async function checkSoon(db: Database, txids: readonly string[], now: Date): Promise<void> {
  await db
    .update(payments)
    .set({ nextCheckAt: now })
    .where(and(inArray(payments.txid, [...txids]), ne(payments.status, 'COMPLETED')));
}

/** Returns the bytes of a payment's transaction, regardless of its status. */
export async function readBytes(db: Database, id: string): Promise<Uint8Array | null> {
  const [found] = await db.select({ rawtx: payments.rawtx }).from(payments).where(eq(payments.id, id));
  return found?.rawtx ?? null;
}

/** Returns the bytes of a payment's transaction while the payment is open, otherwise null. */
export async function openTransaction(db: Database, id: string): Promise<Uint8Array | null> {
  const [found] = await db
    .select({ rawtx: payments.rawtx })
    .from(payments)
    .where(and(eq(payments.id, id), eq(payments.status, 'RECEIVED')));
  return found?.rawtx ?? null;
}

export async function recordCallbackRequest(db: Database, id: string, now: Date): Promise<void> {
  await db.update(payments).set({ callbackAskedAt: now }).where(eq(payments.id, id));
}
