import { expect, test, vi } from 'vitest';
import { whenPageHasLoaded, type LoadingWindow } from './page-load.ts';

function setUp(readyState: DocumentReadyState, domContentLoadedEventStart: number) {
  const heard: Record<string, () => void> = {};
  const addEventListener = (type: string, listener: () => void) => void (heard[type] = listener);
  const run = vi.fn();
  whenPageHasLoaded(
    {
      addEventListener,
      document: { readyState, addEventListener },
      performance: { getEntriesByType: () => [{ domContentLoadedEventStart }] },
    } as unknown as LoadingWindow,
    run,
  );
  return { run, heard };
}

test.each([
  ['in the head', 'loading', 0, 0, ['DOMContentLoaded', 'load']],
  ['deferred, or a module', 'interactive', 0, 0, ['DOMContentLoaded', 'load']],
  ['async, while images load', 'interactive', 120, 1, ['load']],
  ['added later', 'complete', 120, 1, ['load']],
] as const)(
  '[E-01] a script %s scans the page immediately if possible, and after each further loading event',
  (_, readyState, start, atOnce, waits) => {
    const { run, heard } = setUp(readyState, start);
    expect(run).toHaveBeenCalledTimes(atOnce);
    expect(Object.keys(heard)).toEqual(waits);
    for (const event of waits) heard[event]!();
    expect(run).toHaveBeenCalledTimes(atOnce + waits.length);
  },
);
