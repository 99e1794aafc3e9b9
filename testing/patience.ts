/** How long tests wait for an event that is certain to happen, even on a busy machine. */

/** Milliseconds until a wait gives up. */
export const PATIENCE_MS = 60_000;

const LOOK_EVERY_MS = 100;

/** Polls until `look` finds something. For what announces itself by no event. @throws that `what` never happened */
export async function until<T>(what: string, look: () => Promise<T | null | false | undefined>): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`it never happened that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
