/** The wallet's clock, stopped. */
import { vi } from 'vitest';

/**
 * Stops it at a time (milliseconds since 1970), until it is set again or mocks are restored. Vitest's fake timers would
 * affect every `vi.waitFor` of the process, including leftovers of earlier tests.
 */
export function setTime(time: number): void {
  vi.spyOn(Date, 'now').mockReturnValue(time);
}

/**
 * Stops it at the current time. It runs fast, and on a busy machine a rate limit would let through what a test expects
 * to be refused.
 * @returns restarts it. So do `vi.restoreAllMocks` and the end of the test's worker runs
 */
export function holdTime(): () => void {
  const moment = Date.now();
  const clock = vi.spyOn(Date, 'now');
  const ran = clock.getMockImplementation();
  clock.mockReturnValue(moment);
  return () => void (ran ? clock.mockImplementation(ran) : clock.mockRestore());
}

/** Waits on the wallet's clock until a window accepts a decision, which it refuses for its first 500 ms. */
export const timeToRead = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 520));
