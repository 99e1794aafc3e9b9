/** Schedules the next check of unfinished payments: a timer, and an alarm that wakes the worker. */
import browser from 'webextension-polyfill';
import { unfinishedPayments } from './unfinished.ts';

export const WORK_ALARM = 'payments';
// Shortest delay that browsers keep for an alarm (milliseconds).
const SHORTEST_ALARM_MS = 30_000;
// Prevents a loop if an attempt can't even be stored, as on a full disk, so that its payment stays due (milliseconds).
const SHORTEST_TIMER_MS = 1000;

/** Payments that are being advanced or queued. Their run calls {@link scheduleWork} afterwards. */
export const inHand = new Set<string>();

let timer: ReturnType<typeof setTimeout> | undefined;
/** The end of the current timer and alarm (milliseconds since 1970). */
let timerEnds = Number.NaN;
let alarmEnds = Number.NaN;
let wake: () => void = () => undefined;

/** Registers the callback for due work. Called once, when the worker starts. */
export function onWorkDue(work: () => void): void {
  wake = work;
}

/** The current check, and the one that begins after it. */
let looking: Promise<void> = Promise.resolve();
let nextLook: Promise<void> | null = null;

/**
 * Sets timer and alarm to the earliest due work. Calls during a check share the next one, because a check reads all
 * unfinished payments, and each advanced payment calls this.
 */
export function scheduleWork(): Promise<void> {
  nextLook ??= looking
    .catch(() => undefined)
    .then(() => {
      nextLook = null;
      return (looking = setToEarliest());
    });
  return nextLook;
}

async function setToEarliest(): Promise<void> {
  const unfinished = await unfinishedPayments();
  const earliestOf = (some: typeof unfinished) =>
    some.reduce((earliest, { at }) => Math.min(earliest, at), Number.POSITIVE_INFINITY);
  setTimer(earliestOf(unfinished.filter(({ record }) => !inHand.has(record.id))));
  // The worker may be stopped while it advances those in `inHand`.
  await setAlarm(earliestOf(unfinished));
}

/** Keeps a timer that ends in time. Replacing it at every check could postpone it forever. */
function setTimer(at: number): void {
  const now = Date.now();
  const end = Math.max(at, now + SHORTEST_TIMER_MS);
  const soonest = at > now ? at : now - SHORTEST_TIMER_MS; // it is overdue by more only if the clock was changed
  if (timerEnds >= soonest && timerEnds <= end) return;
  clearTimeout(timer);
  timerEnds = Number.NaN;
  if (end === Number.POSITIVE_INFINITY) return;
  timerEnds = Math.min(end, now + 2 ** 31 - 1);
  timer = setTimeout(() => {
    timerEnds = Number.NaN;
    wake();
  }, timerEnds - now);
}

/** Keeps an alarm that ends in time. */
async function setAlarm(at: number): Promise<void> {
  const now = Date.now();
  const end = Math.max(at, now + SHORTEST_ALARM_MS);
  if (alarmEnds > now && alarmEnds >= at && alarmEnds <= end) return;
  alarmEnds = Number.NaN;
  if (end === Number.POSITIVE_INFINITY) {
    await browser.alarms.clear(WORK_ALARM);
    return;
  }
  await browser.alarms.create(WORK_ALARM, { when: end });
  alarmEnds = end;
}
