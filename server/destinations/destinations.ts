/** Destinations issued to senders, identified by their references. */
import { and, eq, gte, inArray, lt, notExists } from 'drizzle-orm';
import type { OutputScript } from '../../protocol/payments/payment-types.ts';
import type { Database } from '../database/connect.ts';
import { paymailDestinations, paymentOutputs, receivedTransactions } from '../database/schema.ts';
import { readWatermark, setWatermark } from '../database/watermark.ts';
import { randomSecret } from '../secrets.ts';
import type { PaidScripts } from '../chain/paid-scripts.ts';
import { issueAddresses, paidAmongReissued } from './addresses.ts';
import { splitAmount } from './split.ts';

/** A destination: payee, total and outputs (script hex, satoshis as decimal string, index on `m/44'/236'/2'/0`). */
export interface Destination {
  userId: number;
  satoshis: bigint;
  outputs: (OutputScript & { index: number })[];
  /** True if one of its addresses was issued before and might have been paid since. */
  maybePaid: boolean;
}

/** How long an unpaid destination is stored (ms). */
const KEEP_MS = 30 * 24 * 3600_000;

export const destinationColumns = {
  userId: paymailDestinations.userId,
  satoshis: paymailDestinations.satoshis,
  outputs: paymailDestinations.outputs,
  maybePaid: paymailDestinations.maybePaid,
};

const notKnown: PaidScripts = () => Promise.resolve(null);

/** Returns the destination with this reference, or null if this service didn't issue it. */
export async function findDestination(db: Database, reference: string): Promise<Destination | null> {
  const [found] = await db
    .select(destinationColumns)
    .from(paymailDestinations)
    .where(eq(paymailDestinations.reference, reference));
  return found ?? null;
}

/** Creates a destination for a user and stores it under an unguessable reference. */
export function createDestination(
  db: Database,
  userId: number,
  satoshis: bigint,
  now: Date,
  paidScripts: PaidScripts = notKnown,
): Promise<Destination & { reference: string }> {
  return keep(db, userId, splitAmount(satoshis), now, paidScripts);
}

/** Creates a destination for ordinals or tokens: `count` outputs (1 to 20) of one satoshi each. */
export function createOrdinalDestination(
  db: Database,
  userId: number,
  count: number,
  now: Date,
  paidScripts: PaidScripts = notKnown,
): Promise<Destination & { reference: string }> {
  return keep(db, userId, Array<bigint>(count).fill(1n), now, paidScripts);
}

/**
 * Creates a script for basic address resolution. The script is stored as a destination with a secret reference so that
 * a payment to it doesn't count toward another reference.
 * @param satoshis 0 if unknown
 */
export async function createBasicDestination(
  db: Database,
  userId: number,
  satoshis: bigint,
  now: Date,
  paidScripts: PaidScripts = notKnown,
): Promise<string> {
  const { outputs } = await keep(db, userId, [satoshis], now, paidScripts);
  return (outputs[0] as Destination['outputs'][number]).script;
}

async function keep(
  db: Database,
  userId: number,
  parts: readonly bigint[],
  now: Date,
  paidScripts: PaidScripts,
): Promise<Destination & { reference: string }> {
  const satoshis = parts.reduce((sum, part) => sum + part, 0n);
  const reference = randomSecret();
  const paid = await paidAmongReissued(db, userId, parts.length, paidScripts);
  return db.transaction(async (tx) => {
    const addresses = await issueAddresses(tx, userId, parts.length, paid);
    const outputs = addresses.map(({ script, index }, i) => ({ script, satoshis: String(parts[i]), index }));
    const maybePaid = addresses.some((address) => address.maybePaid);
    const destination = { reference, userId, satoshis, outputs, maybePaid, createdAt: now };
    await tx.insert(paymailDestinations).values(destination);
    return destination;
  });
}

/** True if two destinations request an output with the same script and value. */
export function shareOutput(a: Pick<Destination, 'outputs'>, b: Pick<Destination, 'outputs'>): boolean {
  return a.outputs.some((one) =>
    b.outputs.some((other) => other.script === one.script && other.satoshis === one.satoshis),
  );
}

/** Name of the watermark before which all unpaid destinations have been deleted. */
const GONE_THROUGH = 'unpaid-destinations-deleted';

/**
 * Deletes destinations unpaid for 30 days. Keeps paid destinations, even if the payment failed or was only reported.
 */
export async function deleteUnpaidDestinations(db: Database, now: Date): Promise<void> {
  const { reference } = paymailDestinations;
  const until = new Date(now.getTime() - KEEP_MS);
  const from = await readWatermark(db, GONE_THROUGH, until);
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
  await setWatermark(db, GONE_THROUGH, until);
}
