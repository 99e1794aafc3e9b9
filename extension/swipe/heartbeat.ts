/**
 * Detects whether the page is rendering. While the page hangs, the browser reports outdated positions of this frame,
 * although the compositor can still move content. Its reports are used only while the relay sends one beat per
 * animation frame.
 */

/** Maximum interval between two beats of a rendering page (milliseconds): nine frames at 60 Hz. */
const MAX_GAP_MS = 150;
/** Timeout for beats after a release (milliseconds). */
const MAX_WAIT_MS = 500;

/** Monitors beats. Times are from `performance.now()` (milliseconds). */
export interface Heartbeat {
  /**
   * Records a beat.
   * @param answers number of the latest request that the relay had received when it sent the beat
   * @param moved true if the frame has moved on the screen since the previous beat
   */
  beat(answers: number, moved: boolean, now: number): void;
  /** Returns the start time of the current sequence of beats without a gap or a move. Returns null during a gap. */
  steadySince(now: number): number | null;
  /**
   * Resolves to true on the second beat that was sent after this call, which proves that the page renders. Resolves to
   * false on a timeout.
   */
  twoMore(): Promise<boolean>;
}

/**
 * Creates a monitor that hasn't received any beats.
 * @param ask requests beats with this number from the relay. Arrival times don't prove that a beat was sent after a
 * release, because a busy frame can receive input before older beats
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
