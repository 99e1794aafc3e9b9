/**
 * Prevents clickjacking. A page could make users double-click and open the approval window under the pointer after the
 * first click, or uncover a hidden window. A click therefore counts only some time after the window was first painted,
 * last uncovered and last focused.
 */

/** How long the window must be visible before a click counts (milliseconds). */
export const GUARD_MS = 500;

export interface ClickGuard {
  /** True if users can have seen what a click would do. */
  ready(): boolean;
  /** Restarts the delay after the window's contents have changed. */
  restart(): void;
  dispose(): void;
}

interface Surroundings {
  window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'requestAnimationFrame'>;
  document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>;
  /** Time on a monotonic clock (milliseconds). */
  now: () => number;
}

/** Starts guarding. Call it when the prompt is in the document. */
export function createClickGuard(
  around: Surroundings = { window, document, now: () => performance.now() },
): ClickGuard {
  let since = Number.POSITIVE_INFINITY;
  let latest = 0;

  /** Restarts the delay from the second animation frame, in which the document is visible. */
  function restart(): void {
    since = Number.POSITIVE_INFINITY;
    latest += 1;
    const mine = latest;
    around.window.requestAnimationFrame(() =>
      around.window.requestAnimationFrame(() => {
        if (mine === latest && around.document.visibilityState === 'visible') since = around.now();
      }),
    );
  }

  around.document.addEventListener('visibilitychange', restart);
  around.window.addEventListener('focus', restart);
  around.document.addEventListener('close', restart, true); // A closed dialog may have covered the prompt.
  restart();

  return {
    ready: () => around.document.visibilityState === 'visible' && around.now() - since >= GUARD_MS,
    restart,
    dispose() {
      latest += 1;
      around.document.removeEventListener('visibilitychange', restart);
      around.window.removeEventListener('focus', restart);
      around.document.removeEventListener('close', restart, true);
    },
  };
}
