/** Schedules the next check of unfinished payments: a timer, and an alarm that wakes the worker. */
import { unfinishedPayments } from './unfinished.ts';
import { part, type Timer, type Wallet } from '../platform.ts';

export const WORK_ALARM = 'payments';
// The shortest delay for alarms that browsers support (milliseconds).
const SHORTEST_ALARM_MS = 30_000;
// Prevents a loop if an attempt can't be stored, as on a full disk, so that its payment stays due (milliseconds).
const SHORTEST_TIMER_MS = 1000;

/** Payments that are being advanced or queued. Their run calls {@link scheduleWork} afterwards. */
export const inHand = part(() => new Set<string>());

const memoryOf = part(() => ({
  timer: undefined as Timer | undefined,
  /** The end of the current timer and alarm (milliseconds since 1970). */
  timerEnds: Number.NaN,
  alarmEnds: Number.NaN,
  wake: (() => undefined) as () => void,
  /** The current check, and the one after it. */
  looking: Promise.resolve() as Promise<void>,
  nextLook: null as Promise<void> | null,
}));

/** Registers the callback for due work. Called once, when the worker starts. */
export function onWorkDue(wallet: Wallet, work: () => void): void {
  memoryOf(wallet).wake = work;
}

/**
 * Sets timer and alarm to the earliest due work. Calls during a check share the next one, because a check reads all
 * unfinished payments, and each advanced payment calls this.
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
  setTimer(wallet, earliestOf(unfinished.filter(({ record }) => !inHand(wallet).has(record.id))));
  // The worker may be stopped while it advances those in `inHand`.
  await setAlarm(wallet, earliestOf(unfinished));
}

/** Keeps a timer that ends in time, because replacing it at every check could postpone it forever. */
function setTimer(wallet: Wallet, at: number): void {
  const memory = memoryOf(wallet);
  const now = wallet.now();
  const end = Math.max(at, now + SHORTEST_TIMER_MS);
  const soonest = at > now ? at : now - SHORTEST_TIMER_MS; // if it is overdue by more, the clock was changed
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

/** Keeps an alarm that ends in time. */
async function setAlarm(wallet: Wallet, at: number): Promise<void> {
  const memory = memoryOf(wallet);
  const now = wallet.now();
  const end = Math.max(at, now + SHORTEST_ALARM_MS);
  if (memory.alarmEnds > now && memory.alarmEnds >= at && memory.alarmEnds <= end) return;
  memory.alarmEnds = Number.NaN;
  if (end === Number.POSITIVE_INFINITY) {
    await wallet.alarms.clear(WORK_ALARM);
    return;
  }
  await wallet.alarms.create(WORK_ALARM, { when: end });
  memory.alarmEnds = end;
}
