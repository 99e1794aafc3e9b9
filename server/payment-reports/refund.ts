/** Detects whether a payment refunds another, based only on its transaction. */
import { and, eq, sql } from 'drizzle-orm';
import type { Response } from 'express';
import { isAssetName } from '../../protocol/assets/asset-name.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { ReportedOutput } from '../../protocol/payments/payment-types.ts';
import type { Database } from '../database/connect.ts';
import { paymentOutputs, payments } from '../database/schema.ts';
import type { Limit, RateLimits } from '../http/rate-limit.ts';
import { mayGiveBack, refundScript } from '../payments/refunds.ts';
import { outputsOf, receivedPaymentId, type StoredPayment } from '../payments/stored-payment.ts';
import { enqueueRefundEvent, refundAudienceOf } from '../webhooks/outbox.ts';

/** Limit in kilobytes of events. A refund whose events are larger than a full bucket empties the bucket. */
const EVENTS_BY_ACCOUNT: Limit = { name: 'refund-events', perMinute: 1_000, burst: 20_000 };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface FoundRefund {
  of: StoredPayment;
  satoshis: bigint;
}

interface Claim {
  refundOf?: string | null | undefined;
  outputs: readonly Pick<ReportedOutput, 'currency' | 'scripts'>[];
}

/** Replaces the ID that a payment had before it was merged into its sender's report by its current ID. */
export async function currentRefundOf(db: Database, refundOf: string | null | undefined): Promise<string | null> {
  if (!refundOf || !UUID.test(refundOf)) return refundOf ?? null;
  return (await receivedPaymentId(db, refundOf)) ?? refundOf;
}

/**
 * Returns the amount by which a payment refunds the one named in `refundOf`: its outputs to the original payer's
 * address or account, up to the amount not yet refunded. Null if there is no such output, if its sender neither owns
 * the application nor was paid (third parties must not change merchants' records), or if the refunded payment includes
 * tokens or has failed. Token outputs don't count as refunds. A recipient can refund at most the part it received.
 * @param recipients for each output, the account here that it pays, or null
 * @param tx the transaction that stores the report; the refunded payment is locked in it
 */
export async function findRefund(
  tx: Database,
  { refundOf, outputs }: Claim,
  recipients: readonly (number | null)[],
  userId: number | null,
): Promise<FoundRefund | null> {
  if (userId === null || !refundOf || !UUID.test(refundOf)) return null;
  const [payment] = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.id, refundOf), payments.reported))
    .for('no key update');
  if (!payment || payment.status === 'FAILED') return null;
  const of = { payment, outputs: await outputsOf(tx, payment.id) };
  if (of.outputs.some(({ currency }) => isAssetName(currency))) return null;
  const most = await mayGiveBack(tx, of, userId);
  const script = refundScript(payment);
  const payer = script && toHex(script);
  let paid = 0n;
  for (const [i, output] of outputs.entries()) {
    if (isAssetName(output.currency)) continue;
    const isAccount = payment.userId !== null && recipients[i] === payment.userId;
    for (const one of output.scripts) if (isAccount || one.script === payer) paid += BigInt(one.satoshis);
  }
  const satoshis = paid < most ? paid : most;
  return satoshis <= 0n ? null : { of, satoshis };
}

/**
 * Counts the approximate size of a refund's events toward its sender's limit, because a small report can cause large
 * events, which contain the refunded transaction. Webhook hosts have no such limit, because one account could exhaust
 * it and delay other accounts' refunds. Must be called outside transactions, because limits use a separate connection.
 * @param refundOf the refunded payment's ID, as claimed by the sender
 * @throws ServiceError `too-many-requests`, after which wallets repeat the report every minute
 */
export async function limitRefundEvents(
  { db, limits }: { db: Database; limits: RateLimits },
  refundOf: string | null | undefined,
  userId: number,
  response: Response,
): Promise<void> {
  if (!refundOf || !UUID.test(refundOf)) return;
  const { to, script, scripts, paymentId } = paymentOutputs;
  // Events contain the outputs twice. `octet_length` and `pg_column_size` don't read large values.
  const outputBytes = sql`select 2 * sum(octet_length(${to}) + coalesce(octet_length(${script}), 0) + pg_column_size(${scripts}))
    from ${paymentOutputs} where ${eq(paymentId, payments.id)}`;
  const [payment] = await db
    .select({
      id: payments.id,
      clientIdentifier: payments.clientIdentifier,
      bytes: sql`2 * octet_length(${payments.rawtx}) + coalesce((${outputBytes}), 0)`.mapWith(Number),
    })
    .from(payments)
    .where(and(eq(payments.id, refundOf), payments.reported));
  if (!payment) return;
  const audience = await refundAudienceOf(db, payment);
  const kilobytes = Math.ceil((audience.length * payment.bytes) / 1000);
  if (kilobytes > 0) await limits.take(EVENTS_BY_ACCOUNT, String(userId), response, kilobytes);
}

/** Records a refund on the refunded payment, and stores its event. @param tx the transaction that stored `refund` */
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
