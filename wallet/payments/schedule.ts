/** Schedules the next check of unfinished payments with a timer, and with an alarm that wakes the worker. */
import { unfinishedPayments } from './unfinished.ts';
import { part, type Timer, type Wallet } from '../platform.ts';

export const WORK_ALARM = 'payments';
// The shortest alarm delay that browsers support, in milliseconds.
const MIN_ALARM_MS = 30_000;
// Minimum timer delay in milliseconds. Prevents a busy loop if a payment remains due because the disk is full.
const MIN_TIMER_MS = 1000;

/** IDs of payments that are being advanced or queued. Each payment's run calls {@link scheduleWork} at its end. */
export const inProgress = part(() => new Set<string>());

const memoryOf = part(() => ({
  timer: undefined as Timer | undefined,
  /** When the timer expires (milliseconds since 1970). */
  timerEnds: Number.NaN,
  /** When the alarm expires (milliseconds since 1970). */
  alarmEnds: Number.NaN,
  wake: (() => undefined) as () => void,
  /** The current check, or the last one. */
  looking: Promise.resolve() as Promise<void>,
  /** The check that starts after the current one; null if none is requested. */
  nextLook: null as Promise<void> | null,
}));

/** Registers the callback for due work. Called once, at the worker's start. */
export function onWorkDue(wallet: Wallet, work: () => void): void {
  memoryOf(wallet).wake = work;
}

/**
 * Sets the timer and alarm to the earliest due work. Calls during a check share the next check, because each check
 * reads all unfinished payments, and every advanced payment calls this function.
 */
export function scheduleWork(wallet: Wallet): Promise<void> {
  const memory = memoryOf(wallet);
  memory.nextLook ??= memory.looking
    .catch(() => undefined)
    .then(() => {
      memory.nextLook = null;
      return (memory.looking = setToEarliest(wallet));
    });
  return memory.nextLook;
}

async function setToEarliest(wallet: Wallet): Promise<void> {
  const unfinished = await unfinishedPayments(wallet);
  const earliestOf = (some: typeof unfinished) =>
    some.reduce((earliest, { at }) => Math.min(earliest, at), Number.POSITIVE_INFINITY);
  setTimer(wallet, earliestOf(unfinished.filter(({ record }) => !inProgress(wallet).has(record.id))));
  // The alarm includes payments in `inProgress`, because the worker may stop while it advances them.
  await setAlarm(wallet, earliestOf(unfinished));
}

/**
 * Sets the timer, unless the current one is early enough. Replacing the timer at every check could postpone it forever.
 */
function setTimer(wallet: Wallet, at: number): void {
  const memory = memoryOf(wallet);
  const now = wallet.now();
  const end = Math.max(at, now + MIN_TIMER_MS);
  const soonest = at > now ? at : now - MIN_TIMER_MS; // if it is overdue by more, the clock was changed
  if (memory.timerEnds >= soonest && memory.timerEnds <= end) return;
  wallet.clearTimeout(memory.timer);
  memory.timerEnds = Number.NaN;
  if (end === Number.POSITIVE_INFINITY) return;
  memory.timerEnds = Math.min(end, now + 2 ** 31 - 1);
  memory.timer = wallet.setTimeout(() => {
    memory.timerEnds = Number.NaN;
    memory.wake();
  }, memory.timerEnds - now);
}

async function setAlarm(wallet: Wallet, at: number): Promise<void> {
  const memory = memoryOf(wallet);
  const now = wallet.now();
  const end = Math.max(at, now + MIN_ALARM_MS);
  if (memory.alarmEnds > now && memory.alarmEnds >= at && memory.alarmEnds <= end) return;
  memory.alarmEnds = Number.NaN;
  if (end === Number.POSITIVE_INFINITY) {
    await wallet.alarms.clear(WORK_ALARM);
    return;
  }
  await wallet.alarms.create(WORK_ALARM, { when: end });
  memory.alarmEnds = end;
}
