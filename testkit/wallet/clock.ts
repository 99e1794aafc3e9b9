import { vi } from 'vitest';

/**
 * Stops the clock at a time (milliseconds since 1970) until it is set again or mocks are restored. Vitest's fake timers
 * would affect every `vi.waitFor` in the process, including those left over from earlier tests.
 */
export function setTime(time: number): void {
  vi.spyOn(Date, 'now').mockReturnValue(time);
}

/**
 * Stops the clock at the current time. The clock runs fast, so a rate limit could otherwise expire during a test on a
 * busy machine.
 * @returns a function that restarts the clock. `vi.restoreAllMocks` and the end of worker runs also restart it
 */
export function holdTime(): () => void {
  const moment = Date.now();
  const clock = vi.spyOn(Date, 'now');
  const ran = clock.getMockImplementation();
  clock.mockReturnValue(moment);
  return () => void (ran ? clock.mockImplementation(ran) : clock.mockRestore());
}

/** Waits until a window accepts a decision. During its first 500 ms, a window ignores decisions. */
export const timeToRead = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 520));
