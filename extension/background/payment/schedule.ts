/**
 * When to look at unfinished payments again: a timer while the worker lives, an alarm that wakes it when it does not.
 */
import browser from 'webextension-polyfill';
import { unfinishedPayments } from './unfinished.ts';

/** Name of the alarm. */
export const WORK_ALARM = 'payments';
// The shortest that browsers keep an alarm to (milliseconds).
const SHORTEST_ALARM_MS = 30_000;
// A try that could not even be noted (a full disk) leaves its payment due: it must not become a loop (milliseconds).
const SHORTEST_TIMER_MS = 1000;

/** Payments that are being driven, or wait for their turn: whoever drives them looks again afterwards. */
export const inHand = new Set<string>();

let timer: ReturnType<typeof setTimeout> | undefined;
/** When the timer and the alarm that are set end (milliseconds since 1970). */
let timerEnds = Number.NaN;
let alarmEnds = Number.NaN;
let wake: () => void = () => undefined;

/** Says what to do when work is due. Called once, when the worker starts. */
export function onWorkDue(work: () => void): void {
  wake = work;
}

/** Looks that are under way, and the one that begins after them. */
let looking: Promise<void> = Promise.resolve();
let nextLook: Promise<void> | null = null;

/**
 * Sets timer and alarm to the earliest work there is. Calls that come while it looks share the look after it: it reads all that is
 * unfinished, and each payment that is driven calls it.
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
  // The worker may die with those in hand.
  await setAlarm(earliestOf(unfinished));
}

/** A timer that ends in time is kept: to replace it at every look could put it off for ever. */
function setTimer(at: number): void {
  const now = Date.now();
  const end = Math.max(at, now + SHORTEST_TIMER_MS);
  const soonest = at > now ? at : now - SHORTEST_TIMER_MS; // it is overdue by more only where the clock was changed
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

/** An alarm that ends in time is kept, too. */
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
