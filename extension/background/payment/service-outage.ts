/** Circuit breaker for the wallet's own service. One report's outcome applies to all reports. */
import type { PaymentRecord } from './record.ts';
import { MINUTE_MS } from './retry.ts';
import { scheduleWork } from './schedule.ts';
import { transition } from './transition.ts';
import { unfinishedPayments } from './unfinished.ts';

/** True if it has accepted a report since its last failure, as far as this run of the worker knows. */
let isAnswering = false;
/**
 * The time of its last failure, and of the last time that reports were made due because it responded again
 * (milliseconds since 1970).
 */
let [failedAt, dueSince] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];

const isRecent = (time: number) => Math.abs(Date.now() - time) < MINUTE_MS;

const isWaiting = ({ report }: PaymentRecord) =>
  report.state === 'waiting' && report.problem === 'service-unavailable' && report.nextAt > Date.now();

export function serviceFailed(): void {
  isAnswering = false;
  failedAt = Date.now();
}

/** True if it has just failed, so that old reports needn't be sent. */
export function hasJustFailed(): boolean {
  return !isAnswering && isRecent(failedAt);
}

/**
 * Makes waiting reports due after one was accepted, but no more than once a minute, because the service may accept some
 * and fail others.
 */
export async function serviceAnswered(): Promise<void> {
  if (isAnswering || isRecent(dueSince)) return;
  isAnswering = true;
  dueSince = Date.now();
  for (const { record } of await unfinishedPayments())
    if (isWaiting(record))
      await transition(record.id, 'broadcast', (now) =>
        isWaiting(now) ? { report: { ...now.report, nextAt: 0 } } : {},
      );
  await scheduleWork();
}
