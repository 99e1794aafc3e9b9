/** When a webhook that failed is tried again. Pure. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The wait after the first failure, the second, and so on: altogether a little over three days. */
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
/** Up to this part is added, so that what failed together does not come back together. */
const JITTER = 0.1;

/**
 * Milliseconds until the next attempt, or null if there are no more.
 * @param failures how many attempts have failed, 1 at least
 * @param random from 0 up to 1
 */
export function retryDelayMs(failures: number, random: number): number | null {
  const delay = DELAYS_MS[failures - 1];
  return delay === undefined ? null : Math.round(delay * (1 + JITTER * random));
}
