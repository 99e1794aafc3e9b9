/** One remote value, cached for a while. Requests during a fetch wait for the same answer. */

/** A value and the time it was fetched, in milliseconds since 1970. */
export interface Fetched<T> {
  value: T;
  time: number;
}

/**
 * Keeps what `load` gives for `lifeMs`. When a later load fails, the value before it is still given while it is younger
 * than `staleMs`; `onError` receives each error once. After a failure nothing is loaded for `retryMs` (0 where it is not given).
 * @returns a function that gives the value, or throws what `load` threw
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

  function lastOr(error: unknown): Fetched<T> {
    if (!last || now().getTime() - last.time >= staleMs) throw error;
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
    if (last && now().getTime() - last.time < lifeMs) return last;
    if (failed && now().getTime() - failed.time < retryMs) return lastOr(failed.error);
    under ??= refresh();
    return under;
  };
}
