/** Turns pointer and keyboard into the progress of a swipe, from 0 to 1. */
import { SWIPED_EVENT } from '../protocol/wire.ts';

/** From here on a release completes the swipe; before it the thumb springs back. */
const LOCK_AT = 0.85;

/** What the control does with a swipe. */
export interface SwipeTarget {
  /** May it be swiped now? */
  enabled(): boolean;
  /** The thumb's way from its start to its end, in pixels of the window, through all transforms. */
  way(): Way;
  rightToLeft(): boolean;
  /** @param held true while a pointer holds the thumb, so that it follows without delay */
  moved(progress: number, held: boolean): void;
  completed(): void;
  /** Pressed without dragging, or moved to the end by arrow keys. */
  pressed(): void;
}

/** A way across the window. */
export interface Way {
  x: number;
  y: number;
}

/** A pointer that moves less presses (pixels): fingers tremble. */
const TREMBLE_PX = 8;
/** Carousels, drawers and sortable lists begin their own drag with these. */
const DRAG_EVENTS = ['mousedown', 'mousemove', 'touchstart', 'touchmove', 'pointermove'] as const;

/** Where a key takes the thumb; `null` for keys that are none of ours. */
export function progressAfterKey(key: string, progress: number, rightToLeft: boolean): number | 'complete' | null {
  const forward = key === 'ArrowUp' || key === (rightToLeft ? 'ArrowLeft' : 'ArrowRight');
  const back = key === 'ArrowDown' || key === (rightToLeft ? 'ArrowRight' : 'ArrowLeft');
  // Tenths are rounded, so that ten steps forward and ten back end where they began.
  if (forward || back) return between0And1(Math.round(progress * 10 + (forward ? 1 : -1)) / 10);
  if (key === 'Home' || key === 'Escape') return 0;
  return key === 'End' || key === 'Enter' ? 'complete' : null;
}

function between0And1(progress: number): number {
  return Math.min(1, Math.max(0, progress));
}

/** Returns the thumb's progress after a pointer has moved by `moved`, counting the part along `way`. */
export function progressAfterMove(start: number, moved: Way, way: Way): number {
  return between0And1(start + (moved.x * way.x + moved.y * way.y) / Math.max(1, way.x ** 2 + way.y ** 2));
}

/**
 * Listens on the whole track, where a swipe may begin anywhere. A press without a drag leads to a second step instead
 * (WCAG 2.2, 2.5.7). Forged events count as well: the page can forge anything, and a swipe proves nothing.
 */
export function listenForSwipes(
  track: HTMLElement,
  { enabled, way, rightToLeft, moved, completed, pressed }: SwipeTarget,
): void {
  let progress = 0;
  /** Ends what is listened for while a pointer holds the thumb. */
  let grip: AbortController | null = null;
  /** The last pointer has dragged: the click that follows isn't a press. */
  let dragged = false;

  const move = (to: number, held: boolean) => {
    progress = to;
    moved(to, held);
  };
  const release = () => {
    grip?.abort();
    grip = null;
  };
  const complete = () => {
    release();
    progress = 0;
    completed();
  };
  const letGo = () => {
    release();
    if (enabled()) move(0, false);
  };

  track.addEventListener('pointerdown', (first) => {
    const { isPrimary, button, pointerId, clientX, clientY } = first;
    if (!isPrimary || button || grip || !enabled()) return;
    first.stopPropagation();
    dragged = false;
    const start = progress;
    const along = way();
    const { signal } = (grip = new AbortController());
    const during = <K extends keyof HTMLElementEventMap>(type: K, heard: (event: HTMLElementEventMap[K]) => void) =>
      track.addEventListener(type, heard, { signal });
    const pulled = (event: PointerEvent) => {
      const isUp = event.type === 'pointerup';
      if (event.pointerId !== pointerId) return;
      if (!enabled() || (isUp && progress < LOCK_AT)) letGo();
      else if (isUp) complete();
      else {
        const by = { x: event.clientX - clientX, y: event.clientY - clientY };
        dragged ||= Math.hypot(by.x, by.y) >= TREMBLE_PX;
        move(progressAfterMove(start, by, along), true);
      }
    };
    const prevent = (event: Event) => event.preventDefault();
    try {
      track.setPointerCapture(pointerId);
    } catch {
      // The pointer is gone already.
    }
    move(progress, true);
    during('pointermove', pulled);
    during('pointerup', pulled);
    during('pointercancel', letGo);
    during('lostpointercapture', letGo);
    // A long press must not open a menu in the middle of a swipe, nor a drag carry the label away.
    during('contextmenu', prevent);
    during('dragstart', prevent);
    // Of an ancestor that can be dragged.
    window.addEventListener('dragstart', (event) => (track.isConnected ? prevent(event) : release()), {
      signal,
      capture: true,
    });
    for (const type of DRAG_EVENTS) during(type, (event) => event.stopPropagation());
    // The browser scrolls up and down over a track, unless it is turned.
    if (Math.abs(along.y) > Math.abs(along.x))
      track.addEventListener('touchmove', (event) => event.cancelable && event.preventDefault(), {
        signal,
        passive: false,
      });
  });

  track.addEventListener('keydown', (event) => {
    const { key, repeat, ctrlKey, altKey, metaKey } = event;
    if (ctrlKey || altKey || metaKey || !enabled()) return;
    const next = key === ' ' ? 'press' : progressAfterKey(key, progress, rightToLeft());
    // Escape means something to dialogs around us too; it is ours only while there is something to let go of.
    if (next === null || (key === 'Escape' && !progress)) return;
    event.preventDefault();
    event.stopPropagation();
    release();
    if (typeof next === 'number') move(next, false);
    if (next === 1 || (next === 'press' && !repeat)) pressed();
    // A key that was held down while focus came here did not mean this button.
    if (next === 'complete' && !repeat) complete();
  });
  track.addEventListener('click', () => {
    if (enabled() && !dragged) pressed();
    dragged = false;
  });
  // The wallet's own track lies over this one, and a person has swiped there.
  track.addEventListener(SWIPED_EVENT, () => enabled() && complete());
  track.addEventListener('blur', () => progress && !grip && letGo());
}
