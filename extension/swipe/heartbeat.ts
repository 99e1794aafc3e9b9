/**
 * Detects whether the page is drawing. The page's process reports this frame's visibility and position, so a hung page
 * leaves stale reports while the compositor keeps moving things. The relay sends a beat with each animation frame of
 * the page; without beats, the reports don't count.
 */

/** Maximum gap between two beats of a drawing page (milliseconds): nine frames at 60 Hz. */
const MAX_GAP_MS = 150;
/** Beats that are awaited after a release count as missing after this time (milliseconds). */
const MAX_WAIT_MS = 500;

/** See the head of this file. Times are those of `performance.now()`, in milliseconds. */
export interface Heartbeat {
  /**
   * Records a beat.
   * @param answers the latest request that the relay had received when it sent it
   * @param moved whether the frame has moved on the screen since the last one
   */
  beat(answers: number, moved: boolean, now: number): void;
  /** Since when beats have come without a gap and without a move; null if there is a gap now. */
  steadySince(now: number): number | null;
  /** Resolves at the second beat sent after this call, which proves that the page draws; false after a timeout. */
  twoMore(): Promise<boolean>;
}

/**
 * Starts without beats.
 * @param ask requests beats that carry this number from the relay. A busy frame receives input before older beats, so
 * arrival times don't prove that a beat was sent after a release.
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
