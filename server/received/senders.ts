import { and, asc, eq, inArray, ne, or, isNull } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { payments, receivedTransactions } from '../database/schema.ts';

export interface Sender {
  /** The claimed sender. `senderVerified` is true if the paymail's own host confirms the sender. */
  sender: string | null;
  senderVerified: boolean;
  note: string | null;
}

/** Returns senders and notes by payment ID, for payments that the user received from others. */
export async function sendersOf(
  db: Database,
  userId: number,
  paymentIds: readonly string[],
): Promise<Map<string, Sender>> {
  const { sender, senderVerified, note, paymentId, sequence } = receivedTransactions;
  const rows = await db
    .select({ paymentId, sender, senderVerified, note })
    .from(receivedTransactions)
    .innerJoin(payments, eq(payments.id, paymentId))
    .where(
      and(
        eq(receivedTransactions.userId, userId),
        inArray(paymentId, [...paymentIds]),
        or(isNull(payments.userId), ne(payments.userId, userId)),
      ),
    )
    .orderBy(asc(sequence));
  return new Map(rows.map(({ paymentId: id, ...from }) => [id, from]));
}
