/** Merges a payment received by paymail into its sender's later report so that readers see only one payment. */
import { and, eq, inArray, not, sql } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { paymentOutputs, payments, receivedTransactions, webhookEvents } from '../database/schema.ts';

interface Reported {
  payment: Pick<typeof payments.$inferSelect, 'id' | 'normalizedTxid' | 'createdAt'>;
  outputs: readonly Pick<typeof paymentOutputs.$inferSelect, 'reference'>[];
}

/**
 * Moves the transaction's deliveries at reported destinations from their separate payments to the report's payment. The
 * separate payments are deleted, with their undelivered events, unless an application was already notified of them. A
 * notified application gets the outcome under the separate payment's ID (webhooks/outbox.ts).
 * @param tx a database transaction in which `lockTransaction` has been called and the report's own events haven't been
 *   added to the outbox yet
 * @param lost payments whose outputs the report reclaimed, deleted in the same way
 */
export async function adoptReceived(
  tx: Database,
  { payment, outputs }: Reported,
  lost: readonly string[] = [],
): Promise<void> {
  const references = outputs.flatMap(({ reference }) => reference ?? []);
  if (references.length === 0) return;
  const adopted = await tx
    .update(receivedTransactions)
    .set({ paymentId: payment.id, paymentCreatedAt: payment.createdAt })
    .where(
      and(
        inArray(
          receivedTransactions.paymentId,
          tx.select({ id: payments.id }).from(payments).where(eq(payments.normalizedTxid, payment.normalizedTxid)),
        ),
        inArray(receivedTransactions.reference, references),
      ),
    )
    .returning({ id: receivedTransactions.id });
  if (adopted.length === 0 && lost.length === 0) return;
  // The row locks prevent concurrent events for these payments.
  const own = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(and(inArray(payments.id, [...adopted.map(({ id }) => id), ...lost]), not(payments.reported)))
    .for('update');
  const announced = await forgetUnannounced(
    tx,
    own.map(({ id }) => id),
  );
  const gone = own.map(({ id }) => id).filter((id) => !announced.has(id));
  await tx.delete(paymentOutputs).where(inArray(paymentOutputs.paymentId, gone));
  await tx.delete(payments).where(inArray(payments.id, gone));
}

/**
 * Deletes payments' events for applications that haven't been sent any. Returns the IDs of payments with remaining
 * events.
 */
async function forgetUnannounced(tx: Database, paymentIds: string[]): Promise<Set<string>> {
  const { id, applicationId, sequence, createdAt, nextAttemptAt } = webhookEvents;
  // Never null here, because test events, which have no payment, are excluded.
  const paymentId = sql<string>`${webhookEvents.paymentId}`;
  const events = await tx
    .select({ id, paymentId, applicationId, sequence, createdAt, nextAttemptAt })
    .from(webhookEvents)
    .where(inArray(webhookEvents.paymentId, paymentIds))
    // Locked in the same order as by `settle`, to prevent deadlocks.
    .orderBy(sequence)
    .for('update');
  const key = (event: { paymentId: string; applicationId: string }) => `${event.paymentId} ${event.applicationId}`;
  // Starting a delivery changes the event's next attempt time. Later events wait for the first one.
  const isUnsent = (event: (typeof events)[number]) =>
    event.sequence === 1 && event.nextAttemptAt?.getTime() === event.createdAt.getTime();
  const unsent = new Set(events.filter(isUnsent).map(key));
  await tx.delete(webhookEvents).where(
    inArray(
      id,
      events.filter((event) => unsent.has(key(event))).map((event) => event.id),
    ),
  );
  return new Set(events.filter((event) => !unsent.has(key(event))).map((event) => event.paymentId));
}
