/** Payments in the database: written once, read whole, their status moved only forward. */
import { and, asc, eq } from 'drizzle-orm';
import type { PaymentReport, PaymentResponse } from '../../protocol/api.ts';
import type { PaymentStatus } from '../../protocol/payment.ts';
import type { Database } from '../database/connect.ts';
import { paymentOutputs, payments } from '../database/schema.ts';
import type { CheckedReport } from './check-report.ts';

/** A payment with its outputs. */
export interface StoredPayment {
  payment: typeof payments.$inferSelect;
  outputs: (typeof paymentOutputs.$inferSelect)[];
}

/** Finds a payment by id. */
export async function findPayment(db: Database, id: string): Promise<StoredPayment | null> {
  const [payment] = await db.select().from(payments).where(eq(payments.id, id));
  if (!payment) return null;
  const outputs = await db.select().from(paymentOutputs).where(eq(paymentOutputs.paymentId, id)).orderBy(asc(paymentOutputs.position));
  return { payment, outputs };
}

/** The id of the payment that has this transaction, or null. */
export async function paymentIdOf(db: Database, txid: string): Promise<string | null> {
  const [found] = await db.select({ id: payments.id }).from(payments).where(eq(payments.txid, txid));
  return found?.id ?? null;
}

/** Keeps a checked payment and its outputs, in one transaction. Null where its id or txid exists already: nothing is changed. */
export function insertPayment(db: Database, userId: number, report: PaymentReport, checked: CheckedReport, now: Date): Promise<StoredPayment | null> {
  return db.transaction(async (tx) => {
    const [payment] = await tx.insert(payments).values({
      id: report.id,
      userId,
      ...checked,
      amount: report.amount,
      currency: report.currency,
      origin: report.origin,
      clientIdentifier: report.clientIdentifier,
      buttonId: report.buttonId,
      buttonData: report.buttonData,
      status: 'RECEIVED',
      createdAt: now,
      updatedAt: now,
      nextCheckAt: now,
    }).onConflictDoNothing().returning();
    if (!payment) return null;
    const outputs = await tx.insert(paymentOutputs).values(report.outputs.map((output, position) => ({
      ...output, paymentId: report.id, position, satoshis: BigInt(output.satoshis),
    }))).returning();
    return { payment, outputs };
  });
}

/** What of a report is kept: its proof has done its work. */
type ReportedPayment = Omit<PaymentReport, 'inputProof'>;

/** True where the stored payment came from the same user and the same report, to the letter. */
export function isSameReport({ payment, outputs }: StoredPayment, userId: number, report: PaymentReport): boolean {
  const stored: ReportedPayment = {
    id: payment.id,
    rawtx: hex(payment.rawtx),
    amount: payment.amount,
    currency: payment.currency,
    origin: payment.origin,
    clientIdentifier: payment.clientIdentifier,
    buttonId: payment.buttonId,
    buttonData: payment.buttonData,
    outputs: outputs.map((output) => ({ ...outputView(output), scripts: output.scripts.map(({ script, satoshis }) => ({ script, satoshis })) })),
  };
  return payment.userId === userId && JSON.stringify(stored) === JSON.stringify(inOrder(report));
}

/** The report with its members in the order in which {@link isSameReport} writes them. */
function inOrder(report: PaymentReport): ReportedPayment {
  const { id, rawtx, amount, currency, origin, clientIdentifier, buttonId, buttonData, outputs } = report;
  return {
    id: id.toLowerCase(), rawtx, amount, currency, origin, clientIdentifier, buttonId, buttonData,
    outputs: outputs.map((output) => ({
      ...outputView({ ...output, satoshis: output.satoshis }),
      scripts: output.scripts.map(({ script, satoshis }) => ({ script, satoshis })),
    })),
  };
}

/** What the API shows of a payment. */
export function paymentView({ payment, outputs }: StoredPayment): PaymentResponse {
  const views = outputs.map(outputView);
  return {
    payment: {
      id: payment.id,
      buttonId: payment.buttonId,
      buttonData: payment.buttonData,
      status: payment.status,
      statusDescription: payment.statusDescription,
      txid: payment.txid,
      normalizedTxid: payment.normalizedTxid,
      amount: payment.amount,
      currency: payment.currency,
      satoshis: payment.satoshis.toString(),
      outputs: views,
      cryptoOperations: [],
      userId: String(payment.userId),
      rawtx: hex(payment.rawtx),
      createdAt: payment.createdAt.toISOString(),
    },
    paymentOutputs: views,
  };
}

type OutputView = PaymentResponse['paymentOutputs'][number];

function outputView(output: Omit<OutputView, 'satoshis'> & { satoshis: bigint | string }): OutputView {
  const { type, to, paymail, userId, address, script, amount, currency, satoshis } = output;
  return { type, to, paymail, userId, address, script, amount, currency, satoshis: satoshis.toString() };
}

/** Ends a payment, if it is still open: of several who try, one does. */
export async function finishPayment(db: Database, id: string, status: PaymentStatus, statusDescription: string | null, now: Date): Promise<boolean> {
  const changed = await db.update(payments)
    .set({ status, statusDescription, updatedAt: now, nextCheckAt: null })
    .where(and(eq(payments.id, id), eq(payments.status, 'RECEIVED')))
    .returning({ id: payments.id });
  return changed.length > 0;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
