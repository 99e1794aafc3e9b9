/** Reported payments: each written once, with what follows from it in the same transaction. */
import { isDeepStrictEqual } from 'node:util';
import { and, eq } from 'drizzle-orm';
import type { PaymentReport } from '../../protocol/api.ts';
import { metadataOf } from '../../protocol/metadata.ts';
import type { Database } from '../database/connect.ts';
import { paymentOutputs, payments } from '../database/schema.ts';
import { adoptReceived } from './adopt.ts';
import { enqueuePaymentEvent } from '../webhooks/outbox.ts';
import type { CheckedReport } from './check-report.ts';
import { countSale } from '../payments/sales-sums.ts';
import { indexPayment } from '../payments/search-index.ts';
import { findRefund, noteRefund } from './refund.ts';
import { settleClaims } from './settle-claims.ts';
import { lockTransaction } from '../payments/one-at-a-time.ts';
import type { StoredPayment } from '../payments/stored-payment.ts';
import { hex } from '../payments/view.ts';

/**
 * A checked report, with what its inputs are proven to hold (satoshis), what one BSV costs in USD, and its sender's
 * paymail; null: not known.
 */
export interface ProvenReport extends CheckedReport {
  inputSatoshis: bigint | null;
  usdRate: string | null;
  /** In the payment's own currency. */
  currencyRate: string | null;
  senderPaymail: string | null;
}

/** The id of the payment that this transaction was reported as, or null. */
export async function paymentIdOf(db: Database, txid: string): Promise<string | null> {
  const [found] = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.txid, txid), payments.reported));
  return found?.id ?? null;
}

/**
 * Stores a validated payment with its outputs and its event for webhooks, in one transaction. Parts already received by
 * paymail are merged into it. Returns null without changes if its id exists already, or its txid in another report.
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
    await lockTransaction(tx, checked.txid);
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
        })),
      )
      .returning();
    const stored = { payment, outputs };
    const references = outputs.flatMap(({ reference, recipientId }) => (recipientId === null ? [] : (reference ?? [])));
    const lost = await settleClaims(tx, { txid: checked.txid, rawtx: checked.rawtx, references });
    await adoptReceived(tx, stored, lost);
    await indexPayment(tx, payment.id);
    await enqueuePaymentEvent(tx, stored, 'payment.received', now);
    if (refund) await noteRefund(tx, refund, payment, now);
    await countSale(tx, payment, 1);
    return stored;
  });
}

/**
 * Makes a payment that was reported without an account the account's whose wallet proves that it made it, and counts it as
 * the refund that it may be. Nobody is told of the payment again: its events have been.
 * @param payment it as it was read before, as nobody's
 * @returns it as it is then; null where another account has it by now
 */
export async function claimPayment(
  db: Database,
  { payment, outputs }: StoredPayment,
  user: { id: number; paymail: string },
  now: Date,
): Promise<StoredPayment | null> {
  return db.transaction(async (tx) => {
    await lockTransaction(tx, payment.txid);
    const recipients = outputs.map(({ recipientId }) => recipientId);
    // What it gives back is locked before it, as where that one fails (settlement/store.ts).
    const found = await findRefund(tx, { refundOf: payment.refundOf, outputs }, recipients, user.id);
    // Since it was read it may have failed, or been claimed.
    const [held] = await tx.select().from(payments).where(eq(payments.id, payment.id)).for('no key update');
    if (held?.userId === user.id) return { payment: held, outputs };
    if (held?.userId !== null) return null;
    const refund = held.status === 'FAILED' || held.refundOf === held.id ? null : found;
    const change = {
      userId: user.id,
      senderPaymail: user.paymail,
      updatedAt: now,
      refundSatoshis: refund?.satoshis ?? null,
    };
    await tx.update(payments).set(change).where(eq(payments.id, held.id));
    const claimed = { ...held, ...change };
    await indexPayment(tx, claimed.id);
    if (refund) {
      await noteRefund(tx, refund, claimed, now);
      await countSale(tx, held, -1);
    }
    return { payment: claimed, outputs };
  });
}

/**
 * True where the stored payment came from the same report, to the letter. Proof and inputs have done their work. The
 * database keeps no order of members within JSON, so none counts.
 */
export function isSameReport({ payment, outputs }: StoredPayment, report: PaymentReport): boolean {
  const stored = {
    ...payment,
    rawtx: hex(payment.rawtx),
    outputs: outputs.map((output) => ({ ...output, satoshis: output.satoshis.toString() })),
  };
  return payment.reported && isDeepStrictEqual(compared(stored), compared(report));
}

/** What of a report is compared. */
function compared(report: Omit<PaymentReport, 'inputProof' | 'inputs'>) {
  const { id, rawtx, amount, currency, origin, clientIdentifier, outputs, cryptoOperations = [] } = report;
  return {
    // The database keeps UUIDs in small letters.
    id: id.toLowerCase(),
    rawtx,
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
