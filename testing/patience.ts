/** Common timeout for events that are certain to happen (ms), long enough for a busy machine. */
export const PATIENCE_MS = 120_000;

const LOOK_EVERY_MS = 100;

/**
 * Polls until `look` returns a truthy value, for conditions without an event.
 * @throws Error that names `what` after the timeout
 */
export async function until<T>(what: string, look: () => Promise<T | null | false | undefined>): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`timed out waiting for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
