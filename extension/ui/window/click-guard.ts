/**
 * Prevents clickjacking. A page could ask users to double-click, and make the approval window appear under the pointer
 * after the first click. Therefore, a click counts only if enough time has passed since the window was first painted,
 * last uncovered and last focused.
 */

/** How long the window must be visible before a click counts (milliseconds). */
export const GUARD_MS = 500;

export interface ClickGuard {
  /** True if users have had time to see what a click does. */
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

  /** Restarts the delay. The delay starts in the second animation frame, when the contents have been painted. */
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
  around.document.addEventListener('close', restart, true); // A dialog that was closed may have covered the prompt.
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
