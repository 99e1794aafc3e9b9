/** Turns pointer and keyboard into the progress of a swipe, from 0 to 1. */

/** From here on a release completes the swipe; before it the thumb springs back. */
const LOCK_AT = 0.85;
/** How far one arrow key moves the thumb. */
const STEP = 0.1;

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
  const forward = rightToLeft ? 'ArrowLeft' : 'ArrowRight';
  const back = rightToLeft ? 'ArrowRight' : 'ArrowLeft';
  // Tenths are rounded, so that ten steps forward and ten back end where they began.
  if (key === forward || key === 'ArrowUp') return Math.min(1, Math.round((progress + STEP) * 10) / 10);
  if (key === back || key === 'ArrowDown') return Math.max(0, Math.round((progress - STEP) * 10) / 10);
  if (key === 'Home' || key === 'Escape') return 0;
  return key === 'End' || key === 'Enter' ? 'complete' : null;
}

/** How far a pointer has taken the thumb that stood at `start` when it was `distance` pixels away, to the right. */
export function progressAfterMove(start: number, distance: number, travel: number, rightToLeft: boolean): number {
  return Math.min(1, Math.max(0, start + (rightToLeft ? -distance : distance) / Math.max(1, travel)));
}

/**
 * Listens on the whole track until `signal` aborts. A swipe may begin anywhere on it: what counts is the way, not the
 * place, so a tap does nothing. Forged events are taken as well: the page can forge anything, and a swipe proves nothing.
 */
export function listenForSwipes(track: HTMLElement, target: SwipeTarget, signal: AbortSignal): void {
  let progress = 0;
  let grip: { pointer: number; x: number; start: number } | null = null;

  const move = (to: number, held: boolean) => {
    progress = to;
    target.moved(to, held);
  };
  const complete = () => {
    grip = null;
    progress = 0;
    target.completed();
  };
  const letGo = () => {
    grip = null;
    if (target.enabled()) move(0, false);
  };
  const listen = <K extends keyof HTMLElementEventMap>(type: K, heard: (event: HTMLElementEventMap[K]) => void) => {
    track.addEventListener(type, heard, { signal });
  };

  listen('pointerdown', (event) => {
    if (!event.isPrimary || event.button !== 0 || grip || !target.enabled()) return;
    grip = { pointer: event.pointerId, x: event.clientX, start: progress };
    try {
      track.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is gone already.
    }
    move(progress, true);
  });
  listen('pointermove', (event) => {
    if (grip?.pointer !== event.pointerId) return;
    if (!target.enabled()) letGo();
    else move(progressAfterMove(grip.start, event.clientX - grip.x, target.travel(), target.rightToLeft()), true);
  });
  listen('pointerup', (event) => {
    if (grip?.pointer !== event.pointerId) return;
    if (progress >= LOCK_AT && target.enabled()) complete();
    else letGo();
  });
  listen('pointercancel', letGo);
  listen('lostpointercapture', () => grip && letGo());
  listen('blur', () => progress > 0 && !grip && letGo());
  // A long press must not open a menu in the middle of a swipe, nor a drag carry the label away.
  listen('contextmenu', (event) => grip && event.preventDefault());
  listen('dragstart', (event) => event.preventDefault());

  listen('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !target.enabled()) return;
    const next = progressAfterKey(event.key, progress, target.rightToLeft());
    if (next === null) return;
    // Escape means something to dialogs around us too; it is ours only while there is something to let go of.
    if (event.key === 'Escape' && progress === 0) return;
    event.preventDefault();
    event.stopPropagation();
    grip = null;
    if (next !== 'complete') move(next, false);
    // A key that was held down while focus came here did not mean this button.
    else if (!event.repeat) complete();
  });
}
