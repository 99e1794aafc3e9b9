/**
 * Decides which pointer events are a user's swipe in the wallet's own frame. Pure. A page can't make trusted events,
 * but it can move, cover and shrink the frame, and lead the pointer across it for another purpose. Each rule prevents
 * one of these.
 */

/** Share of the track's width that one drag must cross. */
const LEAST_TRAVEL = 0.6;
/** How long the frame must have been visible and unchanged before the pointer arrives (milliseconds). */
const STEADY_MS = 500;
/** Maximum duration of a swipe (milliseconds). A pointer that rests on the track is doing something else. */
const LONGEST_MS = 10_000;
/** How far the pointer's path on the screen may differ from its path in the frame, due to rounding (screen pixels). */
const TOLERANCE_PX = 3;

/** The relevant fields of a pointer event. `screenX` is its position on the screen, `x` the one in the frame. */
export interface Hand {
  pointerId: number;
  isTrusted: boolean;
  isPrimary: boolean;
  button: number;
  x: number;
  y: number;
  screenX: number;
  screenY: number;
  /** Milliseconds, on a clock that only goes forward. */
  time: number;
}

/** The frame, as the browser reports it. */
export interface Surface {
  width: number;
  height: number;
  /** Device pixels per CSS pixel in the frame. */
  scale: number;
  /** The tab's zoom as the browser reports it: screen units per CSS pixel. */
  zoom: number;
  /** Since when it is visible and unchanged (milliseconds); null if it isn't. */
  steadySince: number | null;
}

/** Tracks one pointer at a time. */
export interface Gesture {
  /** @returns true if it holds the thumb now */
  down(hand: Hand, surface: Surface): boolean;
  /** @returns progress from 0 to 1, or null if the pointer holds nothing */
  move(hand: Hand, surface: Surface): number | null;
  /** @returns true for a whole swipe */
  up(hand: Hand, surface: Surface): boolean;
  /** Ends the drag without a swipe: the browser took the pointer, or the frame has changed. */
  cancel(): void;
}

/** @param rightToLeft true if the thumb moves to the left */
export function createGesture(rightToLeft: boolean): Gesture {
  let start: { hand: Hand; surface: Surface } | null = null;

  const isInside = ({ x, y }: Hand, { width, height }: Surface) => x >= 0 && y >= 0 && x < width && y < height;
  const isSteady = ({ steadySince }: Surface, time: number) => steadySince !== null && time - steadySince >= STEADY_MS;

  /** True if the frame hasn't moved, shrunk or vanished, so the pointer's screen path is its path in the frame. */
  function isSame(hand: Hand, surface: Surface): boolean {
    if (!start || hand.pointerId !== start.hand.pointerId || !hand.isTrusted) return false;
    const { hand: first, surface: before } = start;
    const [inFrame, onScreen] = [
      [hand.x - first.x, hand.y - first.y],
      [hand.screenX - first.screenX, hand.screenY - first.screenY],
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

  const travel = (hand: Hand, first: Hand) => (rightToLeft ? first.x - hand.x : hand.x - first.x);

  return {
    down(hand, surface) {
      if (start) {
        start = null; // a second finger, so neither is a swipe
        return false;
      }
      if (!hand.isTrusted || !hand.isPrimary || hand.button !== 0) return false;
      if (!isInside(hand, surface) || !isSteady(surface, hand.time)) return false;
      start = { hand, surface };
      return true;
    },

    move(hand, surface) {
      if (!start) return null;
      if (!isSame(hand, surface)) {
        start = null;
        return null;
      }
      return Math.min(1, Math.max(0, travel(hand, start.hand) / (LEAST_TRAVEL * surface.width)));
    },

    up(hand, surface) {
      const begun = start;
      const isWhole =
        begun !== null &&
        isSame(hand, surface) &&
        isInside(hand, surface) &&
        hand.time - begun.hand.time <= LONGEST_MS &&
        travel(hand, begun.hand) >= LEAST_TRAVEL * surface.width;
      start = null;
      return isWhole;
    },

    cancel() {
      start = null;
    },
  };
}
