/** Turns pointer and keyboard into the progress of a swipe, from 0 to 1. */
import { SWIPED_EVENT } from '../protocol/wire.ts';

/** From here on a release completes the swipe; before it the thumb springs back. */
const LOCK_AT = 0.85;

/** What the control does with a swipe. */
export interface SwipeTarget {
  /** May it be swiped now? */
  enabled(): boolean;
  /** Pixels between the thumb's two ends. */
  travel(): number;
  rightToLeft(): boolean;
  /** @param held true while a pointer holds the thumb, so that it follows without delay */
  moved(progress: number, held: boolean): void;
  completed(): void;
}

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

/** How far a pointer has taken the thumb that stood at `start` when it was `distance` pixels away, to the right. */
export function progressAfterMove(start: number, distance: number, travel: number, rightToLeft: boolean): number {
  return between0And1(start + (rightToLeft ? -distance : distance) / Math.max(1, travel));
}

/**
 * Listens on the whole track. A swipe may begin anywhere on it: what counts is the way, not the place, so a tap does
 * nothing. Forged events are taken as well: the page can forge anything, and a swipe proves nothing.
 */
export function listenForSwipes(
  track: HTMLElement,
  { enabled, travel, rightToLeft, moved, completed }: SwipeTarget,
): void {
  let progress = 0;
  /** Ends what is listened for while a pointer holds the thumb. */
  let grip: AbortController | null = null;

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

  track.addEventListener('pointerdown', ({ isPrimary, button, pointerId, clientX }) => {
    if (!isPrimary || button || grip || !enabled()) return;
    const start = progress;
    const { signal } = (grip = new AbortController());
    const during = <K extends keyof HTMLElementEventMap>(type: K, heard: (event: HTMLElementEventMap[K]) => void) =>
      track.addEventListener(type, heard, { signal });
    const pulled = (event: PointerEvent) => {
      const isUp = event.type === 'pointerup';
      if (event.pointerId !== pointerId) return;
      if (!enabled() || (isUp && progress < LOCK_AT)) letGo();
      else if (isUp) complete();
      else move(progressAfterMove(start, event.clientX - clientX, travel(), rightToLeft()), true);
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
  });

  track.addEventListener('keydown', (event) => {
    const { key, repeat, ctrlKey, altKey, metaKey } = event;
    if (ctrlKey || altKey || metaKey || !enabled()) return;
    const next = progressAfterKey(key, progress, rightToLeft());
    // Escape means something to dialogs around us too; it is ours only while there is something to let go of.
    if (next === null || (key === 'Escape' && !progress)) return;
    event.preventDefault();
    event.stopPropagation();
    release();
    if (next !== 'complete') move(next, false);
    // A key that was held down while focus came here did not mean this button.
    else if (!repeat) complete();
  });
  // The wallet's own track lies over this one, and a person has swiped there.
  track.addEventListener(SWIPED_EVENT, () => enabled() && complete());
  track.addEventListener('blur', () => progress && !grip && letGo());
}
