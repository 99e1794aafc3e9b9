/**
 * How the browser draws this frame: large and visible, and since when. IntersectionObserver v2 sees whatever lies over it, fades,
 * filters or transforms it. What it does not see (masks, `zoom`) the relay's host in the top layer keeps away, or shows in the scale.
 */
import type { Surface } from './gesture.ts';
import type { Heartbeat } from './heartbeat.ts';

/** The browser's least (milliseconds): Intersection Observer v2, `delay`. */
const DELAY_MS = 100;
/** A look that has not been answered by then was not had (milliseconds). */
const LONGEST_LOOK_MS = 500;
/**
 * What lies over a frame of another process, its page's process sees, once in {@link DELAY_MS}, and passes on. So a look can be
 * older than it seems: one that is had so much later is not (milliseconds). A hand's swipe takes longer.
 */
const SETTLED_MS = 250;
const WHOLE = 0.99;

/** See the head of this file. */
export interface SurfaceWatch {
  surface(): Surface;
  /** Has the browser look anew, in each drawn frame until it must know. @returns whether it has seen the whole of it all the while */
  look(): Promise<boolean>;
  /**
   * Waits until the page has drawn two more frames, then has the browser check visibility once more. @returns whether the
   * page did, and the whole of it is visible
   */
  lookAfterDrawing(): Promise<boolean>;
}

/**
 * @param target fills the frame
 * @param heart tells whether the page draws
 * @param distorted called where a pixel here is not what it is in the tab any more: the page shrinks the frame, or it is on
 * another screen
 */
export function watchSurface(target: Element, heart: Heartbeat, distorted: () => void): SurfaceWatch {
  let isVisible = false;
  let steadySince: number | null = null;
  let zoom: number | null = null;
  /** Device pixels for a pixel of the tab without zoom: what the screen has. */
  let screenScale: number | null = null;
  const waiting = new Set<(isSeen: boolean) => void>();

  function seen(entries: IntersectionObserverEntry[]): void {
    const last = entries.at(-1) as (IntersectionObserverEntry & { isVisible?: boolean }) | undefined;
    const isSeen = last?.isVisible === true && last.intersectionRatio >= WHOLE;
    if (isSeen !== isVisible) steadySince = isSeen ? performance.now() : null;
    isVisible = isSeen;
    for (const answer of waiting) answer(isSeen);
    waiting.clear();
  }

  const observer = new IntersectionObserver(seen, {
    threshold: [0, 0.5, WHOLE, 1],
    trackVisibility: true,
    delay: DELAY_MS,
  } as IntersectionObserverInit);
  observer.observe(target);

  /** What the tab's zoom is the browser says: no style of the page can change that. */
  async function measure(): Promise<void> {
    const tab = await chrome.tabs.getCurrent();
    const now = await chrome.tabs.getZoom(tab?.id as number);
    const scale = devicePixelRatio / now;
    screenScale ??= scale;
    if (Math.abs(scale / screenScale - 1) > 0.0005) distorted();
    else zoom = now;
  }

  function changed(): void {
    zoom = null;
    steadySince = isVisible ? performance.now() : null;
    void measure().catch(distorted);
  }

  window.addEventListener('resize', changed);
  document.addEventListener('visibilitychange', changed);
  changed();

  /** One look: the browser answers for an element that it is asked about anew. */
  const glance = () =>
    new Promise<boolean>((resolve) => {
      waiting.add(resolve);
      setTimeout(resolve, LONGEST_LOOK_MS, false);
      observer.unobserve(target);
      observer.observe(target);
    });

  /** Since when it is visible, in a page that draws, at the same place (milliseconds); null if something is unknown. */
  function steady(): number | null {
    const drawnSince = heart.steadySince(performance.now());
    if (zoom === null || document.visibilityState !== 'visible' || steadySince === null || drawnSince === null)
      return null;
    return Math.max(steadySince, drawnSince);
  }

  return {
    surface: () => ({
      width: innerWidth,
      height: innerHeight,
      scale: devicePixelRatio,
      zoom: zoom ?? 0,
      steadySince: steady(),
    }),
    async look() {
      const settled = performance.now() + SETTLED_MS;
      while (await glance()) if (performance.now() >= settled) return true;
      return false;
    },
    lookAfterDrawing: async () => (await heart.twoMore()) && glance(),
  };
}
