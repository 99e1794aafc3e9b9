/** Matches delivered and reported transactions with the destinations that they pay. */
import { and, eq, inArray, isNotNull, ne, notExists, or, sql } from 'drizzle-orm';
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Database } from '../database/connect.ts';
import {
  paymailDestinations,
  paymentOutputs,
  payments,
  receivedTransactions,
  users,
  type DeliveryClaim,
} from '../database/schema.ts';
import { destinationColumns, type Destination } from './destinations.ts';
import { paysAll } from './pays.ts';

export interface Claim {
  reference: string;
  userId: number;
  normalizedTxid: string;
  /** Already parsed, because parsing a large transaction takes seconds. */
  outputs: Transaction['outputs'];
}

/**
 * Returns the destination that a transaction must pay, locked until `tx` ends. The user's other deliveries wait for
 * `tx`. Outputs claimed by other references don't count.
 * @throws ServiceError `unknown-reference`, `payment-mismatch`
 */
export async function holdDestination(tx: Database, claim: Claim): Promise<Destination> {
  // Locks the user first in every transaction, because several of the user's references can share outputs.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, claim.userId)).for('no key update');
  const [found] = await tx
    .select(destinationColumns)
    .from(paymailDestinations)
    .where(and(eq(paymailDestinations.reference, claim.reference), eq(paymailDestinations.userId, claim.userId)))
    .for('key share');
  if (!found) throw new ServiceError('unknown-reference');
  await assertPays(tx, claim, found);
  return found;
}

/**
 * Returns this transaction's delivery to a destination, or null if the destination is open. A failed payment leaves it
 * open, but remains in the inbox next to the new payment, so the payee still gets the money if the failed payment is
 * mined after all.
 * @throws ServiceError `payment-conflict` (another transaction has paid the destination)
 */
export async function findDelivery(
  db: Database,
  { reference, normalizedTxid }: Pick<Claim, 'reference' | 'normalizedTxid'>,
): Promise<(typeof receivedTransactions.$inferSelect & { hasFailed: boolean }) | null> {
  const found = await db
    .select({ delivery: receivedTransactions, normalizedTxid: payments.normalizedTxid, status: payments.status })
    .from(receivedTransactions)
    .innerJoin(payments, eq(payments.id, receivedTransactions.paymentId))
    .where(eq(receivedTransactions.reference, reference));
  const known = found.find((one) => one.normalizedTxid === normalizedTxid);
  if (!known && found.some(({ status }) => status !== 'FAILED'))
    throw new ServiceError('payment-conflict', { message: 'Another transaction has already paid this destination.' });
  return known ? { ...known.delivery, hasFailed: known.status === 'FAILED' } : null;
}

/** Checks that unclaimed outputs pay a destination. @throws ServiceError `payment-mismatch` */
export async function assertPays(
  db: Database,
  { reference, normalizedTxid, outputs }: Claim,
  destination: Destination,
): Promise<void> {
  await assertNewer(db, normalizedTxid, reference);
  // A report also claims its references' outputs, because it is signed with the key of the transaction's first input.
  const claimed = sql`(
    select r.reference from ${payments} p join ${receivedTransactions} r on r.payment_id = p.id
    where p.normalized_txid = ${normalizedTxid} and r.claims is null
    union select o.reference from ${payments} p join ${paymentOutputs} o on o.payment_id = p.id
    where p.normalized_txid = ${normalizedTxid} and p.reported)`;
  const others = await db
    .select({ outputs: paymailDestinations.outputs })
    .from(paymailDestinations)
    .where(and(inArray(paymailDestinations.reference, claimed), ne(paymailDestinations.reference, reference)));
  assertPaysAll(outputs, [destination, ...others]);
}

/** Like {@link assertPays}, but ignores other claims to the outputs. @throws ServiceError `payment-mismatch` */
export function assertPaysAll(
  outputs: Transaction['outputs'],
  destinations: readonly Pick<Destination, 'outputs'>[],
): void {
  const wanted = destinations.flatMap((one) => one.outputs);
  if (paysAll({ outputs }, wanted)) return;
  throw new ServiceError('payment-mismatch', {
    message: 'The transaction does not pay the outputs issued under this reference.',
  });
}

/**
 * Checks that a transaction was unknown when the destination was created. Clocks, which can differ, are compared only
 * for rows without a sequence number.
 * @throws ServiceError `payment-mismatch`
 */
export async function assertNewer(db: Database, normalizedTxid: string, reference: string): Promise<void> {
  const [older] = await db
    .select({ id: payments.id })
    .from(payments)
    .innerJoin(paymailDestinations, eq(paymailDestinations.reference, reference))
    .where(
      and(
        eq(payments.normalizedTxid, normalizedTxid),
        sql`coalesce(${payments.sequence} < ${paymailDestinations.sequence}, ${payments.createdAt} < ${paymailDestinations.createdAt})`,
        // References are unguessable, so a payment that names this one is newer than the destination.
        notExists(
          db
            .select({ is: paymentOutputs.paymentId })
            .from(paymentOutputs)
            .where(and(eq(paymentOutputs.paymentId, payments.id), eq(paymentOutputs.reference, reference))),
        ),
      ),
    )
    .limit(1);
  if (older) {
    throw new ServiceError('payment-mismatch', {
      message: 'The transaction is older than the destination that it pays.',
    });
  }
}

/** The stored value of an output whose amount is unknown (basic address resolution). */
const ANY_AMOUNT = '0';

/** Maximum number of destinations compared. If more have the same script and value, the result is ambiguous. */
const MAX_COMPARED = 200;

/**
 * True if a transaction also pays another open destination of the user with the same script and value, which makes the
 * payer's request ambiguous.
 */
export async function hasRival(tx: Database, claim: Claim, { outputs }: Destination): Promise<boolean> {
  const { reference, userId } = paymailDestinations;
  const rivals = await tx
    .select({ outputs: paymailDestinations.outputs })
    .from(paymailDestinations)
    .where(
      and(
        eq(userId, claim.userId),
        ne(reference, claim.reference),
        or(
          ...outputs
            .flatMap((output) => [output, { ...output, satoshis: ANY_AMOUNT }])
            .map(
              ({ script, satoshis }) =>
                sql`${paymailDestinations.outputs} @> ${JSON.stringify([{ script, satoshis }])}::jsonb`,
            ),
        ),
        sql`not exists (select from ${receivedTransactions} r join ${payments} p on p.id = r.payment_id
          where r.reference = ${reference} and p.normalized_txid <> ${claim.normalizedTxid} and p.status <> 'FAILED')`,
        sql`not exists (select from ${paymentOutputs} o join ${payments} p on p.id = o.payment_id
          where o.reference = ${reference} and p.reported and p.normalized_txid <> ${claim.normalizedTxid}
            and p.status <> 'FAILED')`,
      ),
    )
    .limit(MAX_COMPARED + 1);
  return (
    rivals.length > MAX_COMPARED ||
    rivals.some(
      (rival) =>
        rival.outputs.some(({ satoshis }) => satoshis === ANY_AMOUNT) ||
        paysAll({ outputs: claim.outputs }, rival.outputs),
    )
  );
}

/** Returns a user's destinations for which a transaction was delivered but no report has identified the payer yet. */
export async function openClaims(
  tx: Database,
  { userId, normalizedTxid }: Pick<Claim, 'userId' | 'normalizedTxid'>,
): Promise<{ id: string; claims: DeliveryClaim[]; outputs: Destination['outputs'] }[]> {
  const rows = await tx
    .select({
      id: receivedTransactions.id,
      claims: receivedTransactions.claims,
      outputs: paymailDestinations.outputs,
    })
    .from(receivedTransactions)
    .innerJoin(paymailDestinations, eq(paymailDestinations.reference, receivedTransactions.reference))
    .innerJoin(payments, eq(payments.id, receivedTransactions.paymentId))
    .where(
      and(
        eq(payments.normalizedTxid, normalizedTxid),
        eq(receivedTransactions.userId, userId),
        isNotNull(receivedTransactions.claims),
      ),
    );
  return rows.map(({ claims, ...row }) => ({ ...row, claims: claims ?? [] }));
}
