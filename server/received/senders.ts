import { and, asc, eq, inArray, ne, or, isNull } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { paymentOutputs, payments, receivedTransactions } from '../database/schema.ts';

export interface Sender {
  /** The claimed sender. `senderVerified` is true if the paymail's own host confirms the sender. */
  sender: string | null;
  senderVerified: boolean;
  note: string | null;
}

/**
 * Returns senders and notes by payment ID, for payments that the user received from others. Without a delivery, the
 * sender is the one who reported the payment.
 */
export async function sendersOf(
  db: Database,
  userId: number,
  paymentIds: readonly string[],
): Promise<Map<string, Sender>> {
  const isFromOther = or(isNull(payments.userId), ne(payments.userId, userId));
  const reported = await db
    .select({ id: payments.id, sender: payments.senderPaymail })
    .from(paymentOutputs)
    .innerJoin(payments, eq(payments.id, paymentOutputs.paymentId))
    .where(
      and(eq(paymentOutputs.recipientId, userId), inArray(paymentOutputs.paymentId, [...paymentIds]), isFromOther),
    );
  const { sender, senderVerified, note, paymentId, sequence } = receivedTransactions;
  const delivered = await db
    .select({ paymentId, sender, senderVerified, note })
    .from(receivedTransactions)
    .innerJoin(payments, eq(payments.id, paymentId))
    .where(and(eq(receivedTransactions.userId, userId), inArray(paymentId, [...paymentIds]), isFromOther))
    .orderBy(asc(sequence));
  return new Map<string, Sender>([
    ...reported.map(({ id, ...from }) => [id, { ...from, senderVerified: from.sender !== null, note: null }] as const),
    ...delivered.map(({ paymentId: id, ...from }) => [id, from] as const),
  ]);
}
