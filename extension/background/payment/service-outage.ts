/** What one report finds out about the wallet's own service holds for all: whether it answers. */
import type { PaymentRecord } from './record.ts';
import { MINUTE_MS } from './retry.ts';
import { scheduleWork } from './schedule.ts';
import { transition } from './transition.ts';
import { unfinishedPayments } from './unfinished.ts';

/** Has it taken a report since it last did not answer? Not that this run of the worker knows. */
let isAnswering = false;
/** When it last did not answer, and when reports were last made due because it did again (milliseconds since 1970). */
let [failedAt, dueSince] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];

const isRecent = (time: number) => Math.abs(Date.now() - time) < MINUTE_MS;

const isWaiting = ({ report }: PaymentRecord) =>
  report.state === 'waiting' && report.problem === 'service-unavailable' && report.nextAt > Date.now();

/** It was asked, and did not answer. */
export function serviceFailed(): void {
  isAnswering = false;
  failedAt = Date.now();
}

/** Has it just not answered? Then what has waited long for it need not ask by itself. */
export function hasJustFailed(): boolean {
  return !isAnswering && isRecent(failedAt);
}

/** It took a report: those that wait for it are due now, but no more than once a minute, for it may take some and fail others. */
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
