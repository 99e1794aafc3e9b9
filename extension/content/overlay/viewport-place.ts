/** Detects whether an element has moved on the screen, from its position in the viewport and the window's position. */

/** Differences below this (CSS pixels) are rounding errors. Measured from the last move, to detect slow drifts. */
const SAME_PX = 0.1;

function placeOf(element: Element): number[] {
  const { left, top, width, height } = element.getBoundingClientRect();
  const { offsetLeft = 0, offsetTop = 0, scale = 1 } = window.visualViewport ?? {};
  const { screenX, screenY, innerWidth, innerHeight, outerWidth, outerHeight } = window;
  // The browser's own bars can move the viewport inside the window. Such a move changes the window's inner or outer
  // height.
  return [
    ...[left, top, width, height, offsetLeft, offsetTop, scale],
    ...[screenX, screenY, innerWidth, innerHeight, outerWidth, outerHeight],
  ];
}

/**
 * @returns a function that returns true on its first call, and then whenever the element has moved since it last
 * returned true
 */
export function watchPlace(element: Element): () => boolean {
  let last: number[] = [];
  return () => {
    const now = placeOf(element);
    if (last.length > 0 && now.every((value, i) => Math.abs(value - (last[i] as number)) < SAME_PX)) return false;
    last = now;
    return true;
  };
}
