import { and, desc, eq, gt, isNotNull, ne, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { p2pkhScript, writeAddress, type Network } from '../../protocol/bitcoin/address.ts';
import { firstKey } from '../../protocol/bitcoin/p2pkh-unlock.ts';
import { parseTransaction } from '../../protocol/bitcoin/transaction.ts';
import type { Database } from '../database/connect.ts';
import { applications, payments } from '../database/schema.ts';
import type { StoredPayment } from './stored-payment.ts';

type Payment = StoredPayment['payment'];

/** Returns the HASH160 of the first input's key, proven to be the payer's by a report; null if there is no report. */
function payerKeyHash({ reported, rawtx }: Pick<Payment, 'reported' | 'rawtx'>): Uint8Array | null {
  const key = reported ? firstKey(parseTransaction(rawtx)) : null;
  return key && ripemd160(sha256(key));
}

/** Returns the payer's address, to which refunds are sent, or null if it is unknown. */
export function refundAddress(payment: Pick<Payment, 'reported' | 'rawtx'>, network: Network): string | null {
  const hash = payerKeyHash(payment);
  return hash && writeAddress(hash, network);
}

export function refundScript(payment: Pick<Payment, 'reported' | 'rawtx'>): Uint8Array | null {
  const hash = payerKeyHash(payment);
  return hash && p2pkhScript(hash);
}

/**
 * Returns the part of a payment that an account can still refund (satoshis): for the application's owner, the whole
 * remaining amount; for others, at most their own part. Zero or negative if nothing is left.
 */
export async function mayGiveBack(db: Database, { payment, outputs }: StoredPayment, userId: number): Promise<bigint> {
  const left = payment.satoshis - payment.refundedSatoshis;
  if (await ownsApplication(db, userId, payment)) return left;
  const part = outputs.reduce((sum, output) => sum + (output.recipientId === userId ? output.satoshis : 0n), 0n);
  const [before] = await db
    .select({ satoshis: sql<string>`coalesce(sum(${payments.refundSatoshis}), 0)` })
    .from(payments)
    .where(and(eq(payments.refundOf, payment.id), eq(payments.userId, userId), ne(payments.status, 'FAILED')));
  const ofTheirs = part - BigInt(before?.satoshis ?? 0);
  return ofTheirs < left ? ofTheirs : left;
}

async function ownsApplication(db: Database, userId: number, { clientIdentifier }: Payment): Promise<boolean> {
  if (clientIdentifier === null) return false;
  const isOwn = and(eq(applications.clientIdentifier, clientIdentifier), eq(applications.ownerId, userId));
  return (await db.$count(applications, isOwn)) > 0;
}

/** Returns a payment's refunds, newest first, including failed ones. */
export function refundsOf(db: Database, id: string, most: number) {
  const { refundSatoshis: satoshis, status, createdAt } = payments;
  return db
    .select({ id: payments.id, satoshis: sql<bigint>`${satoshis}`.mapWith(satoshis), status, createdAt })
    .from(payments)
    .where(and(eq(payments.refundOf, id), isNotNull(satoshis)))
    .orderBy(desc(createdAt))
    .limit(most);
}

/** Returns the refunds for an account's own payments, newest first, except failed refunds. */
export function refundsTo(db: Database, userId: number, most: number) {
  const given = alias(payments, 'given');
  return db
    .select({
      paymentId: given.id,
      txid: payments.txid,
      satoshis: sql<bigint>`${payments.refundSatoshis}`.mapWith(payments.refundSatoshis),
    })
    .from(given)
    .innerJoin(payments, and(sql`${payments.refundOf} = ${given.id}::text`, isNotNull(payments.refundSatoshis)))
    .where(and(eq(given.userId, userId), gt(given.refundedSatoshis, 0n), ne(payments.status, 'FAILED')))
    .orderBy(desc(payments.createdAt))
    .limit(most);
}

/**
 * Adds a failed refund to the refunded sum again, because it was mined after all.
 * @param tx the transaction that corrects the refund's status
 * @returns the refunded payment; null if the payment isn't a refund
 */
export async function reapplyRefund(
  tx: Database,
  { refundOf, refundSatoshis }: Pick<Payment, 'refundOf' | 'refundSatoshis'>,
): Promise<Payment | null> {
  return addRefund(tx, refundOf, refundSatoshis);
}

/** Subtracts a failed refund from the refunded sum. @param tx the transaction that sets the refund to FAILED */
export async function revertRefund(
  tx: Database,
  { refundOf, refundSatoshis }: Pick<Payment, 'refundOf' | 'refundSatoshis'>,
): Promise<void> {
  await addRefund(tx, refundOf, refundSatoshis === null ? null : -refundSatoshis);
}

async function addRefund(tx: Database, refundOf: string | null, satoshis: bigint | null): Promise<Payment | null> {
  if (refundOf === null || satoshis === null) return null;
  const [refunded] = await tx
    .update(payments)
    .set({ refundedSatoshis: sql`${payments.refundedSatoshis} + ${satoshis}` })
    .where(eq(payments.id, refundOf))
    .returning();
  return refunded ?? null;
}
