/**
 * Lists all stored times that determine when something is due or expires, and how far each can be ahead of the clock
 * (its maximum lead).
 */
import { AGAIN_AFTER_MS, retryDelay } from '../app-backup/apply.ts';
import { waitAfter as waitToRead } from '../coins/history.ts';
import { SIGNABLE_FOR_MS } from '../payments/action.ts';
import { PUT_OFF_MS } from '../payments/outbox/report.ts';
import type { PaymentRecord, Report } from '../payments/record.ts';
import { isOnlyWatched } from '../payments/move.ts';
import { isPutOff } from '../payments/remaining-work.ts';
import { DAY_MS, delayAfter, FIVE_MINUTES_MS, MAX_WATCH_MS, MINUTE_MS, type Retry } from '../payments/retry.ts';
import { WATCHED_MS } from '../scan/basket-spend-check.ts';
import { CROWDED_MS } from '../scan/lists.ts';
import { waitAfter as waitToScan } from '../scan/history/read.ts';
import { PERMANENTLY, MAX_BLOCK_MS } from '../sites/site.ts';
import type { Platform } from '../platform.ts';

/**
 * Times by path (`*` for each element), with their maximum lead (milliseconds): 0 for past events. A function computes
 * the lead from the record, the value, and the object that contains the value.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- each store has a different shape
type Times = Record<string, number | ((record: any, value: number, holder: any) => number)>;

/** Returns the maximum lead of a retry time: the delay after that number of attempts. */
const retryUpTo =
  (longestMs: number) =>
  (_: object, __: number, { attempts }: Retry): number =>
    delayAfter(attempts, longestMs);

/** Times in `keyval`, by key. */
export const KEYED_TIMES: Record<'scan' | 'appLog', Times> = {
  scan: {
    roundAt: 0,
    'unread.failed.*.nextAt': (_, __, { tries }: { tries: number }) => waitToScan(tries),
    'crowded.*.nextAt': CROWDED_MS,
    'kept.spent.*.until': WATCHED_MS,
  },
  appLog: { readAt: 0, 'retry.nextAt': retryUpTo(MINUTE_MS) },
};

/** Times in a store's records, or only in the records that an index finds. */
interface StoreTimes {
  index?: { name: string; range: (keyRange: Platform['keyRange'], now: number) => IDBKeyRange };
  times: Times;
}

export const STORE_TIMES: Record<'payments' | 'prompts' | 'sites' | 'history' | 'appLog', StoreTimes> = {
  payments: {
    index: { name: 'unfinished', range: (keyRange) => keyRange.bound(1, 2) },
    times: {
      // Left unchanged, because the runner ends an approved payment of unknown age without signing it
      // (wallet/payments/runner/runner.ts).
      approvedAt: ({ state }: PaymentRecord) => (state === 'approved' ? Number.POSITIVE_INFINITY : 0),
      'broadcast.nextAt': (record: PaymentRecord, _, { attempts, problem }: Retry) => {
        if (isOnlyWatched(record)) return delayAfter(attempts, MAX_WATCH_MS, MINUTE_MS);
        // An operator may have requested a longer delay (Retry-After).
        return problem === 'network-unavailable' ? MINUTE_MS : delayAfter(attempts, MINUTE_MS);
      },
      'confirmation.nextAt': retryUpTo(MINUTE_MS),
      'report.nextAt': (_, __, report: Report) =>
        isPutOff(report) ? PUT_OFF_MS : delayAfter(report.attempts, FIVE_MINUTES_MS),
      'serviceReport.nextAt': retryUpTo(DAY_MS),
      'deliveries.*.nextAt': retryUpTo(DAY_MS),
      'action.expiresAt': SIGNABLE_FOR_MS,
    },
  },
  prompts: { times: { createdAt: 0, endedAt: 0, 'window.shownAt': 0 } },
  sites: {
    times: {
      'refusedAt.*': 0,
      endedAt: 0,
      'setAside.*.at': 0,
      blockedUntil: (_, until) => (until === PERMANENTLY ? Number.POSITIVE_INFINITY : MAX_BLOCK_MS),
    },
  },
  // `order` is the negative time of the next attempt.
  history: {
    index: { name: 'order', range: (keyRange, now) => keyRange.upperBound(-now, true) },
    times: { '-order': (_, __, { tries }: { tries: number }) => waitToRead(tries) },
  },
  appLog: {
    index: { name: 'unapplied', range: (keyRange, now) => keyRange.lowerBound(now + AGAIN_AFTER_MS, true) },
    times: { unapplied: (_, __, { misses }: { misses?: number }) => retryDelay(misses) },
  },
};

/**
 * Limits each time in a record to its maximum lead.
 * @param now milliseconds since 1970
 * @returns the changed record; null if nothing had to be changed
 */
export function corrected<T extends object>(record: T, times: Times, now: number): T | null {
  let next: T | null = null;
  for (const [path, ahead] of Object.entries(times)) {
    const isNegative = path.startsWith('-');
    const sign = isNegative ? -1 : 1;
    const most = (value: number, holder: object) =>
      now + (typeof ahead === 'number' ? ahead : ahead(record, value, holder));
    next = at(next ?? record, path.slice(isNegative ? 1 : 0).split('.'), (value, holder) =>
      sign * value > most(value, holder) ? sign * most(value, holder) : value,
    ) as T;
    if (next === record) next = null;
  }
  return next;
}

/** Returns a copy with the numbers at a path changed, or the same object if nothing changes. */
function at(
  value: unknown,
  path: readonly string[],
  change: (value: number, holder: object) => number,
  holder: object = {},
): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === 'number' ? change(value, holder) : value;
  if (Array.isArray(value)) {
    const all = value.map((one: unknown) => at(one, rest, change, value));
    return all.every((one, i) => one === value[i]) ? value : all;
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  const before = (value as Record<string, unknown>)[name];
  const after = at(before, rest, change, value);
  return after === before ? value : { ...value, [name]: after };
}
