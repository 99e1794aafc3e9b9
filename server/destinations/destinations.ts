/** Destinations that were issued to senders, by their references. */
import { and, eq, gte, inArray, lt, ne, notExists, sql } from 'drizzle-orm';
import { ServiceError } from '../../protocol/errors.ts';
import type { Transaction } from '../../protocol/transaction.ts';
import type { Database } from '../database/connect.ts';
import { paymailDestinations, paymentOutputs, payments, receivedTransactions, users } from '../database/schema.ts';
import { raiseWatermark, readWatermark } from '../database/watermark.ts';
import { randomSecret } from '../secrets.ts';
import { giveAddresses } from './addresses.ts';
import { paysAll } from './pays.ts';
import { splitAmount } from './split.ts';

/** A destination: whom it pays, the sum, and its outputs (script hex, satoshis as text, index on `m/44'/236'/2'/0`). */
export interface Destination {
  userId: number;
  satoshis: bigint;
  outputs: { script: string; satoshis: string; index: number }[];
}

/** How long an unpaid destination is stored (milliseconds). */
const KEEP_MS = 30 * 24 * 3600_000;

const columns = {
  userId: paymailDestinations.userId,
  satoshis: paymailDestinations.satoshis,
  outputs: paymailDestinations.outputs,
};

/** The destination of a reference, or null where this service gave none out under it. */
export async function findDestination(db: Database, reference: string): Promise<Destination | null> {
  const [found] = await db
    .select(columns)
    .from(paymailDestinations)
    .where(eq(paymailDestinations.reference, reference));
  return found ?? null;
}

/** Makes a destination for a user, and keeps it under a reference that nobody can guess. */
export function createDestination(
  db: Database,
  userId: number,
  satoshis: bigint,
  now: Date,
): Promise<Destination & { reference: string }> {
  return keep(db, userId, splitAmount(satoshis), now);
}

/** The same for ordinals, and tokens that they carry: so many outputs of one satoshi each. */
export function createOrdinalDestination(
  db: Database,
  userId: number,
  count: number,
  now: Date,
): Promise<Destination & { reference: string }> {
  return keep(db, userId, Array<bigint>(count).fill(1n), now);
}

function keep(
  db: Database,
  userId: number,
  parts: readonly bigint[],
  now: Date,
): Promise<Destination & { reference: string }> {
  const satoshis = parts.reduce((sum, part) => sum + part, 0n);
  const reference = randomSecret();
  return db.transaction(async (tx) => {
    const addresses = await giveAddresses(tx, userId, parts.length);
    const outputs = addresses.map(({ script, index }, i) => ({ script, satoshis: String(parts[i]), index }));
    await tx.insert(paymailDestinations).values({ reference, userId, satoshis, outputs, createdAt: now });
    return { reference, userId, satoshis, outputs };
  });
}

/** A transaction that claims to pay a reference. */
export interface Claim {
  reference: string;
  userId: number;
  txid: string;
  /** Its outputs, which whoever read it knows: a large one takes seconds. */
  outputs: Transaction['outputs'];
}

/**
 * The destination that a transaction must pay, locked until `tx` ends: other deliveries for the same user wait. The
 * transaction pays it with outputs that no other reference, paid by the same transaction or reported as paid by it, has
 * claimed.
 * @throws ServiceError `unknown-reference`, `payment-mismatch`
 */
export async function holdDestination(tx: Database, claim: Claim): Promise<Destination> {
  // The user first, and in every transaction: addresses are the user's, and so is what several references may share.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, claim.userId)).for('no key update');
  const [found] = await tx
    .select(columns)
    .from(paymailDestinations)
    .where(and(eq(paymailDestinations.reference, claim.reference), eq(paymailDestinations.userId, claim.userId)))
    .for('key share');
  if (!found) throw new ServiceError('unknown-reference');
  await assertPays(tx, claim, found);
  return found;
}

/**
 * Checks that a transaction pays a destination, with outputs of its own.
 * @throws ServiceError `payment-mismatch`
 */
export async function assertPays(
  db: Database,
  { reference, txid, outputs }: Claim,
  destination: Destination,
): Promise<void> {
  // What a report says that it pays counts, too: it is signed by the transaction's first input.
  const claimed = sql`(
    select r.reference from ${receivedTransactions} r where r.txid = ${txid}
    union select o.reference from ${payments} p join ${paymentOutputs} o on o.payment_id = p.id where p.txid = ${txid} and p.user_id is not null)`;
  const others = await db
    .select({ outputs: paymailDestinations.outputs })
    .from(paymailDestinations)
    .where(and(inArray(paymailDestinations.reference, claimed), ne(paymailDestinations.reference, reference)));
  if (
    !paysAll(
      { outputs },
      [destination, ...others].flatMap((wanted) => wanted.outputs),
    )
  ) {
    throw new ServiceError('payment-mismatch', {
      message: 'The transaction does not pay what was asked for under this reference.',
    });
  }
}

/** Up to when all that is left was paid. What was paid once stays, also if the payment failed. */
const GONE_THROUGH = 'unpaid-destinations-deleted';

/** Deletes destinations that were not paid within 30 days. Paid ones stay, also if only the sender's report says so. */
export async function deleteUnpaidDestinations(db: Database, now: Date): Promise<void> {
  const { reference } = paymailDestinations;
  const until = new Date(now.getTime() - KEEP_MS);
  const from = await readWatermark(db, GONE_THROUGH);
  const unpaid = db
    .select({ reference })
    .from(paymailDestinations)
    .where(
      and(
        lt(paymailDestinations.createdAt, until),
        from ? gte(paymailDestinations.createdAt, from) : undefined,
        notExists(
          db
            .select({ is: receivedTransactions.id })
            .from(receivedTransactions)
            .where(eq(receivedTransactions.reference, reference)),
        ),
        notExists(
          db
            .select({ is: paymentOutputs.paymentId })
            .from(paymentOutputs)
            .where(eq(paymentOutputs.reference, reference)),
        ),
      ),
    )
    .for('update', { skipLocked: true });
  await db.delete(paymailDestinations).where(inArray(reference, unpaid));
  await raiseWatermark(db, GONE_THROUGH, until);
}
