/**
 * Determines which pointer events are a user's swipe in the wallet's own frame. Pure. Pages can't create trusted
 * events, but they can move, cover or shrink the frame, or make users drag across it for a different purpose. Each rule
 * prevents one of these attacks.
 */

/** Fraction of the track's width that a drag must cross. */
const MIN_TRAVEL = 0.6;
/** How long the frame must be visible and unchanged before the pointer goes down (milliseconds). */
const STEADY_MS = 500;
/** Maximum duration of a swipe (milliseconds). A longer drag probably isn't meant as a swipe. */
const MAX_SWIPE_MS = 10_000;
/** Maximum difference, due to rounding, between the pointer's paths on the screen and in the frame (screen pixels). */
const TOLERANCE_PX = 3;

/** The required fields of a pointer event. `screenX` is the position on the screen, `x` the position in the frame. */
export interface PointerSample {
  pointerId: number;
  isTrusted: boolean;
  isPrimary: boolean;
  button: number;
  x: number;
  y: number;
  screenX: number;
  screenY: number;
  /** Time on a monotonic clock (milliseconds). */
  time: number;
}

/** The frame's geometry, as reported by the browser. */
export interface Surface {
  width: number;
  height: number;
  /** Device pixels per CSS pixel in the frame. */
  scale: number;
  /** The tab's zoom as reported by the browser: screen units per CSS pixel. */
  zoom: number;
  /**
   * Start of the period in which the frame has been visible and unchanged (milliseconds). Null if it is hidden or
   * changing.
   */
  steadySince: number | null;
}

/** Recognizes swipes by one pointer at a time. */
export interface Gesture {
  /** Starts a drag. @returns true if the pointer holds the thumb */
  down(pointer: PointerSample, surface: Surface): boolean;
  /** @returns progress from 0 to 1, or null if the pointer doesn't hold the thumb */
  move(pointer: PointerSample, surface: Surface): number | null;
  /** Ends a drag. @returns true for a complete swipe */
  up(pointer: PointerSample, surface: Surface): boolean;
  /** Ends the drag without a swipe, because the browser has taken over the pointer or the frame has changed. */
  cancel(): void;
}

/** Creates the recognizer. @param rightToLeft true if the thumb moves to the left */
export function createGesture(rightToLeft: boolean): Gesture {
  let start: { pointer: PointerSample; surface: Surface } | null = null;

  const isInside = ({ x, y }: PointerSample, { width, height }: Surface) => x >= 0 && y >= 0 && x < width && y < height;
  const isSteady = ({ steadySince }: Surface, time: number) => steadySince !== null && time - steadySince >= STEADY_MS;

  /**
   * True if it is the same pointer, and the frame hasn't moved or changed. The pointer's path on the screen then
   * matches its path in the frame.
   */
  function isSame(pointer: PointerSample, surface: Surface): boolean {
    if (!start || pointer.pointerId !== start.pointer.pointerId || !pointer.isTrusted) return false;
    const { pointer: first, surface: before } = start;
    const [inFrame, onScreen] = [
      [pointer.x - first.x, pointer.y - first.y],
      [pointer.screenX - first.screenX, pointer.screenY - first.screenY],
    ] as const;
    return (
      surface.width === before.width &&
      surface.height === before.height &&
      surface.scale === before.scale &&
      surface.steadySince === before.steadySince &&
      Math.abs(inFrame[0] * before.zoom - onScreen[0]) <= TOLERANCE_PX &&
      Math.abs(inFrame[1] * before.zoom - onScreen[1]) <= TOLERANCE_PX
    );
  }

  const travel = (pointer: PointerSample, first: PointerSample) =>
    rightToLeft ? first.x - pointer.x : pointer.x - first.x;

  return {
    down(pointer, surface) {
      if (start) {
        start = null; // A second finger invalidates the swipe.
        return false;
      }
      if (!pointer.isTrusted || !pointer.isPrimary || pointer.button !== 0) return false;
      if (!isInside(pointer, surface) || !isSteady(surface, pointer.time)) return false;
      start = { pointer, surface };
      return true;
    },

    move(pointer, surface) {
      if (!start) return null;
      if (!isSame(pointer, surface)) {
        start = null;
        return null;
      }
      return Math.min(1, Math.max(0, travel(pointer, start.pointer) / (MIN_TRAVEL * surface.width)));
    },

    up(pointer, surface) {
      const begun = start;
      const isWhole =
        begun !== null &&
        isSame(pointer, surface) &&
        isInside(pointer, surface) &&
        pointer.time - begun.pointer.time <= MAX_SWIPE_MS &&
        travel(pointer, begun.pointer) >= MIN_TRAVEL * surface.width;
      start = null;
      return isWhole;
    },

    cancel() {
      start = null;
    },
  };
}
