/** Merges a paymail payment into its sender's later report, so that every reader sees one payment. */
import { and, eq, inArray, not, sql } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { paymentOutputs, payments, receivedTransactions, webhookEvents } from '../database/schema.ts';

interface Reported {
  payment: Pick<typeof payments.$inferSelect, 'id' | 'normalizedTxid' | 'createdAt'>;
  outputs: readonly Pick<typeof paymentOutputs.$inferSelect, 'reference'>[];
}

/**
 * Moves deliveries of its transaction to the reported destinations from their own payments to the report's. Those
 * payments are deleted, with their undelivered events, unless an application already knows them: it gets this payment's
 * outcome under the known id (webhooks/outbox.ts).
 * @param tx holds the lock of `lockTransaction`; the report's own events aren't in the outbox yet
 * @param lost payments of deliveries whose outputs the report has reclaimed, deleted in the same way
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
  // From here on, no further events of these are put into the outbox.
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

/** Deletes payments' events for applications that received none. Returns the payments that some application knows. */
async function forgetUnannounced(tx: Database, paymentIds: string[]): Promise<Set<string>> {
  const { id, applicationId, createdAt, nextAttemptAt } = webhookEvents;
  // Excludes test events, which have no payment.
  const paymentId = sql<string>`${webhookEvents.paymentId}`;
  const events = await tx
    .select({ id, paymentId, applicationId, createdAt, nextAttemptAt })
    .from(webhookEvents)
    .where(inArray(webhookEvents.paymentId, paymentIds))
    .for('update');
  const key = (event: { paymentId: string; applicationId: string }) => `${event.paymentId} ${event.applicationId}`;
  // Taking an event from the outbox changes its time.
  const announced = events.filter((event) => event.nextAttemptAt?.getTime() !== event.createdAt.getTime());
  const keys = new Set(announced.map(key));
  await tx.delete(webhookEvents).where(
    inArray(
      id,
      events.filter((event) => !keys.has(key(event))).map((event) => event.id),
    ),
  );
  return new Set(announced.map((event) => event.paymentId));
}
