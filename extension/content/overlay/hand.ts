/** Tracks the pointer and sorts buttons by their distance from it. */

/** The pointer's last position. */
export interface Hand {
  x: number;
  y: number;
}

/** Distance of the pointer from an element (CSS pixels), measured from the middle of the window if it is unknown. */
function distance(element: Element, hand: Hand | null): number {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const { x, y } = hand ?? { x: window.innerWidth / 2, y: window.innerHeight / 2 };
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

export const nearest = <B extends { box: Element }>(buttons: readonly B[], hand: Hand | null): B[] =>
  buttons
    .map((button) => ({ button, far: distance(button.box, hand) }))
    .toSorted((a, b) => a.far - b.far)
    .map(({ button }) => button);
