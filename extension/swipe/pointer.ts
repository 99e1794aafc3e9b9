/** Handles the pointer on the track. Moves the thumb as the button does, and decides whether a person swiped. */
import { createGesture, type PointerSample } from './gesture.ts';
import type { SurfaceWatch } from './surface.ts';
import type { TrackView } from './view.ts';

/**
 * The progress at which a release completes the swipe, as on the button. If the pointer is released earlier, the thumb
 * returns.
 */
const LOCK_AT = 0.85;
/** A movement shorter than this (pixels) is treated as a press, as on the button. */
const TREMBLE_PX = 8;
/** Interval at which a resting pointer is reported again (milliseconds). */
const NEAR_AGAIN_MS = 3000;

export interface PointerReport {
  near(): void;
  began(): void;
  letGo(): void;
  /**
   * @param isPerson true if it is certain that a user has seen the frame and swiped over it; otherwise a window opens
   */
  swiped(isPerson: boolean): void;
}

const sampleOf = ({
  pointerId,
  isTrusted,
  isPrimary,
  button,
  clientX,
  clientY,
  screenX,
  screenY,
  timeStamp,
}: PointerEvent): PointerSample => ({
  pointerId,
  isTrusted,
  isPrimary,
  button,
  x: clientX,
  y: clientY,
  screenX,
  screenY,
  time: timeStamp,
});

/** Listens on the whole track, because a swipe can start anywhere on it. Only the swipe's length matters. */
export function listenForPointer(
  { track, move, work }: TrackView,
  { surface, look, lookAfterDrawing }: SurfaceWatch,
  rightToLeft: () => boolean,
  report: PointerReport,
): void {
  let gesture = createGesture(rightToLeft());
  let grip: { pointerId: number; from: number; fromY: number; progress: number; seen: Promise<boolean> } | null = null;
  let isDragged = false;
  let nearAt = Number.NEGATIVE_INFINITY;
  let isOver = false;

  function near({ timeStamp }: PointerEvent): void {
    if (timeStamp - nearAt < NEAR_AGAIN_MS) return;
    nearAt = timeStamp;
    report.near();
  }

  function cancelDrag(): void {
    if (!grip) return;
    grip = null;
    gesture.cancel();
    move(0, false);
    report.letGo();
  }

  /** Handles a press without a drag, which requires a second step: the payment window. */
  function press(): void {
    isOver = true;
    work();
    report.letGo();
    report.swiped(false);
  }

  async function complete(isWhole: boolean, seen: Promise<boolean>): Promise<void> {
    isOver = true;
    const steadySince = surface().steadySince;
    work();
    // The page may have hung before the release, so it must have rendered since then, with the frame still visible.
    const isPerson = isWhole && (await seen) && (await lookAfterDrawing()) && surface().steadySince === steadySince;
    if (!isPerson) report.letGo();
    report.swiped(isPerson);
  }

  track.addEventListener('pointerdown', (event) => {
    if (isOver) return;
    if (grip) return cancelDrag(); // A second finger ends the drag.
    if (!event.isPrimary || event.button !== 0) return;
    near(event);
    isDragged = false;
    gesture = createGesture(rightToLeft());
    gesture.down(sampleOf(event), surface());
    grip = { pointerId: event.pointerId, from: event.clientX, fromY: event.clientY, progress: 0, seen: look() };
    track.setPointerCapture(event.pointerId);
    report.began();
    move(0, true);
  });
  track.addEventListener('pointermove', (event) => {
    if (isOver) return;
    near(event);
    if (event.pointerId !== grip?.pointerId) return;
    gesture.move(sampleOf(event), surface());
    isDragged ||= Math.hypot(event.clientX - grip.from, event.clientY - grip.fromY) >= TREMBLE_PX;
    const way = (rightToLeft() ? -1 : 1) * (event.clientX - grip.from);
    grip.progress = Math.min(1, Math.max(0, way / Math.max(1, track.clientWidth - track.clientHeight)));
    move(grip.progress, true);
  });
  track.addEventListener('pointerup', (event) => {
    if (isOver || event.pointerId !== grip?.pointerId) return;
    const { progress, seen } = grip;
    const isWhole = gesture.up(sampleOf(event), surface());
    if (progress < LOCK_AT) return cancelDrag();
    grip = null;
    void complete(isWhole, seen);
  });
  track.addEventListener('click', (event) => event.isTrusted && !isOver && !isDragged && press());
  for (const type of ['pointercancel', 'lostpointercapture'] as const)
    track.addEventListener(type, (event) => event.pointerId === grip?.pointerId && cancelDrag());
  // Keeps focus in the page, and prevents menus and text drags during a swipe.
  for (const type of ['mousedown', 'contextmenu', 'dragstart'])
    track.addEventListener(type, (event) => event.preventDefault());
}
