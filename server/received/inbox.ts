/** Transactions waiting for a wallet, and their acknowledgment. */
import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import type { receivedResponse } from '../../protocol/http/received.ts';
import type { Database } from '../database/connect.ts';
import { paymailDestinations, payments, receivedTransactions } from '../database/schema.ts';
import { hex } from '../payments/view.ts';

const MAX_TRANSACTIONS_PER_RESPONSE = 100;
/** Approximate maximum size of a response's transactions, before hex encoding. */
const MAX_RESPONSE_BYTES = 2_500_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns unacknowledged transactions, oldest first: as many as fit in one response, but at least one.
 * @param after ID of the transaction after which to start, so a transaction that can't be acknowledged doesn't block
 * later ones
 */
export async function readInbox(
  db: Database,
  userId: number,
  { after, mostBytes = MAX_RESPONSE_BYTES }: { after?: string | undefined; mostBytes?: number } = {},
): Promise<z.infer<typeof receivedResponse>> {
  const { id, sequence, acknowledgedAt } = receivedTransactions;
  if (after !== undefined && !UUID.test(after)) return { received: [], more: false };
  const start =
    after === undefined
      ? undefined
      : gt(
          sequence,
          db
            .select({ sequence })
            .from(receivedTransactions)
            .where(and(eq(id, after), eq(receivedTransactions.userId, userId))),
        );
  const waiting = await db
    .select({ id, bytes: sql<number>`octet_length(${payments.rawtx})`.mapWith(Number) })
    .from(receivedTransactions)
    .innerJoin(payments, eq(payments.id, receivedTransactions.paymentId))
    .where(and(eq(receivedTransactions.userId, userId), isNull(acknowledgedAt), start))
    .orderBy(asc(sequence))
    .limit(MAX_TRANSACTIONS_PER_RESPONSE + 1);
  let [count, bytes] = [0, 0];
  for (const next of waiting.slice(0, MAX_TRANSACTIONS_PER_RESPONSE)) {
    bytes += next.bytes;
    if (count > 0 && bytes > mostBytes) break;
    count += 1;
  }
  const rows = await db
    .select({
      received: receivedTransactions,
      rawtx: payments.rawtx,
      satoshis: paymailDestinations.satoshis,
      outputs: paymailDestinations.outputs,
    })
    .from(receivedTransactions)
    .innerJoin(payments, eq(payments.id, receivedTransactions.paymentId))
    .innerJoin(paymailDestinations, eq(paymailDestinations.reference, receivedTransactions.reference))
    .where(
      inArray(
        id,
        waiting.slice(0, count).map((one) => one.id),
      ),
    )
    .orderBy(asc(sequence));
  return {
    received: rows.map(({ received, rawtx, satoshis, outputs }) => ({
      id: received.id,
      txid: received.txid,
      rawtx: hex(rawtx),
      satoshis: satoshis.toString(),
      outputs: outputs.map((output) => ({ script: output.script, satoshis: output.satoshis, index: output.index })),
      paymentId: received.paymentId,
      sender: received.sender,
      senderVerified: received.senderVerified,
      note: received.note,
      createdAt: received.createdAt.toISOString(),
    })),
    more: waiting.length > count,
  };
}

/**
 * Marks transactions as received by the user's wallet. Ignores IDs of other users' transactions. Returns how many were
 * waiting.
 */
export async function acknowledge(db: Database, userId: number, ids: readonly string[], now: Date): Promise<number> {
  const { id, acknowledgedAt } = receivedTransactions;
  const known = ids.filter((one) => UUID.test(one));
  const done = await db
    .update(receivedTransactions)
    .set({ acknowledgedAt: now })
    .where(and(eq(receivedTransactions.userId, userId), inArray(id, known), isNull(acknowledgedAt)))
    .returning({ id });
  return done.length;
}
