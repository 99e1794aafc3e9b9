/**
 * Selects the addresses on `m/44'/236'/2'/0` that are issued to a user's senders. Issued addresses stay within the gap
 * limit, so a wallet restored from its recovery words finds every payment.
 */
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { and, eq, lte, ne, sql } from 'drizzle-orm';
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { PaidScripts } from '../chain/paid-scripts.ts';
import type { Database } from '../database/connect.ts';
import { paymailDestinations, payments, receivedTransactions, users } from '../database/schema.ts';
import { readReceivingXpub } from '../identity/registration.ts';

/** Consecutive unused addresses after which a restored wallet stops searching (BIP 44, "Address gap limit"). */
export const GAP_LIMIT = 20;

/** An issued address: its locking script (hex) and index. */
export interface IssuedAddress {
  script: string;
  index: number;
  /** True if it was issued before and might have been paid since. */
  maybePaid: boolean;
}

const scriptsOf = (xpub: string, indexes: readonly number[]): string[] => {
  const chain = readReceivingXpub(xpub).deriveChild(0);
  return indexes.map((index) =>
    toHex(p2pkhScript(ripemd160(sha256(chain.deriveChild(index).publicKey as Uint8Array)))),
  );
};

/**
 * Returns which of a user's addresses are paid, if the next `count` include reissued addresses. Must be called outside
 * a transaction.
 * @returns null if none are reissued, or the index is unavailable
 */
export async function paidAmongReissued(
  db: Database,
  userId: number,
  count: number,
  paidScripts: PaidScripts,
): Promise<ReadonlySet<string> | null> {
  const [user] = await db
    .select({ xpub: users.receivingXpub, base: users.receivingBase, turn: users.receivingTurn })
    .from(users)
    .where(eq(users.id, userId));
  if (!user || user.turn + count <= GAP_LIMIT) return null;
  return paidScripts(
    scriptsOf(
      user.xpub,
      Array.from({ length: GAP_LIMIT }, (_, i) => user.base + i),
    ),
  );
}

/**
 * Issues a user's next `count` addresses, at most {@link GAP_LIMIT}. All addresses are different, and within the gap
 * limit after the last paid address. When no new addresses are left, earlier addresses are reissued in rotation, paid
 * ones last.
 * @param paid the result of {@link paidAmongReissued}
 * @throws ServiceError `unknown-recipient`
 */
export async function issueAddresses(
  db: Database,
  userId: number,
  count: number,
  paid: ReadonlySet<string> | null = null,
): Promise<IssuedAddress[]> {
  // A single statement, so concurrent calls get different addresses.
  const [user] = await db
    .update(users)
    .set({ receivingTurn: sql`${users.receivingTurn} + ${count}` })
    .where(eq(users.id, userId))
    .returning({ xpub: users.receivingXpub, base: users.receivingBase, end: users.receivingTurn });
  if (!user) throw new ServiceError('unknown-recipient');
  const first = user.end - count;
  const turns = Array.from({ length: user.end > GAP_LIMIT && paid !== null ? GAP_LIMIT : count }, (_, i) => first + i);
  const scripts = scriptsOf(
    user.xpub,
    turns.map((turn) => user.base + (turn % GAP_LIMIT)),
  );
  const inTurn = turns.map((turn, i) => {
    const script = scripts[i] as string;
    const isPaid = paid?.has(script) === true;
    return {
      index: user.base + (turn % GAP_LIMIT),
      script,
      isPaid,
      maybePaid: turn >= GAP_LIMIT && (paid === null || isPaid),
    };
  });
  return [...inTurn.filter(({ isPaid }) => !isPaid), ...inTurn.filter(({ isPaid }) => isPaid)]
    .slice(0, count)
    .map(({ index, script, maybePaid }) => ({ index, script, maybePaid }));
}

/** Records that addresses were paid, so the gap starts after the last of them. Higher indexes remain issued. */
export async function markPaid(tx: Database, userId: number, indexes: readonly number[]): Promise<void> {
  const base = Math.max(-1, ...indexes) + 1;
  await tx
    .update(users)
    .set({
      receivingBase: base,
      receivingTurn: sql`greatest(0, least(${users.receivingTurn}, ${GAP_LIMIT}) + ${users.receivingBase} - ${base})`,
    })
    .where(and(eq(users.id, userId), lte(users.receivingBase, base - 1)));
}

/** Records that a failed payment was mined after all. @param tx the transaction that completes the payment */
export async function markPaidAfterAll(tx: Database, paymentId: string): Promise<void> {
  const { userId, reference } = receivedTransactions;
  const paid = await tx
    .select({ userId, index: sql<number>`max((output ->> 'index')::integer)`.mapWith(Number) })
    .from(receivedTransactions)
    .innerJoin(paymailDestinations, eq(paymailDestinations.reference, reference))
    .crossJoin(sql`jsonb_array_elements(${paymailDestinations.outputs}) as output`)
    .where(eq(receivedTransactions.paymentId, paymentId))
    .groupBy(userId)
    .orderBy(userId);
  for (const { userId: user, index } of paid) await markPaid(tx, user, [index]);
}

/**
 * Records that a payment has failed permanently. A restored wallet treats the payment's addresses as unused, so the gap
 * starts after the last address with a valid payment.
 * @param tx the transaction that has set it to FAILED after `lockTransaction` (payments/transaction-lock.ts)
 */
export async function markUnpaid(tx: Database, paymentId: string): Promise<void> {
  const { userId, reference } = receivedTransactions;
  const base = sql<number>`coalesce(max((output ->> 'index')::integer), -1) + 1`.mapWith(Number);
  const received = () =>
    tx
      .select({ userId, base })
      .from(receivedTransactions)
      .innerJoin(payments, eq(payments.id, receivedTransactions.paymentId))
      .innerJoin(paymailDestinations, eq(paymailDestinations.reference, reference))
      .crossJoin(sql`jsonb_array_elements(${paymailDestinations.outputs}) as output`);
  // Sorted so that concurrent calls lock users in the same order and can't deadlock.
  for (const lost of await received().where(eq(payments.id, paymentId)).groupBy(userId).orderBy(userId)) {
    const [user] = await tx
      .select({ base: users.receivingBase })
      .from(users)
      .where(eq(users.id, lost.userId))
      .for('no key update');
    if (user?.base !== lost.base) continue;
    const [stands] = await received()
      .where(and(eq(userId, lost.userId), ne(payments.status, 'FAILED')))
      .groupBy(userId);
    const left = stands?.base ?? 0;
    await tx
      .update(users)
      .set({
        receivingBase: left,
        receivingTurn: sql`least(${users.receivingTurn}, ${GAP_LIMIT}) + ${users.receivingBase} - ${left}`,
      })
      .where(eq(users.id, lost.userId));
  }
}
