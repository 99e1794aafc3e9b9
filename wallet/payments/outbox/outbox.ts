/**
 * The outbox contains the reports to the service of the wallet's account and to the button's, and the transactions for
 * recipients' hosts. Each item is sent until the other party acknowledges it. Its schedule is part of its payment's
 * record. Sending is idempotent, because an item may arrive several times.
 */
import { toServiceError } from '../../../protocol/errors/service-error.ts';
import { accountAt } from '../../settings.ts';
import { accountReport, buttonReport, isByAccountNow } from './report.ts';
import { deliveryOf } from './deliver.ts';
import type { Outgoing, Rejection, Tried } from './outgoing.ts';
import type { Delivery, PaymentRecord } from '../record.ts';
import { isLeft, isPutOff, isToButtonService, isToService, waitingDeliveries } from '../move.ts';
import { MINUTE_MS, waitsLongest } from '../retry.ts';
import { scheduleWork } from '../schedule.ts';
import { readPayment, transition } from '../store.ts';
import { unfinishedPayments } from '../unfinished.ts';
import { part, type Wallet } from '../../platform.ts';

/** A party's state as far as this worker knows it from any attempt. Times in milliseconds since 1970. */
interface Target {
  /** True if it has accepted something since its last failure. */
  isAnswering: boolean;
  failedAt: number;
  /** When everything for it was last made due. */
  dueSince: number;
}

const targets = part(() => new Map<string, Target>());

const never = Number.NEGATIVE_INFINITY;
const targetOf = (wallet: Wallet, origin: string) =>
  targets(wallet).get(origin) ?? { isAnswering: false, failedAt: never, dueSince: never };
const isRecent = (wallet: Wallet, time: number) => Math.abs(wallet.now() - time) < MINUTE_MS;

/** Attempts concurrent with the broadcast. They are repeated if the worker stops. */
const early = part(() => new Map<string, Promise<Rejection | null>>());
/** How long a service can wait for the transaction before it responds (RFC 7240; seconds). */
const PREFER_WAIT = { prefer: 'wait=2' };
/** The network did not have it in time, or there was no response, which may have changed since. */
const TOO_EARLY = ['not-accepted', 'network-unavailable', 'service-unavailable', 'paymail-unavailable'];

/** Both reports may go to one service, if the account is created during the broadcast. */
const nameOf = ({ id }: PaymentRecord, { kind, silence, target }: Outgoing) => `${id} ${kind} ${silence} ${target}`;

/** Sends the reports of a payment concurrently with its first broadcast. */
export async function sendEarly(wallet: Wallet, record: PaymentRecord): Promise<void> {
  // A service accepts no asset whose transaction the network does not have.
  if (record.broadcast.attempts > 0 || record.asset?.mint) return;
  const account = await accountAt(wallet);
  for (const report of [accountReport(wallet, record, account), buttonReport(wallet, record, account)])
    if (report?.clock.attempts === 0 && !early(wallet).has(nameOf(record, report)))
      early(wallet).set(nameOf(record, report), send(report, PREFER_WAIT));
}

export function forgetEarly(wallet: Wallet, id: string): void {
  for (const name of early(wallet).keys()) if (name.startsWith(id)) early(wallet).delete(name);
}

/**
 * Attempts everything that is due for a payment that the network has. A service gets the report first, so that it knows
 * the payment when it receives the transaction. The button's service gets one attempt, and the recipient's host gets
 * the transaction regardless of its outcome.
 * @returns the payment after that; null if nothing could be completed now
 */
export async function workOff(wallet: Wallet, record: PaymentRecord): Promise<PaymentRecord | null> {
  const account = await accountAt(wallet);
  if (isByAccountNow(record, account))
    return transition(wallet, record.id, 'broadcast', ({ serviceReport }) => ({
      serviceReport: serviceReport && { ...serviceReport, state: 'by-account' },
    }));
  // Stored before anything is sent: later only the report to the new account would show that it was left.
  if (isLeft(record, account))
    return transition(wallet, record.id, 'broadcast', ({ serviceReport }) => ({
      serviceReport: serviceReport && { ...serviceReport, state: 'waiting' },
    }));
  const isOwn = (one: Delivery) => isToService(record, one);
  const isButtons = (one: Delivery) => !isOwn(one) && isToButtonService(record, one);
  const deliver = async (isWanted: (one: Delivery) => boolean) => {
    if (!waitingDeliveries(record).some(isWanted)) return false;
    const now = await readPayment(wallet, record.id); // it may have ended while a report was on its way
    const items = now ? waitingDeliveries(now).filter(isWanted) : [];
    return (await Promise.all(items.map((one) => attempt(wallet, record, deliveryOf(wallet, record, one))))).some(
      hasEnded,
    );
  };
  const ended = await Promise.all([
    attempt(wallet, record, accountReport(wallet, record, account)).then(async (report) => {
      if (report?.state === 'waiting' && !isPutOff(report)) return false;
      return (await deliver(isOwn)) || hasEnded(report);
    }),
    attempt(wallet, record, buttonReport(wallet, record, account)).then(
      async (report) => (await deliver(isButtons)) || hasEnded(report),
    ),
    deliver((one) => !isOwn(one) && !isButtons(one)),
  ]);
  return ended.includes(true) ? ((await readPayment(wallet, record.id)) ?? null) : null;
}

const hasEnded = (item: Tried | null) => item !== null && item.state !== 'waiting';

/** Makes one attempt, if it is due. @returns the item afterwards; null if there is none */
async function attempt(wallet: Wallet, record: PaymentRecord, item: Outgoing | null): Promise<Tried | null> {
  if (!item || item.clock.nextAt > wallet.now()) return item && { ...item.clock, state: 'waiting' };
  const { target, silence } = item;
  // Thousands may wait for one party. Once one of them has failed, the oldest aren't sent.
  const isKnown =
    waitsLongest(item.clock) &&
    !targetOf(wallet, target).isAnswering &&
    isRecent(wallet, targetOf(wallet, target).failedAt);
  const rejection = isKnown ? { problem: silence, final: false } : await sendOnce(wallet, record, item);
  const tried = await item.after(rejection);
  await transition(wallet, record.id, 'broadcast', (now) => {
    const { state: _, ...changes } = item.put(now, tried);
    return { ...changes, event: 'progress' };
  });
  if (!rejection) void targetAnswered(wallet, item).catch(() => undefined); // then they are due later
  else if (rejection.problem === silence && !isKnown)
    targets(wallet).set(target, { ...targetOf(wallet, target), isAnswering: false, failedAt: wallet.now() });
  return tried;
}

/** Returns the outcome of the early attempt, unless it was too early; otherwise sends it now. */
async function sendOnce(wallet: Wallet, record: PaymentRecord, item: Outgoing): Promise<Rejection | null> {
  const sent = early(wallet).get(nameOf(record, item));
  early(wallet).delete(nameOf(record, item));
  const rejection = sent ? await sent : await send(item);
  return sent && rejection && TOO_EARLY.includes(rejection.problem) ? send(item) : rejection;
}

/** A request without a response may get one later, and local problems may be temporary. */
function send(item: Outgoing, headers?: Record<string, string>): Promise<Rejection | null> {
  return item.send(headers).catch((error: unknown) => ({ problem: toServiceError(error).code, final: false }));
}

/**
 * Makes everything due that waits for a party because it didn't respond, once it has accepted something; at most once a
 * minute, because it may accept some items and fail for others.
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
        ({ target: of, silence, clock }) => of === target && clock.problem === silence && clock.nextAt > wallet.now(),
      );
  for (const { record } of await unfinishedPayments(wallet))
    if (waiting(record).length > 0)
      await transition(wallet, record.id, 'broadcast', (now) => {
        const { state: _, ...changes } = waiting(now).reduce((next, item) => item.put(next, { nextAt: 0 }), now);
        return changes;
      });
  await scheduleWork(wallet);
}
