/** Where the user sees an element: in the viewport, and the viewport on the screen. */

/** Smaller differences are rounding (CSS pixels). Measured from the last move, so that slow drifts count. */
const SAME_PX = 0.1;

function placeOf(element: Element): number[] {
  const { left, top, width, height } = element.getBoundingClientRect();
  const { offsetLeft = 0, offsetTop = 0, scale = 1 } = window.visualViewport ?? {};
  const { screenX, screenY, innerWidth, innerHeight, outerWidth, outerHeight } = window;
  // The browser's own bars move the viewport within its window, and change one of the two heights.
  return [
    ...[left, top, width, height, offsetLeft, offsetTop, scale],
    ...[screenX, screenY, innerWidth, innerHeight, outerWidth, outerHeight],
  ];
}

/** @returns whether the element has moved since the last move that it reported; true at first */
export function watchPlace(element: Element): () => boolean {
  let last: number[] = [];
  return () => {
    const now = placeOf(element);
    if (last.length > 0 && now.every((value, i) => Math.abs(value - (last[i] as number)) < SAME_PX)) return false;
    last = now;
    return true;
  };
}
