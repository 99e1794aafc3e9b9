/**
 * Follows accepted payments until the network mines or rejects them. ARC is asked to call back, which only makes a
 * payment due at once, and is polled at growing intervals, because callbacks can be lost. Any number of instances do so
 * at once: each claims some due rows by postponing their next check, and a claim that is lost (a killed process) is due
 * again then.
 */
import { and, asc, eq, inArray, lte } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Callback } from '../../protocol/broadcaster/broadcaster.ts';
import type { ArcClient } from '../chain/arc-client.ts';
import type { Database } from '../database/connect.ts';
import { payments } from '../database/schema.ts';
import { describeError } from '../http/errors.ts';
import { finalStatus } from '../payments/acceptance.ts';
import { finishPayment, noteCallbackAsked, openTransaction } from './store.ts';

/** What the follower works with. */
export interface FollowContext {
  db: Database;
  arc: ArcClient;
  now: () => Date;
  log: Logger;
  /** Where ARC is to call back; null where it cannot. */
  callback: Callback | null;
  /** The longest time between two looks at one payment, in milliseconds. */
  maxDelayMs: number;
}

const BATCH = 20;
const FIRST_DELAY_MS = 1_000;
/** At how many checks ARC is asked to call back, until it has accepted that. */
const CALLBACK_TRIES = 6;

/** How long to wait after so many looks: 1 s, then twice as long each time, up to `maxDelayMs`. */
export function nextDelayMs(checks: number, maxDelayMs: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.min(checks, 30), maxDelayMs);
}

/** Looks at the payments that are due, once. Gives how many it looked at. */
export async function followDue(context: FollowContext): Promise<number> {
  const claimed = await claim(context);
  await Promise.all(claimed.map((payment) => check(context, payment)));
  return claimed.length;
}

/** A payment to be looked at. */
interface DuePayment {
  id: string;
  txid: string;
  checks: number;
  callbackAskedAt: Date | null;
}

/** Takes up to {@link BATCH} due payments: nobody else gets them before their next delay has passed. */
function claim({ db, now, maxDelayMs }: FollowContext): Promise<DuePayment[]> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select({
        id: payments.id,
        txid: payments.txid,
        checks: payments.checks,
        callbackAskedAt: payments.callbackAskedAt,
      })
      .from(payments)
      .where(and(eq(payments.status, 'RECEIVED'), lte(payments.nextCheckAt, now())))
      .orderBy(asc(payments.nextCheckAt))
      .limit(BATCH)
      .for('update', { skipLocked: true });
    for (const checks of new Set(due.map((payment) => payment.checks))) {
      const group = due.filter((payment) => payment.checks === checks);
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
    return due;
  });
}

async function check(context: FollowContext, payment: DuePayment): Promise<void> {
  const { db, arc, now, log } = context;
  const { id, txid } = payment;
  try {
    // First the callback, then the question: nothing can happen unseen between the two.
    await askCallback(context, payment);
    const final = finalStatus(await arc.transaction(txid));
    if (final && (await finishPayment(db, id, final, now()))) {
      log.info({ payment: id, txid, status: final.status }, 'payment settled');
    }
  } catch (error) {
    log.warn({ payment: id, txid, error: describeError(error) }, 'payment could not be followed, will try again');
  }
}

/** Asks ARC to call back about a payment, once. If that fails nothing is lost: ARC is polled anyway. */
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
    log.info({ payment: id, txid, error: describeError(error) }, 'no operator took a callback');
    return;
  }
  await noteCallbackAsked(db, id, now());
}
