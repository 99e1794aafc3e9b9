/**
 * Determines which references a transaction pays. A report is authoritative, because it is signed with the key of the
 * transaction's first input. Other deliveries lose the outputs that a report claims.
 */
import { eq, inArray } from 'drizzle-orm';
import { parseTransaction } from '../../protocol/bitcoin/transaction.ts';
import type { Database } from '../database/connect.ts';
import { paymailDestinations, payments, receivedTransactions } from '../database/schema.ts';
import { markPaid } from '../destinations/addresses.ts';
import { shareOutput } from '../destinations/destinations.ts';
import { assertNewer, findDelivery } from '../destinations/claims.ts';
import { paysAll } from '../destinations/pays.ts';

/**
 * Settles which references a report's transaction pays.
 * @param tx a database transaction in which `lockTransaction` has been called
 * @returns the IDs of payments that lost their outputs to the report
 * @throws ServiceError `payment-conflict` (another transaction paid a reference), `payment-mismatch` (a reference was
 * issued after the transaction)
 */
export async function settleClaims(
  tx: Database,
  { normalizedTxid, rawtx, references }: { normalizedTxid: string; rawtx: Uint8Array; references: readonly string[] },
): Promise<string[]> {
  if (references.length === 0) return [];
  const destinations = await tx
    .select()
    .from(paymailDestinations)
    .where(inArray(paymailDestinations.reference, [...references]));
  for (const { reference } of destinations) await assertNewer(tx, normalizedTxid, reference);
  for (const { reference } of destinations) await findDelivery(tx, { reference, normalizedTxid });

  const delivered = await tx
    .select({ row: receivedTransactions, outputs: paymailDestinations.outputs })
    .from(receivedTransactions)
    .innerJoin(paymailDestinations, eq(paymailDestinations.reference, receivedTransactions.reference))
    .innerJoin(payments, eq(payments.id, receivedTransactions.paymentId))
    .where(eq(payments.normalizedTxid, normalizedTxid));
  const named = delivered.filter(({ row }) => references.includes(row.reference));
  const others = delivered
    .filter((one) => !named.includes(one))
    .toSorted((a, b) => Number(a.row.claims !== null) - Number(b.row.claims !== null));
  for (const { row } of named) {
    if (row.claims === null) continue;
    const claim = row.claims.find(({ reference }) => reference === row.reference);
    await tx
      .update(receivedTransactions)
      .set({ ...fromClaim(claim), claims: null })
      .where(eq(receivedTransactions.id, row.id));
  }
  if (others.length === 0) return [];

  const { outputs } = parseTransaction(rawtx);
  const taken = destinations.flatMap((destination) => destination.outputs);
  const waiting = destinations.filter(({ reference }) => !named.some(({ row }) => row.reference === reference));
  const lost: string[] = [];
  for (const other of others) {
    const { row } = other;
    if (paysAll({ outputs }, [...taken, ...other.outputs])) {
      taken.push(...other.outputs);
      continue;
    }
    const owner = waiting.find((destination) => destination.userId === row.userId && shareOutput(destination, other));
    lost.push(row.paymentId);
    if (!owner) {
      await tx.delete(receivedTransactions).where(eq(receivedTransactions.id, row.id));
      continue;
    }
    waiting.splice(waiting.indexOf(owner), 1);
    // Moves the entry in the wallet's inbox to the reference that was actually paid.
    await tx
      .update(receivedTransactions)
      .set({
        ...fromClaim(row.claims?.find(({ reference }) => reference === owner.reference)),
        reference: owner.reference,
        claims: null,
      })
      .where(eq(receivedTransactions.id, row.id));
    await markPaid(
      tx,
      row.userId,
      owner.outputs.map(({ index }) => index),
    );
  }
  return lost;
}

/** Returns the sender named in the delivery for the paid reference, or no sender if there is no such delivery. */
const fromClaim = (claim: { sender: string | null; senderVerified: boolean; note: string | null } | undefined) => ({
  sender: claim?.sender ?? null,
  senderVerified: claim?.senderVerified ?? false,
  note: claim?.note ?? null,
});
