import { asc, eq } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { paymentOutputs, payments, receivedTransactions } from '../database/schema.ts';

export interface StoredPayment {
  payment: typeof payments.$inferSelect;
  outputs: (typeof paymentOutputs.$inferSelect)[];
}

export interface FinalStatus {
  status: 'COMPLETED' | 'FAILED';
  description: string | null;
}

export async function findPayment(db: Database, id: string): Promise<StoredPayment | null> {
  const [payment] = await db.select().from(payments).where(eq(payments.id, id));
  if (!payment) return null;
  return { payment, outputs: await outputsOf(db, id) };
}

export function outputsOf(db: Database, id: string): Promise<StoredPayment['outputs']> {
  return db.select().from(paymentOutputs).where(eq(paymentOutputs.paymentId, id)).orderBy(asc(paymentOutputs.position));
}

/**
 * Returns the current ID of a payment received by paymail, which changes when the payment is merged into its sender's
 * report. Null if no payment was received under this ID.
 */
export async function receivedPaymentId(db: Database, id: string): Promise<string | null> {
  const { paymentId } = receivedTransactions;
  const [received] = await db.select({ paymentId }).from(receivedTransactions).where(eq(receivedTransactions.id, id));
  return received?.paymentId ?? null;
}
