/** Payments in the database: written once, read whole, their status moved only forward. */
import { and, asc, eq } from 'drizzle-orm';
import type { PaymentReport } from '../../protocol/api.ts';
import type { Database } from '../database/connect.ts';
import { paymentOutputs, payments } from '../database/schema.ts';
import { markUnpaid } from '../paymail/addresses.ts';
import { adoptReceived } from '../received/adopt.ts';
import { enqueuePaymentEvent } from '../webhooks/outbox.ts';
import type { CheckedReport } from './check-report.ts';
import { lockTransaction } from './one-at-a-time.ts';
import { hex } from './view.ts';

/** A payment with its outputs. */
export interface StoredPayment {
  payment: typeof payments.$inferSelect;
  outputs: (typeof paymentOutputs.$inferSelect)[];
}

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

/** Finds a payment by id. */
export async function findPayment(db: Database, id: string): Promise<StoredPayment | null> {
  const [payment] = await db.select().from(payments).where(eq(payments.id, id));
  if (!payment) return null;
  return { payment, outputs: await outputsOf(db, id) };
}

function outputsOf(db: Database, id: string): Promise<StoredPayment['outputs']> {
  return db.select().from(paymentOutputs).where(eq(paymentOutputs.paymentId, id)).orderBy(asc(paymentOutputs.position));
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
 * Keeps a checked payment and its outputs, and its event for webhooks, in one transaction. What of it came in by
 * paymail already becomes part of it. Null where its id exists already, or its txid in another report: nothing is
 * changed.
 */
export function insertPayment(
  db: Database,
  userId: number | null,
  report: PaymentReport,
  checked: ProvenReport,
  now: Date,
): Promise<StoredPayment | null> {
  const { recipients, ...sums } = checked;
  return db.transaction(async (tx) => {
    await lockTransaction(tx, checked.txid);
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
        buttonId: report.buttonId,
        buttonData: report.buttonData,
        cryptoOperations: report.cryptoOperations ?? [],
        status: 'RECEIVED',
        createdAt: now,
        updatedAt: now,
        nextCheckAt: now,
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
    await adoptReceived(tx, stored);
    await enqueuePaymentEvent(tx, stored, 'payment.received', now);
    return stored;
  });
}

/**
 * True where the stored payment came from the same sender and the same report, to the letter. Proof and inputs have
 * done their work.
 */
export function isSameReport(
  { payment, outputs }: StoredPayment,
  userId: number | null,
  report: PaymentReport,
): boolean {
  if (!payment.reported || payment.userId !== userId) return false;
  const stored = {
    ...payment,
    rawtx: hex(payment.rawtx),
    outputs: outputs.map((output) => ({ ...output, satoshis: output.satoshis.toString() })),
  };
  return JSON.stringify(inOrder(stored)) === JSON.stringify(inOrder(report));
}

/** What of a report is compared, its members in one order: the database keeps none within JSON. */
function inOrder(report: Omit<PaymentReport, 'inputProof' | 'inputs'>) {
  const {
    id,
    rawtx,
    amount,
    currency,
    origin,
    clientIdentifier,
    buttonId,
    buttonData,
    outputs,
    cryptoOperations = [],
  } = report;
  return {
    id: id.toLowerCase(),
    rawtx,
    amount,
    currency,
    origin,
    clientIdentifier,
    buttonId,
    buttonData,
    outputs: outputs.map(
      ({
        type,
        to,
        paymail,
        userId,
        address,
        script,
        amount: part,
        currency: code,
        satoshis,
        scripts,
        reference = null,
      }) => ({
        type,
        to,
        paymail,
        userId,
        address,
        script,
        amount: part,
        currency: code,
        satoshis,
        reference,
        scripts: scripts.map((one) => ({ script: one.script, satoshis: one.satoshis })),
      }),
    ),
    cryptoOperations: cryptoOperations.map((operation) =>
      Object.entries(operation).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
}

/** How a payment ends. */
export interface FinalStatus {
  status: 'COMPLETED' | 'FAILED';
  description: string | null;
}

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
    if (status === 'FAILED') await markUnpaid(tx, id);
    const outputs = await outputsOf(tx, id);
    await enqueuePaymentEvent(
      tx,
      { payment, outputs },
      status === 'COMPLETED' ? 'payment.completed' : 'payment.failed',
      now,
    );
    return true;
  });
}

/** Has open payments with this transaction looked at at once. What is true of it, the network is asked itself. */
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
