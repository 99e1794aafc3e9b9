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

let timer: ReturnType<typeof setTimeout> | undefined;
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
  clearTimeout(timer);
  const at = unfinished.reduce((earliest, payment) => Math.min(earliest, payment.at), Number.POSITIVE_INFINITY);
  if (at === Number.POSITIVE_INFINITY) {
    await browser.alarms.clear(WORK_ALARM);
    return;
  }
  const delay = Math.max(0, at - Date.now());
  timer = setTimeout(wake, Math.min(Math.max(SHORTEST_TIMER_MS, delay), 2 ** 31 - 1));
  await browser.alarms.create(WORK_ALARM, { when: Date.now() + Math.max(SHORTEST_ALARM_MS, delay) });
}
