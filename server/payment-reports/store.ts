/** Reported payments. Each payment is stored once, in one transaction with all its effects. */
import { isDeepStrictEqual } from 'node:util';
import { and, eq } from 'drizzle-orm';
import type { PaymentReport } from '../../protocol/http/api.ts';
import { metadataOf } from '../../protocol/payments/metadata.ts';
import { normalizedTxidOf, parseTransactionHex } from '../../protocol/bitcoin/transaction.ts';
import type { Database } from '../database/connect.ts';
import { paymentOutputs, payments } from '../database/schema.ts';
import { markPaidAfterAll } from '../destinations/addresses.ts';
import { adoptReceived } from './adopt.ts';
import { enqueuePaymentEvent } from '../webhooks/outbox.ts';
import type { CheckedReport } from './check-report.ts';
import { countSale } from '../payments/sales/sales-sums.ts';
import { indexPayment } from '../payments/search/search-index.ts';
import { findRefund, noteRefund } from './refund.ts';
import { settleClaims } from './settle-claims.ts';
import { lockTransaction } from '../payments/transaction-lock.ts';
import type { StoredPayment } from '../payments/stored-payment.ts';

/**
 * A validated report with its input sum (satoshis), USD rate, currency rate and sender's paymail, each null if unknown.
 */
export interface ProvenReport extends CheckedReport {
  inputSatoshis: bigint | null;
  usdRate: string | null;
  currencyRate: string | null;
  senderPaymail: string | null;
}

/** Returns the ID under which this transaction was reported, regardless of its signatures, or null. */
export async function paymentIdOf(db: Database, normalizedTxid: string): Promise<string | null> {
  const [found] = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.normalizedTxid, normalizedTxid), payments.reported))
    .limit(1);
  return found?.id ?? null;
}

/**
 * Stores a validated payment with its outputs and its webhook event in one transaction, and merges parts received by
 * paymail. Returns null and changes nothing if the ID exists, or if the transaction was reported under a different ID.
 * @throws ServiceError `payment-conflict`, `payment-mismatch` (settle-claims.ts)
 */
export function insertPayment(
  db: Database,
  userId: number | null,
  report: PaymentReport,
  checked: ProvenReport,
  now: Date,
): Promise<StoredPayment | null> {
  const { recipients, token, ...sums } = checked;
  return db.transaction(async (tx) => {
    await lockTransaction(tx, checked.normalizedTxid);
    if ((await paymentIdOf(tx, checked.normalizedTxid)) !== null) return null;
    const refund = await findRefund(tx, report, recipients, userId);
    const [payment] = await tx
      .insert(payments)
      .values({
        id: report.id,
        userId,
        reported: true,
        ...sums,
        amount: report.amount,
        currency: report.currency,
        origin: report.origin,
        clientIdentifier: report.clientIdentifier,
        ...metadataOf(report),
        refundSatoshis: refund?.satoshis ?? null,
        cryptoOperations: report.cryptoOperations ?? [],
        status: 'RECEIVED',
        createdAt: now,
        updatedAt: now,
        nextCheckAt: now,
        ...(token && {
          tokenId: token.id,
          tokenUnits: token.units,
          assetId: token.assetId,
          tokenValidity: 'unverified' as const,
          nextTokenCheckAt: now,
        }),
      })
      .onConflictDoNothing()
      .returning();
    if (!payment) return null;
    const outputs = await tx
      .insert(paymentOutputs)
      .values(
        report.outputs.map((output, position) => ({
          ...output,
          paymentId: report.id,
          position,
          satoshis: BigInt(output.satoshis),
          recipientId: recipients[position] ?? null,
          paymentCreatedAt: typeof recipients[position] === 'number' ? now : null,
        })),
      )
      .returning();
    const stored = { payment, outputs };
    const references = outputs.flatMap(({ reference, recipientId }) => (recipientId === null ? [] : (reference ?? [])));
    const lost = await settleClaims(tx, { ...checked, references });
    await adoptReceived(tx, stored, lost);
    // A delivery that had failed before the report left its addresses unpaid.
    await markPaidAfterAll(tx, payment.id);
    await indexPayment(tx, payment.id);
    await enqueuePaymentEvent(tx, stored, 'payment.received', now);
    if (refund) await noteRefund(tx, refund, payment, now);
    await countSale(tx, payment, 1);
    return stored;
  });
}

/**
 * Assigns an anonymously reported payment to the account whose wallet has proven that it made the payment. Doesn't
 * repeat events.
 * @param payment the payment as previously read, without an account
 * @returns the updated payment; null if another account has claimed it
 */
export async function claimPayment(
  db: Database,
  { payment, outputs }: StoredPayment,
  user: { id: number; paymail: string },
  now: Date,
): Promise<StoredPayment | null> {
  return db.transaction(async (tx) => {
    await lockTransaction(tx, payment.normalizedTxid);
    const recipients = outputs.map(({ recipientId }) => recipientId);
    // Locks the refunded payment first, in the same order as when the refund fails (settlement/payment-status.ts).
    const found = await findRefund(tx, { refundOf: payment.refundOf, outputs }, recipients, user.id);
    // The payment might have failed or been claimed since it was read.
    const [held] = await tx.select().from(payments).where(eq(payments.id, payment.id)).for('no key update');
    if (held?.userId === user.id) return { payment: held, outputs };
    if (held?.userId !== null) return null;
    const refund = held.refundOf === held.id ? null : found;
    const change = {
      userId: user.id,
      senderPaymail: user.paymail,
      updatedAt: now,
      refundSatoshis: refund?.satoshis ?? null,
    };
    await tx.update(payments).set(change).where(eq(payments.id, held.id));
    const claimed = { ...held, ...change };
    await indexPayment(tx, claimed.id);
    // A failed refund counts only if it is mined after all (settlement/payment-status.ts).
    if (refund && held.status !== 'FAILED') {
      await noteRefund(tx, refund, claimed, now);
      await countSale(tx, held, -1);
    }
    return { payment: claimed, outputs };
  });
}

/**
 * True if the stored payment came from the same report. Ignores the proof, inputs and signatures, which third parties
 * might have changed, and the order of JSON properties.
 */
export function isSameReport({ payment, outputs }: StoredPayment, report: PaymentReport): boolean {
  const stored = {
    ...payment,
    outputs: outputs.map((output) => ({ ...output, satoshis: output.satoshis.toString() })),
  };
  const normalizedTxid = normalizedTxidOf(parseTransactionHex(report.rawtx));
  return payment.reported && isDeepStrictEqual(compared(stored), compared({ ...report, normalizedTxid }));
}

function compared(report: Omit<PaymentReport, 'inputProof' | 'inputs' | 'rawtx'> & { normalizedTxid: string }) {
  const { id, normalizedTxid, amount, currency, origin, clientIdentifier, outputs, cryptoOperations = [] } = report;
  return {
    id: id.toLowerCase(),
    normalizedTxid,
    amount,
    currency,
    origin,
    clientIdentifier,
    cryptoOperations,
    ...metadataOf(report),
    outputs: outputs.map(comparedOutput),
  };
}

function comparedOutput(output: PaymentReport['outputs'][number]) {
  const { type, to, paymail, userId, address, script, amount, currency, satoshis, scripts, reference = null } = output;
  return { type, to, paymail, userId, address, script, amount, currency, satoshis, scripts, reference };
}
