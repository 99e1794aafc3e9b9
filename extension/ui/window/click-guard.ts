/**
 * Prevents stolen clicks: a page can lure users into double-clicking a spot and open the approval window under the
 * pointer in between, or uncover a hidden one. A click counts only after the window has been visible for a while, since
 * its first paint, its last uncovering and its last focus.
 */

/** How long the window must have been in view before a click counts, in milliseconds. */
export const GUARD_MS = 500;

export interface ClickGuard {
  /** True if the user could see the effect of a click now. */
  ready(): boolean;
  /** Restarts the clock after a change of the window's contents. */
  restart(): void;
  dispose(): void;
}

interface Surroundings {
  window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'requestAnimationFrame'>;
  document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>;
  /** A clock that never runs backwards, in milliseconds. */
  now: () => number;
}

/** Starts guarding. Call it once the prompt is in the document. */
export function createClickGuard(
  around: Surroundings = { window, document, now: () => performance.now() },
): ClickGuard {
  let since = Number.POSITIVE_INFINITY;
  let latest = 0;

  /** Counts from the frame after the next, when the document is on the screen. */
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
  around.document.addEventListener('close', restart, true); // of a dialog that hid what is decided about
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
