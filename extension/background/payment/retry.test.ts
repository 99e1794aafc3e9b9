import { afterEach, expect, test, vi } from 'vitest';
import { setTime } from '../testing/clock.ts';
import { DAY_MS, FIVE_MINUTES_MS, MINUTE_MS, nextTry } from './retry.ts';

const NOW = 1_800_000_000_000;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Delay before the next try of what was tried so often (milliseconds). */
const delayAfter = (attempts: number, longestMs: number) => nextTry({ attempts }, null, longestMs).nextAt - Date.now();

test('delays double, up to the longest', () => {
  setTime(NOW);
  expect([0, 1, 2, 5, 6, 1000].map((attempts) => delayAfter(attempts, MINUTE_MS))).toEqual([
    1000, 2000, 4000, 32_000, 60_000, 60_000,
  ]);
});

test.each([FIVE_MINUTES_MS, DAY_MS])(
  'what waits long becomes due together, and no later than after %i ms',
  (longestMs) => {
    const times = new Set<number>();
    for (let second = 0; second < 600; second += 1) {
      setTime(NOW + second * 1000);
      const delay = delayAfter(20, longestMs);
      expect(delay).toBeLessThanOrEqual(longestMs);
      expect(delay).toBeGreaterThan(longestMs - FIVE_MINUTES_MS);
      times.add(Date.now() + delay);
    }
    expect(times.size).toBeLessThanOrEqual(3);
  },
);
