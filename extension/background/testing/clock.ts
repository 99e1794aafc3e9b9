/** For tests: the wallet's clock, standing still. */
import { vi } from 'vitest';

/**
 * Stops it at a time (milliseconds since 1970), until it is set again or mocks are restored. Vitest's fake timers would be
 * put on by every `vi.waitFor` of the process, also one that an earlier test left behind.
 */
export function setTime(time: number): void {
  vi.spyOn(Date, 'now').mockReturnValue(time);
}

/**
 * Stops it where it stands: it runs fast, and on a busy machine a limit by time would let through what a test has refused.
 * @returns lets it go on; so do `vi.restoreAllMocks` and the end of the test's worker runs
 */
export function holdTime(): () => void {
  const moment = Date.now();
  const clock = vi.spyOn(Date, 'now');
  const ran = clock.getMockImplementation();
  clock.mockReturnValue(moment);
  return () => void (ran ? clock.mockImplementation(ran) : clock.mockRestore());
}
