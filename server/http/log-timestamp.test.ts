import { afterEach, expect, test, vi } from 'vitest';
import { createTimestamp } from './log-timestamp.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('each log line has its own time, even if the clock is set back', () => {
  const timestamp = createTimestamp();
  for (const time of [0, 1_800_000_000_000, 1_800_000_000_000, 1_800_000_000_001, 1_700_000_000_000, 0]) {
    vi.spyOn(Date, 'now').mockReturnValue(time);
    expect(JSON.parse(`{"level":30${timestamp()}}`)).toEqual({ level: 30, time: new Date(time).toISOString() });
  }
});
