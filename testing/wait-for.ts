/** Waits for events that are certain to happen. */
import { setTimeout as delay } from 'node:timers/promises';
import { vi } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

/** The real clock, because tests can mock it. */
const now = performance.now.bind(performance);
/** Polling interval (ms), the same as in Vitest. */
const INTERVAL_MS = 50;

const PENDING = Symbol('no result yet');
const FOREVER = new Promise<never>(() => {});

/**
 * Creates a `vi.waitFor` that gives up after {@link PATIENCE_MS}, and stops at the end of its file. Vitest's own
 * `vi.waitFor` keeps waiting for an unmet condition, and advances the fake clock of whichever file is running by then.
 */
export const waitsUntil =
  (fileIsOver: AbortSignal): typeof vi.waitFor =>
  async <T>(callback: () => T | Promise<T>, options?: Parameters<typeof vi.waitFor>[1]): Promise<T> => {
    const interval = (typeof options === 'object' ? options.interval : undefined) ?? INTERVAL_MS;
    const end = now() + PATIENCE_MS;
    let error: unknown = new Error('timed out without a result');
    let answer: Promise<T> | null = null;
    while (!fileIsOver.aborted) {
      if (vi.isFakeTimers()) vi.advanceTimersByTime(interval);
      answer ??= (async () => callback())();
      const pause = delay(interval, PENDING);
      try {
        const result: T | typeof PENDING = await Promise.race([answer, pause]);
        if (fileIsOver.aborted) break;
        if (result !== PENDING) return result as T;
      } catch (reason) {
        error = reason;
        answer = null;
        await pause;
      }
      if (now() >= end && !fileIsOver.aborted) throw error;
    }
    return FOREVER;
  };
