/** Does a reported payment give another one back? Only what its transaction shows counts. */
import { and, eq, sql } from 'drizzle-orm';
import type { PaymentReport } from '../../protocol/api.ts';
import { toHex } from '../../protocol/bytes.ts';
import type { Database } from '../database/connect.ts';
import { applications, payments } from '../database/schema.ts';
import { refundScript } from '../payments/refunds.ts';
import { outputsOf, type StoredPayment } from '../payments/stored-payment.ts';
import { enqueueRefundEvent } from '../webhooks/outbox.ts';
import type { CheckedReport } from './check-report.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a payment gives back, and of which one. */
export interface FoundRefund {
  of: StoredPayment;
  satoshis: bigint;
}

/**
 * What a report gives back of the payment that its `refundOf` names: the sum of its outputs to the address that paid
 * that one, or to the account that did. Null where it names none that is known, pays somebody else, or comes from
 * anybody but an account that was paid or owns the application: others may send the payer what they like, but the shop's
 * records are the shop's. Such a payment is stored as any other.
 * @param tx the transaction that stores the report; the payment that is given back is locked in it
 */
export async function findRefund(
  tx: Database,
  { refundOf, outputs }: PaymentReport,
  { recipients }: Pick<CheckedReport, 'recipients'>,
  userId: number | null,
): Promise<FoundRefund | null> {
  if (userId === null || !refundOf || !UUID.test(refundOf)) return null;
  const [payment] = await tx.select().from(payments).where(eq(payments.id, refundOf)).for('update');
  if (!payment || payment.status === 'FAILED') return null;
  const of = { payment, outputs: await outputsOf(tx, payment.id) };
  if (!of.outputs.some(({ recipientId }) => recipientId === userId) && !(await ownsApplication(tx, userId, payment)))
    return null;
  const script = refundScript(payment);
  const payer = script && toHex(script);
  let satoshis = 0n;
  for (const [i, output] of outputs.entries()) {
    const isAccount = payment.userId !== null && recipients[i] === payment.userId;
    for (const one of output.scripts) if (isAccount || one.script === payer) satoshis += BigInt(one.satoshis);
  }
  return satoshis === 0n ? null : { of, satoshis };
}

async function ownsApplication(
  tx: Database,
  userId: number,
  { clientIdentifier }: StoredPayment['payment'],
): Promise<boolean> {
  if (clientIdentifier === null) return false;
  const owned = await tx
    .select({ id: applications.id })
    .from(applications)
    .where(and(eq(applications.clientIdentifier, clientIdentifier), eq(applications.ownerId, userId)));
  return owned.length > 0;
}

/**
 * Notes a refund at the payment that it gives back, with its event.
 * @param tx the transaction that has stored `refund`
 */
export async function noteRefund(
  tx: Database,
  { of, satoshis }: FoundRefund,
  { id, txid }: StoredPayment['payment'],
  now: Date,
): Promise<void> {
  const [payment] = await tx
    .update(payments)
    .set({ refundedSatoshis: sql`${payments.refundedSatoshis} + ${satoshis}`, updatedAt: now })
    .where(eq(payments.id, of.payment.id))
    .returning();
  if (payment)
    await enqueueRefundEvent(
      tx,
      { payment, outputs: of.outputs },
      { paymentId: id, txid, satoshis: satoshis.toString() },
      now,
    );
}
