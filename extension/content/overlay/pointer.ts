/** Tracks the pointer and sorts buttons by their distance from it. */

export interface PointerPosition {
  x: number;
  y: number;
}

/**
 * Returns the distance from an element to the pointer (CSS pixels), or to the window's center if the pointer's position
 * is unknown.
 */
function distance(element: Element, pointer: PointerPosition | null): number {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const { x, y } = pointer ?? { x: window.innerWidth / 2, y: window.innerHeight / 2 };
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

export const nearest = <B extends { box: Element }>(buttons: readonly B[], pointer: PointerPosition | null): B[] =>
  buttons
    .map((button) => ({ button, far: distance(button.box, pointer) }))
    .toSorted((a, b) => a.far - b.far)
    .map(({ button }) => button);
