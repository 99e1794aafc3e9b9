/** Caches a remote value. Requests during a fetch share its response. */

export interface Fetched<T> {
  value: T;
  time: number;
}

/**
 * Caches the result of `load` for `lifeMs`. If reloading fails, the previous value is used until it is `staleMs` old,
 * and `load` isn't called again for `retryMs` (default: 0). `onError` receives each error once.
 * @returns a function that returns the value, or throws the error from `load`
 */
export function cached<T>(
  load: () => Promise<T>,
  {
    lifeMs,
    staleMs,
    retryMs = 0,
    now,
    onError,
  }: {
    lifeMs: number;
    staleMs: number;
    retryMs?: number;
    now: () => Date;
    onError: (error: unknown) => void;
  },
): () => Promise<Fetched<T>> {
  let last: Fetched<T> | null = null;
  let under: Promise<Fetched<T>> | null = null;
  let failed: { error: unknown; time: number } | null = null;

  /** True if a time is less than `ms` milliseconds ago or ahead, because the clock may have been set back since. */
  const isWithin = (ms: number, time: number) => Math.abs(now().getTime() - time) < ms;

  function lastOr(error: unknown): Fetched<T> {
    if (!last || !isWithin(staleMs, last.time)) throw error;
    return last;
  }

  async function refresh(): Promise<Fetched<T>> {
    try {
      last = { value: await load(), time: now().getTime() };
      failed = null;
      return last;
    } catch (error) {
      failed = { error, time: now().getTime() };
      onError(error);
      return lastOr(error);
    } finally {
      under = null;
    }
  }

  return async () => {
    if (last && isWithin(lifeMs, last.time)) return last;
    if (failed && isWithin(retryMs, failed.time)) return lastOr(failed.error);
    under ??= refresh();
    return under;
  };
}
