/** For tests: the wallet's clock, standing still. */
import { vi } from 'vitest';

/**
 * Stops it at a time (milliseconds since 1970), until it is set again or mocks are restored. Vitest's fake timers would be
 * put on by every `vi.waitFor` of the process, also one that an earlier test left behind.
 */
export function setTime(time: number): void {
  vi.spyOn(Date, 'now').mockReturnValue(time);
}
