/** Checks that no stored time is further ahead than its maximum delay, even after the clock was set back. */
import { at, type Allowance } from '../wallet/allowances/allowance.ts';
import type { AppLogState } from '../wallet/app-log/state.ts';
import { SIGNABLE_FOR_MS } from '../wallet/payments/action.ts';
import type { PaymentRecord } from '../wallet/payments/record.ts';
import { isOnlyWatched } from '../wallet/payments/move.ts';
import { DAY_MS, FIVE_MINUTES_MS, MAX_WATCH_MS, MINUTE_MS, type Retry } from '../wallet/payments/retry.ts';
import { PERMANENTLY, type Site } from '../wallet/sites/site.ts';
import type { Disk } from './world/disk.ts';

const MONTH_MS = 31 * DAY_MS;

/** A stored time (milliseconds since 1970), and how far ahead it may be (milliseconds). */
type Due = [name: string, time: number, atMost: number];

/**
 * Returns a description of the first stored time that is too far ahead, or null.
 * @param now the current time by the browser's clock
 * @param checked payments that have passed this check; unless the clock is set back, they needn't be checked again
 */
export function tooFarAhead(data: Disk, now: number, checked: WeakSet<object>): string | null {
  const isAhead = ([, time, atMost]: Due) => time > now + atMost;
  for (const record of data.all<PaymentRecord>('payments')) {
    if (checked.has(record)) continue;
    checked.add(record);
    // Retry times of completed payments are unused. A reorganization makes the retries due immediately.
    if (record.unfinished === 0) continue;
    const due = duesOf(record).find(isAhead);
    if (due) return `${due[0]} of ${record.requestId} is due in ${due[1] - now} ms`;
  }
  const others: Due[] = [
    // If an allowance's period is over, a new one starts when the allowance is next used.
    ...data.all<Allowance>('allowances').map((one): Due => ['an allowance', at(one, now).resetsAt, MONTH_MS]),
    ...data
      .all<Site>('sites')
      .map(({ blockedUntil }): Due => ['a block', blockedUntil === PERMANENTLY ? 0 : (blockedUntil ?? 0), DAY_MS]),
    ['the lock', data.get<{ lockAt: number }>('keyval', 'session')?.lockAt ?? 0, DAY_MS],
    ['the release', data.get<{ nextAt: number }>('keyval', 'release')?.nextAt ?? 0, DAY_MS],
    ['the log', data.get<AppLogState>('keyval', 'appLog')?.retry.nextAt ?? 0, MINUTE_MS],
  ];
  const due = others.find(isAhead);
  return due ? `${due[0]} is due in ${due[1] - now} ms` : null;
}

const isOver = (outgoing: { state: string } | null): boolean =>
  outgoing !== null && outgoing.state !== 'waiting' && outgoing.state !== 'by-account';

function duesOf(record: PaymentRecord): Due[] {
  const { broadcast, confirmation, report, serviceReport, deliveries, action } = record;
  // Delays double with each attempt, starting at `first`.
  const clock = (name: string, retry: Retry | null, longest: number, first = 1000): Due => [
    name,
    retry?.nextAt ?? 0,
    Math.min(longest, first * 2 ** ((retry?.attempts ?? 1) - 1)),
  ];
  return [
    isOnlyWatched(record)
      ? clock('the watch', broadcast, MAX_WATCH_MS, MINUTE_MS)
      : // An operator may have requested a longer wait (Retry-After).
        clock('the broadcast', broadcast, MINUTE_MS, broadcast.problem === 'network-unavailable' ? MINUTE_MS : 1000),
    clock('the confirmation', confirmation, MINUTE_MS),
    clock('the report', report, FIVE_MINUTES_MS),
    // Completed reports keep an obsolete `nextAt`.
    clock('the service report', isOver(serviceReport) ? null : serviceReport, DAY_MS),
    ...deliveries.map((one) => clock('a delivery', isOver(one) ? null : one, DAY_MS)),
    ['the signature', action?.expiresAt ?? 0, SIGNABLE_FOR_MS],
  ];
}
