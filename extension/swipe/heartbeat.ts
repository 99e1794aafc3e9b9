/**
 * Detects whether the page is drawing. A hung page leaves stale reports of this frame's position while the compositor
 * keeps moving things, so reports count only with the relay's beats, one per animation frame.
 */

/** Maximum gap between two beats of a drawing page (milliseconds): nine frames at 60 Hz. */
const MAX_GAP_MS = 150;
/** Maximum wait for beats after a release (milliseconds). */
const MAX_WAIT_MS = 500;

/** Times are those of `performance.now()`, in milliseconds. */
export interface Heartbeat {
  /**
   * Records a beat. @param answers the latest request that the relay had received by then
   * @param moved whether the frame has moved on the screen since the last one
   */
  beat(answers: number, moved: boolean, now: number): void;
  /** Since when beats have come without a gap or a move; null if there is a gap now. */
  steadySince(now: number): number | null;
  /** Resolves at the second beat sent after this call, which proves that the page draws; false after a timeout. */
  twoMore(): Promise<boolean>;
}

/**
 * Starts without beats. @param ask requests beats with this number from the relay: a busy frame receives input before
 * older beats, so arrival times don't prove that a beat was sent after a release
 */
export function createHeartbeat(ask: (request: number) => void): Heartbeat {
  let since = 0;
  let last = Number.NEGATIVE_INFINITY;
  let requests = 0;
  const waiting = new Set<{ request: number; left: number; resolve: (isDrawn: boolean) => void }>();

  return {
    beat(answers, moved, now) {
      if (moved || now - last > MAX_GAP_MS) since = now;
      last = now;
      for (const one of waiting) {
        if (answers < one.request) continue;
        one.left -= 1;
        if (one.left > 0) continue;
        waiting.delete(one);
        one.resolve(true);
      }
    },
    steadySince: (now) => (now - last > MAX_GAP_MS ? null : since),
    twoMore() {
      return new Promise((resolve) => {
        const one = { request: (requests += 1), left: 2, resolve };
        waiting.add(one);
        ask(one.request);
        setTimeout(() => {
          waiting.delete(one);
          resolve(false);
        }, MAX_WAIT_MS);
      });
    },
  };
}
