/** Converts pointer and keyboard input to the progress of a swipe, from 0 to 1. */
import { SWIPED_EVENT } from '../../protocol/messages/wire.ts';

/**
 * Releasing the thumb at this progress or beyond completes the swipe. An earlier release returns the thumb to the
 * start.
 */
const LOCK_AT = 0.85;

export interface SwipeTarget {
  enabled(): boolean;
  /** Returns the thumb's path from start to end, in window pixels, including all transforms. */
  way(): Way;
  rightToLeft(): boolean;
  /** @param held true while a pointer holds the thumb, which must then follow without delay */
  moved(progress: number, held: boolean): void;
  completed(): void;
  pressed(): void;
}

/** A vector in window pixels. */
export interface Way {
  x: number;
  y: number;
}

/** A movement shorter than this (pixels) counts as a press, because fingers are never perfectly still. */
const TREMBLE_PX = 8;
/** The events on which carousels, drawers and sortable lists start their own drags. */
const DRAG_EVENTS = ['mousedown', 'mousemove', 'touchstart', 'touchmove', 'pointermove'] as const;

/** Returns the thumb's progress after a key press, or null for keys that don't move the thumb. */
export function progressAfterKey(key: string, progress: number, rightToLeft: boolean): number | 'complete' | null {
  const forward = key === 'ArrowUp' || key === (rightToLeft ? 'ArrowLeft' : 'ArrowRight');
  const back = key === 'ArrowDown' || key === (rightToLeft ? 'ArrowRight' : 'ArrowLeft');
  // Rounded to tenths so that ten steps forward and ten back return to the start exactly.
  if (forward || back) return between0And1(Math.round(progress * 10 + (forward ? 1 : -1)) / 10);
  if (key === 'Home' || key === 'Escape') return 0;
  return key === 'End' || key === 'Enter' ? 'complete' : null;
}

function between0And1(progress: number): number {
  return Math.min(1, Math.max(0, progress));
}

/** Returns the thumb's progress after a pointer has moved by `moved`, which is projected onto `way`. */
export function progressAfterMove(start: number, moved: Way, way: Way): number {
  return between0And1(start + (moved.x * way.x + moved.y * way.y) / Math.max(1, way.x ** 2 + way.y ** 2));
}

/**
 * Listens on the whole track, because a swipe can start anywhere on it. A press without a drag leads to a second step
 * (WCAG 2.2, 2.5.7). Synthetic events also count, because the wallet itself verifies or confirms each payment.
 */
export function listenForSwipes(
  track: HTMLElement,
  { enabled, way, rightToLeft, moved, completed, pressed }: SwipeTarget,
): void {
  let progress = 0;
  /** Aborts the listeners that are active while a pointer holds the thumb. */
  let grip: AbortController | null = null;
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
  const cancelDrag = () => {
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
      if (!enabled() || (isUp && progress < LOCK_AT)) cancelDrag();
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
      // The pointer no longer exists, so it can't be captured.
    }
    move(progress, true);
    during('pointermove', pulled);
    during('pointerup', pulled);
    during('pointercancel', cancelDrag);
    during('lostpointercapture', cancelDrag);
    // Prevents a long press from opening a menu and the label from being dragged, because both would interrupt the
    // swipe.
    during('contextmenu', prevent);
    during('dragstart', prevent);
    // Prevents the browser from dragging a draggable ancestor.
    window.addEventListener('dragstart', (event) => (track.isConnected ? prevent(event) : release()), {
      signal,
      capture: true,
    });
    for (const type of DRAG_EVENTS) during(type, (event) => event.stopPropagation());
    // Vertical movements scroll the page, unless the track itself is vertical.
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
    // Escape also closes dialogs around the button, so it is handled here only during a swipe.
    if (next === null || (key === 'Escape' && !progress)) return;
    event.preventDefault();
    event.stopPropagation();
    release();
    if (typeof next === 'number') move(next, false);
    if (next === 1 || (next === 'press' && !repeat)) pressed();
    // A key that was already held down when the button received focus wasn't meant for it.
    if (next === 'complete' && !repeat) complete();
  });
  track.addEventListener('click', () => {
    if (enabled() && !dragged) pressed();
    dragged = false;
  });
  // The user swiped on the wallet's overlay above this track.
  track.addEventListener(SWIPED_EVENT, () => enabled() && complete());
  track.addEventListener('blur', () => progress && !grip && cancelDrag());
}
