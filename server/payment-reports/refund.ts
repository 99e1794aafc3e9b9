/** Does a payment give another one back? Only what its transaction shows counts. */
import { and, eq, ne, sql } from 'drizzle-orm';
import { isAssetName } from '../../protocol/asset-name.ts';
import { toHex } from '../../protocol/bytes.ts';
import type { Database } from '../database/connect.ts';
import { applications, payments } from '../database/schema.ts';
import { refundScript } from '../payments/refunds.ts';
import { outputsOf, type StoredPayment } from '../payments/stored-payment.ts';
import { enqueueRefundEvent } from '../webhooks/outbox.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a payment gives back, and of which one. */
export interface FoundRefund {
  of: StoredPayment;
  satoshis: bigint;
}

/** What is looked at of a report, or of a stored payment. */
interface Claim {
  refundOf?: string | null | undefined;
  outputs: readonly { currency: string; scripts: readonly { script: string; satoshis: string }[] }[];
}

/**
 * What a payment gives back of the one that its `refundOf` names: the sum of its outputs to the address that paid that
 * one, or to the account that did, and no more than is left of it. Null where it names none that is known, pays somebody
 * else, or comes from anybody but the account that owns the application or was paid: others may send the payer what they
 * like, but the shop's records are the shop's. Neither is a payment in tokens given back so, nor one with tokens: the satoshi
 * that carries some is not what was paid. Whoever was paid a part gives back no more than that part. Such a payment
 * is stored as any other.
 * @param recipients for each output the account here that it pays, or null
 * @param tx the transaction that stores the report; the payment that is given back is locked in it
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

/** The most that an account may still give back of a payment, in satoshis; nothing where it is below zero. */
async function mayGiveBack(tx: Database, { payment, outputs }: StoredPayment, userId: number): Promise<bigint> {
  const left = payment.satoshis - payment.refundedSatoshis;
  if (await ownsApplication(tx, userId, payment)) return left;
  const part = outputs.reduce((sum, output) => sum + (output.recipientId === userId ? output.satoshis : 0n), 0n);
  const [before] = await tx
    .select({ satoshis: sql<string>`coalesce(sum(${payments.refundSatoshis}), 0)` })
    .from(payments)
    .where(and(eq(payments.refundOf, payment.id), eq(payments.userId, userId), ne(payments.status, 'FAILED')));
  const ofTheirs = part - BigInt(before?.satoshis ?? 0);
  return ofTheirs < left ? ofTheirs : left;
}

async function ownsApplication(
  tx: Database,
  userId: number,
  { clientIdentifier }: StoredPayment['payment'],
): Promise<boolean> {
  if (clientIdentifier === null) return false;
  const isOwn = and(eq(applications.clientIdentifier, clientIdentifier), eq(applications.ownerId, userId));
  return (await tx.$count(applications, isOwn)) > 0;
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
