import { asc, eq } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { paymentOutputs, payments } from '../database/schema.ts';

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
