/** One value from elsewhere, kept for a while. Requests that come while it is fetched wait for the same answer. */

/** A value and the time it was fetched, in milliseconds since 1970. */
export interface Fetched<T> {
  value: T;
  time: number;
}

/**
 * Keeps what `load` gives for `lifeMs`.
 * When a later load fails, the value before it is still given while it is younger than `staleMs`; `onError` hears of it.
 * @returns a function that gives the value, or throws what `load` threw
 */
export function cached<T>(load: () => Promise<T>, { lifeMs, staleMs, now, onError }: {
  lifeMs: number;
  staleMs: number;
  now: () => Date;
  onError: (error: unknown) => void;
}): () => Promise<Fetched<T>> {
  let last: Fetched<T> | null = null;
  let under: Promise<Fetched<T>> | null = null;

  async function refresh(): Promise<Fetched<T>> {
    try {
      last = { value: await load(), time: now().getTime() };
      return last;
    } catch (error) {
      if (!last || now().getTime() - last.time >= staleMs) throw error;
      onError(error);
      return last;
    } finally {
      under = null;
    }
  }

  return async () => {
    if (last && now().getTime() - last.time < lifeMs) return last;
    under ??= refresh();
    return under;
  };
}
