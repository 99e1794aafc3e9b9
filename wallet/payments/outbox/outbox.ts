/**
 * The outbox: reports to the services of the wallet's account and of the button, and transactions for recipients'
 * hosts. Each item is sent until the receiver acknowledges it. The schedule is stored in the payment's record. An item
 * may arrive several times, so sending is idempotent.
 */
import { toServiceError } from '../../../protocol/errors/service-error.ts';
import { accountAt } from '../../settings.ts';
import { accountReport, buttonReport, isByAccountNow } from './report.ts';
import { deliveryOf } from './deliver.ts';
import type { Outgoing, Rejection, Tried } from './outgoing.ts';
import type { Delivery, PaymentRecord } from '../record.ts';
import { isStopped } from '../outcome.ts';
import {
  isAccountUnusable,
  isLeft,
  isPutOff,
  isToButtonService,
  isToService,
  waitingDeliveries,
} from '../remaining-work.ts';
import { MINUTE_MS, waitsLongest } from '../retry.ts';
import { scheduleWork } from '../schedule.ts';
import { readPayment, transition } from '../store.ts';
import { unfinishedPayments } from '../unfinished.ts';
import { part, type Wallet } from '../../platform.ts';

/** A receiver's state according to this worker's attempts. Times are in milliseconds since 1970. */
interface Target {
  /** True if the receiver has accepted an item since its last failure. */
  isAnswering: boolean;
  failedAt: number;
  /** When the receiver's waiting items were last all rescheduled for immediate sending. */
  dueSince: number;
}

const targets = part(() => new Map<string, Target>());

const never = Number.NEGATIVE_INFINITY;
const targetOf = (wallet: Wallet, origin: string) =>
  targets(wallet).get(origin) ?? { isAnswering: false, failedAt: never, dueSince: never };
const isRecent = (wallet: Wallet, time: number) => Math.abs(wallet.now() - time) < MINUTE_MS;

/** Attempts made concurrently with the broadcast. Such attempts are repeated if the worker stops. */
const early = part(() => new Map<string, Promise<Rejection | null>>());
/** Maximum time that a service may wait for the transaction before it responds, in seconds (RFC 7240). */
const PREFER_WAIT = { prefer: 'wait=2' };
/** Problems with an early attempt that may not recur once the network has the transaction. */
const TOO_EARLY = ['not-accepted', 'network-unavailable', 'service-unavailable', 'paymail-unavailable'];

/**
 * Names an attempt. If an account is created during the broadcast, both reports may have the same target, but `silence`
 * differs.
 */
const nameOf = ({ id }: PaymentRecord, { kind, silence, target }: Outgoing) => `${id} ${kind} ${silence} ${target}`;

/** Sends a payment's reports concurrently with its first broadcast. */
export async function sendEarly(wallet: Wallet, record: PaymentRecord): Promise<void> {
  // Services accept a mint only after the network has its transaction.
  if (record.broadcast.attempts > 0 || isStopped(record) || record.asset?.mint) return;
  const account = await accountAt(wallet);
  for (const report of [accountReport(wallet, record, account), buttonReport(wallet, record, account)])
    if (report?.retry.attempts === 0 && !early(wallet).has(nameOf(record, report)))
      early(wallet).set(nameOf(record, report), send(report, PREFER_WAIT));
}

export function forgetEarly(wallet: Wallet, id: string): void {
  for (const name of early(wallet).keys()) if (name.startsWith(id)) early(wallet).delete(name);
}

/**
 * Attempts to send all due items of an accepted payment. If a service is also a recipient's host, it gets the report
 * before the transaction: the account's service must first respond to the report, whereas the button's service gets
 * only one attempt.
 * @returns the payment afterwards; null if no item could be completed
 */
export async function sendDue(wallet: Wallet, record: PaymentRecord): Promise<PaymentRecord | null> {
  const account = await accountAt(wallet);
  if (isByAccountNow(record, account))
    return transition(wallet, record.id, 'broadcast', ({ serviceReport }) => ({
      serviceReport: serviceReport && { ...serviceReport, state: 'by-account' },
    }));
  // Stored before anything is sent, because `isLeft` is no longer true once the new account's report is delivered.
  if (isLeft(record, account))
    return transition(wallet, record.id, 'broadcast', ({ serviceReport }) => ({
      serviceReport: serviceReport && { ...serviceReport, state: 'waiting' },
    }));
  const isOwn = (one: Delivery) => isToService(record, one);
  const isButtons = (one: Delivery) => !isOwn(one) && isToButtonService(record, one);
  const deliver = async (isWanted: (one: Delivery) => boolean) => {
    if (!waitingDeliveries(record).some(isWanted)) return false;
    const now = await readPayment(wallet, record.id); // the delivery may have ended during the report
    // If the account has just become unusable, the button's service gets its own report in the next run.
    const isTooEarly = (one: Delivery) => now !== undefined && isLeft(now, account) && isToButtonService(now, one);
    const items = now ? waitingDeliveries(now).filter((one) => isWanted(one) && !isTooEarly(one)) : [];
    return (await Promise.all(items.map((one) => attempt(wallet, record, deliveryOf(wallet, record, one))))).some(
      hasEnded,
    );
  };
  const toButtonService = attempt(wallet, record, buttonReport(wallet, record, account));
  const ended = await Promise.all([
    attempt(wallet, record, accountReport(wallet, record, account)).then(async (report) => {
      if (report?.state === 'waiting' && !isPutOff(report) && !isAccountUnusable(report)) return false;
      if (report?.state === 'waiting') await toButtonService; // this service may also be the account's
      return (await deliver(isOwn)) || hasEnded(report);
    }),
    toButtonService.then(async (report) => (await deliver(isButtons)) || hasEnded(report)),
    deliver((one) => !isOwn(one) && !isButtons(one)),
  ]);
  return ended.includes(true) ? ((await readPayment(wallet, record.id)) ?? null) : null;
}

const hasEnded = (item: Tried | null) => item !== null && item.state !== 'waiting';

/** Attempts to send an item if it is due. @returns the item afterwards; null if there is no item */
async function attempt(wallet: Wallet, record: PaymentRecord, item: Outgoing | null): Promise<Tried | null> {
  if (!item || item.retry.nextAt > wallet.now()) return item && { ...item.retry, state: 'waiting' };
  const { target, silence } = item;
  // Thousands of items may wait for one receiver. After a recent failure, items with the longest delay aren't sent.
  const isKnown =
    waitsLongest(item.retry) &&
    !targetOf(wallet, target).isAnswering &&
    isRecent(wallet, targetOf(wallet, target).failedAt);
  const rejection = isKnown ? { problem: silence, final: false } : await sendOnce(wallet, record, item);
  const tried = await item.after(rejection);
  await transition(wallet, record.id, 'broadcast', (now) => {
    const { state: _, ...changes } = item.put(now, tried);
    return { ...changes, event: 'progress' };
  });
  if (!rejection) void targetAnswered(wallet, item).catch(() => undefined); // if this fails, items keep their schedules
  else if (rejection.problem === silence && !isKnown)
    targets(wallet).set(target, { ...targetOf(wallet, target), isAnswering: false, failedAt: wallet.now() });
  return tried;
}

/** Returns the outcome of the early attempt. Sends the item now if there was no early attempt or it came too early. */
async function sendOnce(wallet: Wallet, record: PaymentRecord, item: Outgoing): Promise<Rejection | null> {
  const sent = early(wallet).get(nameOf(record, item));
  early(wallet).delete(nameOf(record, item));
  const rejection = sent ? await sent : await send(item);
  return sent && rejection && TOO_EARLY.includes(rejection.problem) ? send(item) : rejection;
}

/** Sends an item. Never throws: a missing response or a local problem may be temporary. */
function send(item: Outgoing, headers?: Record<string, string>): Promise<Rejection | null> {
  return item.send(headers).catch((error: unknown) => ({ problem: toServiceError(error).code, final: false }));
}

/**
 * Once a receiver has accepted an item, reschedules its other items for immediate sending if they are waiting only
 * because it didn't respond. Does so at most once a minute, because the receiver may accept some items and fail on
 * others.
 */
async function targetAnswered(wallet: Wallet, { target }: Outgoing): Promise<void> {
  const { isAnswering, failedAt, dueSince } = targetOf(wallet, target);
  if (isAnswering || isRecent(wallet, dueSince)) return;
  targets(wallet).set(target, { isAnswering: true, failedAt, dueSince: wallet.now() });
  const account = await accountAt(wallet);
  const waiting = (record: PaymentRecord) =>
    [
      accountReport(wallet, record, account) ?? [],
      buttonReport(wallet, record, account) ?? [],
      waitingDeliveries(record).map((one) => deliveryOf(wallet, record, one)),
    ]
      .flat()
      .filter(
        ({ target: of, silence, retry }) => of === target && retry.problem === silence && retry.nextAt > wallet.now(),
      );
  for (const { record } of await unfinishedPayments(wallet))
    if (waiting(record).length > 0)
      await transition(wallet, record.id, 'broadcast', (now) => {
        const { state: _, ...changes } = waiting(now).reduce((next, item) => item.put(next, { nextAt: 0 }), now);
        return changes;
      });
  await scheduleWork(wallet);
}
