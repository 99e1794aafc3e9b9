/**
 * What counts as a person's swipe in the wallet's own frame. Pure: it hears what the browser reports, and says what has
 * become of it. A page cannot make trusted events, but it can move, cover and shrink the frame, and lead a hand that does
 * something else across it: each rule is for one of these.
 */

/** Of the track's width, as much has to be gone across in one go. */
const LEAST_TRAVEL = 0.6;
/** The frame must have been visible and unchanged for so long when the hand comes (milliseconds). */
const STEADY_MS = 500;
/** A swipe takes no longer (milliseconds): a hand that rests on the track does something else. */
const LONGEST_MS = 10_000;
/** How far the hand's way on the screen may differ from its way in the frame (pixels of the screen): rounding alone. */
const TOLERANCE_PX = 3;

/** A pointer event, as far as it matters. `screenX` is where the hand is, `x` where that is in the frame. */
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
  /** Device pixels for a CSS pixel in the frame. */
  scale: number;
  /** The tab's zoom by the browser's word: so many pixels of the screen's own measure is a CSS pixel. */
  zoom: number;
  /** Since when nothing about it has changed, visible all the while (milliseconds); null while it is not. */
  steadySince: number | null;
}

/** Follows one hand at a time. */
export interface Gesture {
  /** @returns whether it holds the thumb now */
  down(hand: Hand, surface: Surface): boolean;
  /** @returns how far it is, from 0 to 1, or null where it holds nothing */
  move(hand: Hand, surface: Surface): number | null;
  /** @returns whether that was a whole swipe */
  up(hand: Hand, surface: Surface): boolean;
  /** Something else has become of it: the browser has taken the pointer, or the frame has changed. */
  cancel(): void;
}

/** @param rightToLeft does the thumb go to the left? */
export function createGesture(rightToLeft: boolean): Gesture {
  let start: { hand: Hand; surface: Surface } | null = null;

  const isInside = ({ x, y }: Hand, { width, height }: Surface) => x >= 0 && y >= 0 && x < width && y < height;
  const isSteady = ({ steadySince }: Surface, time: number) => steadySince !== null && time - steadySince >= STEADY_MS;

  /** The frame has not moved, shrunk or gone under the hand: what the hand went is what it went in the frame. */
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
        start = null; // a second finger: neither is a swipe
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
