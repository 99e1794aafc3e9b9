/** Schedules retries of failed webhooks. Pure. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays after each failure, in order: a little over three days in total. */
const DELAYS_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  3 * HOUR,
  8 * HOUR,
  24 * HOUR,
  36 * HOUR,
];
/** Maximum fraction added to a delay, so simultaneous failures aren't retried simultaneously. */
const JITTER = 0.1;

export const MAX_RETRIES = DELAYS_MS.length;

/**
 * Returns the delay until the next attempt in ms, or null if there are no more.
 * @param failures at least 1
 * @param random in [0, 1)
 */
export function retryDelayMs(failures: number, random: number): number | null {
  const delay = DELAYS_MS[failures - 1];
  return delay === undefined ? null : Math.round(delay * (1 + JITTER * random));
}
