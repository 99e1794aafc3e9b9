/** Every stored time that decides when something is due, or since when it counts, and how far ahead it may be. */
import { AGAIN_AFTER_MS } from '../app-backup/apply.ts';
import { LONGEST_WAIT_MS as LONGEST_READ_WAIT_MS } from '../coins/history.ts';
import { SIGNABLE_FOR_MS } from '../payment/action.ts';
import { PUT_OFF_MS } from '../payment/process.ts';
import { isKeptByApplication, type PaymentRecord } from '../payment/record.ts';
import { DAY_MS, LONGEST_WATCH_MS, MINUTE_MS } from '../payment/retry.ts';
import { WATCHED_MS } from '../scan/kept.ts';
import { CROWDED_MS } from '../scan/lists.ts';
import { LONGEST_WAIT_MS as LONGEST_SCAN_WAIT_MS } from '../scan/read.ts';
import { FOR_GOOD, LONGEST_BLOCK_MS } from '../sites/site.ts';

/**
 * Times by their paths (`*` for each element), with how far ahead each may be: milliseconds, 0 for what has happened.
 * A function decides by the record and the value.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- each store has another shape
type Times = Record<string, number | ((record: any, value: number) => number)>;

/** Single records, by key. */
export const KEYED_TIMES: Record<'scan' | 'appLog', Times> = {
  scan: {
    roundAt: 0,
    'unread.failed.*.nextAt': LONGEST_SCAN_WAIT_MS,
    'crowded.*.nextAt': CROWDED_MS,
    'kept.spent.*.until': WATCHED_MS,
  },
  appLog: { readAt: 0, 'retry.nextAt': MINUTE_MS },
};

/** Times of a store: of all its records, or of those that an index finds. */
interface StoreTimes {
  index?: { name: string; range: (now: number) => IDBKeyRange | number };
  times: Times;
}

/** The times of the stores. */
export const STORE_TIMES: Record<'payments' | 'receipts' | 'prompts' | 'sites' | 'history' | 'appLog', StoreTimes> = {
  payments: {
    index: { name: 'unfinished', range: () => IDBKeyRange.bound(1, 2) },
    times: {
      // An approval whose age is unknown ends unsigned (payment/process.ts).
      approvedAt: ({ state }: PaymentRecord) => (state === 'approved' ? Number.POSITIVE_INFINITY : 0),
      'broadcast.nextAt': (record: PaymentRecord) => (isKeptByApplication(record) ? LONGEST_WATCH_MS : MINUTE_MS),
      'confirmation.nextAt': MINUTE_MS,
      'report.nextAt': PUT_OFF_MS,
      'serviceReport.nextAt': DAY_MS,
      'deliveries.*.nextAt': DAY_MS,
      'action.expiresAt': SIGNABLE_FOR_MS,
    },
  },
  receipts: { index: { name: 'unconfirmed', range: () => 1 }, times: { 'look.at': 0, 'look.since': 0 } },
  prompts: { times: { createdAt: 0, 'window.shownAt': 0 } },
  sites: {
    times: {
      'refusedAt.*': 0,
      endedAt: 0,
      'setAside.*.at': 0,
      blockedUntil: (_, until) => (until === FOR_GOOD ? Number.POSITIVE_INFINITY : LONGEST_BLOCK_MS),
    },
  },
  // Negative: times from here on are further ahead than any is set.
  history: {
    index: { name: 'order', range: (now) => IDBKeyRange.upperBound(-(now + LONGEST_READ_WAIT_MS), true) },
    times: { '-order': LONGEST_READ_WAIT_MS },
  },
  appLog: {
    index: { name: 'unapplied', range: (now) => IDBKeyRange.lowerBound(now + AGAIN_AFTER_MS, true) },
    times: { unapplied: AGAIN_AFTER_MS },
  },
};

/**
 * A record without times that are too far ahead: each is as far ahead as it may be.
 * @param now milliseconds since 1970
 * @returns null if nothing had to be changed
 */
export function corrected<T extends object>(record: T, times: Times, now: number): T | null {
  let next: T | null = null;
  for (const [path, ahead] of Object.entries(times)) {
    const isNegative = path.startsWith('-');
    const sign = isNegative ? -1 : 1;
    const most = (value: number) => now + (typeof ahead === 'number' ? ahead : ahead(record, value));
    next = at(next ?? record, path.slice(isNegative ? 1 : 0).split('.'), (value) =>
      sign * value > most(value) ? sign * most(value) : value,
    ) as T;
    if (next === record) next = null;
  }
  return next;
}

/** A copy with the numbers at a path changed; the same object if none is. */
function at(value: unknown, path: readonly string[], change: (value: number) => number): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === 'number' ? change(value) : value;
  if (Array.isArray(value)) {
    const all = value.map((one: unknown) => at(one, rest, change));
    return all.every((one, i) => one === value[i]) ? value : all;
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  const before = (value as Record<string, unknown>)[name];
  const after = at(before, rest, change);
  return after === before ? value : { ...value, [name]: after };
}
