/**
 * Follows accepted payments until the network mines or rejects them, or hasn't accepted them for three days. Failed
 * payments are followed for a month, and after that while the network has them. ARC's callback makes a payment due
 * immediately. ARC is also polled, because callbacks can be lost. Instances work concurrently: each claims due rows by
 * postponing their next check. If an instance is killed, its rows become due again.
 */
import { and, asc, eq, inArray, lte, notInArray } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Callback } from '../../protocol/network/broadcaster/broadcaster.ts';
import type { ArcClient } from '../chain/arc-client.ts';
import type { TransactionSource } from '../chain/transaction-source.ts';
import type { Database } from '../database/connect.ts';
import { payments } from '../database/schema.ts';
import { processDue, type DueWork } from '../due-work.ts';
import { describeError } from '../http/errors.ts';
import { checkAgain, FAILED_DELAY_MS } from '../payments/failed-checks.ts';
import { finalStatus, GIVEN_UP, REJECTED, standingOf } from '../payments/acceptance.ts';
import type { FinalStatus, StoredPayment } from '../payments/stored-payment.ts';
import { findAltered, type Altered } from './altered.ts';
import { finishPayment, recordCallbackRequest, recordStanding, openTransaction, readBytes } from './payment-status.ts';

export interface FollowContext {
  db: Database;
  arc: ArcClient;
  now: () => Date;
  log: Logger;
  /** The index, used to find transactions whose txid has changed. Optional. */
  source?: TransactionSource;
  /** The callback URL for ARC and the token for its events, or null. */
  callback: Callback | null;
  /** Maximum interval between checks of a payment (ms). */
  maxDelayMs: number;
}

/** Maximum number of concurrent checks. Each can hold a transaction of up to 25 MB in memory. */
const MAX_PARALLEL_CHECKS = 20;
const FIRST_DELAY_MS = 1_000;
/** Maximum number of attempts to request callbacks from ARC, one per check. */
const CALLBACK_TRIES = 6;

/** Time without acceptance after which a payment is considered failed (ms). */
export const GIVE_UP_MS = 3 * 24 * 3600_000;
/** Maximum age at which a failed payment is still checked (ms). */
const FAILED_CHECKED_MS = 30 * 24 * 3600_000;

/** Returns the delay after `checks` checks: 1 s, doubling up to `maxDelayMs`. */
export function nextDelayMs(checks: number, maxDelayMs: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.min(checks, 30), maxDelayMs);
}

export function paymentWork(context: FollowContext): DueWork<DuePayment> {
  return {
    slots: MAX_PARALLEL_CHECKS,
    claim: (most, inProgress) => claim(context, most, inProgress),
    process: (payment) => check(context, payment),
  };
}

/** Checks one batch of due payments. @returns the number of payments */
export const followDue = (context: FollowContext): Promise<number> => processDue(paymentWork(context));

type DuePayment = Pick<
  StoredPayment['payment'],
  'id' | 'txid' | 'normalizedTxid' | 'status' | 'network' | 'unseenSince' | 'checks' | 'callbackAskedAt' | 'createdAt'
>;

/** Claims up to `most` due payments. No other instance gets them before their next check is due. */
function claim(
  { db, now, maxDelayMs }: FollowContext,
  most: number,
  inProgress: readonly string[],
): Promise<DuePayment[]> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select({
        id: payments.id,
        txid: payments.txid,
        normalizedTxid: payments.normalizedTxid,
        status: payments.status,
        network: payments.network,
        unseenSince: payments.unseenSince,
        createdAt: payments.createdAt,
        checks: payments.checks,
        callbackAskedAt: payments.callbackAskedAt,
      })
      .from(payments)
      .where(
        and(
          inArray(payments.status, ['RECEIVED', 'FAILED']),
          lte(payments.nextCheckAt, now()),
          notInArray(payments.id, [...inProgress]),
        ),
      )
      .orderBy(asc(payments.nextCheckAt))
      .limit(most)
      .for('update', { skipLocked: true });
    const open = due.filter(({ status }) => status === 'RECEIVED');
    for (const checks of new Set(open.map((payment) => payment.checks))) {
      const group = open.filter((payment) => payment.checks === checks);
      await tx
        .update(payments)
        .set({ checks: checks + 1, nextCheckAt: new Date(now().getTime() + nextDelayMs(checks, maxDelayMs)) })
        .where(
          inArray(
            payments.id,
            group.map((payment) => payment.id),
          ),
        );
    }
    for (const { id, createdAt } of due.filter(({ status }) => status === 'FAILED')) {
      const age = now().getTime() - createdAt.getTime();
      const nextCheckAt = age < FAILED_CHECKED_MS ? new Date(now().getTime() + FAILED_DELAY_MS) : null;
      await tx.update(payments).set({ nextCheckAt }).where(eq(payments.id, id));
    }
    return due;
  });
}

/** Checks a payment. @returns false if the operators or the index failed */
async function check(context: FollowContext, payment: DuePayment): Promise<boolean> {
  const { db, arc, now, log } = context;
  const { id, txid } = payment;
  try {
    // Callbacks are requested before the status so that no event in between is missed.
    await askCallback(context, payment);
    const known = await arc.transaction(txid);
    const final = finalStatus(known);
    const end = async (how: FinalStatus, altered?: Altered) => {
      const claimed = how.status === 'FAILED' ? payment : undefined;
      if (await finishPayment(db, id, how, now(), { altered, claimed }))
        log.info({ payment: id, txid: altered?.txid ?? txid, status: how.status }, 'payment settled');
      return true;
    };
    if (final?.status === 'COMPLETED') return await end(final);
    const found = standingOf(known) === 'seen' ? null : await underAnotherId(context, payment);
    const isAnswered = found !== 'unavailable';
    const altered = isAnswered ? found : null;
    const itsFinal = altered && finalStatus(altered.known);
    if (altered && itsFinal?.status === 'COMPLETED') return await end(itsFinal, altered);
    if (payment.status === 'FAILED') {
      // The network has it again, so it will be mined, even if its last regular check was this one.
      if (standingOf(altered?.known ?? known) === 'seen') await checkAgain(db, id, now());
      return isAnswered;
    }
    // The transaction is accepted under a different txid, which is final only once it is mined.
    if (altered && standingOf(altered.known) === 'seen') {
      await recordStanding(db, id, 'seen', now());
      return true;
    }
    const rawtx = standingOf(known) === 'seen' ? null : await openTransaction(db, id);
    const standing = rawtx === null ? standingOf(known) : await arc.secondOpinion(rawtx, txid);
    if (standing === 'rejected') return await end(REJECTED);
    const { unseenSince } = payment;
    if (standing !== 'seen' && unseenSince && now().getTime() - unseenSince.getTime() >= GIVE_UP_MS)
      return await end(GIVEN_UP);
    if (standing !== 'seen' || payment.network !== 'seen' || unseenSince)
      await recordStanding(db, id, standing, now(), payment);
    return isAnswered && standing !== null;
  } catch (error) {
    log.warn({ payment: id, txid, error: describeError(error) }, 'payment could not be followed, will try again');
    return false;
  }
}

/** Returns the payment's transaction under a different txid, null if there is none, or 'unavailable'. */
async function underAnotherId({ db, arc, source, log }: FollowContext, payment: DuePayment) {
  const rawtx = source ? await readBytes(db, payment.id) : null;
  if (!source || !rawtx) return null;
  return findAltered(arc, source, { ...payment, rawtx }).catch((error: unknown) => {
    log.info({ payment: payment.id, error: describeError(error) }, 'the spender of an input could not be read');
    return 'unavailable' as const;
  });
}

/** Asks ARC, once, for callbacks about a payment. Failures are harmless, because ARC is also polled. */
async function askCallback(
  { db, arc, callback, now, log }: FollowContext,
  { id, txid, checks, callbackAskedAt }: DuePayment,
): Promise<void> {
  if (!callback || callbackAskedAt !== null || checks >= CALLBACK_TRIES) return;
  const rawtx = await openTransaction(db, id);
  if (!rawtx) return;
  try {
    await arc.askCallback(rawtx, callback);
  } catch (error) {
    log.info({ payment: id, txid, error: describeError(error) }, 'no operator accepted a callback');
    return;
  }
  await recordCallbackRequest(db, id, now());
}
