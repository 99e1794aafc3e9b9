/**
 * Tracks how the browser draws this frame: its size and visibility. IntersectionObserver v2 detects elements over it,
 * fading, filters and transforms. The relay's host in the top layer prevents the rest (masks, `zoom`), or changes the
 * scale.
 */
import type { Surface } from './gesture.ts';
import type { Heartbeat } from './heartbeat.ts';

/** The browser's minimum (milliseconds): Intersection Observer v2, `delay`. */
const DELAY_MS = 100;
/** An unanswered check fails after this time (milliseconds). */
const LONGEST_LOOK_MS = 500;
/**
 * Elements over another process's frame are detected once per {@link DELAY_MS}, and reported with a delay. A check is
 * current only after this time (milliseconds).
 */
const SETTLED_MS = 250;
const WHOLE = 0.99;

export interface SurfaceWatch {
  surface(): Surface;
  /**
   * Makes the browser check in each drawn frame until the result is needed. @returns true if the whole frame stayed
   * visible
   */
  look(): Promise<boolean>;
  /**
   * Waits until the page has drawn two more frames, then checks again. @returns true if it did, and the whole frame is
   * visible
   */
  lookAfterDrawing(): Promise<boolean>;
}

/**
 * @param target fills the frame @param heart reports whether the page draws
 * @param distorted called if a pixel here no longer equals one of the tab: the page shrinks the frame, or it moved to
 * another screen
 */
export function watchSurface(target: Element, heart: Heartbeat, distorted: () => void): SurfaceWatch {
  let isVisible = false;
  let steadySince: number | null = null;
  let zoom: number | null = null;
  /** The screen's device pixels per CSS pixel of the tab without zoom. */
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

  /** The tab's zoom comes from the browser, so the page's styles can't change it. */
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

  /** One check. The browser reports an element again when it is observed again. */
  const glance = () =>
    new Promise<boolean>((resolve) => {
      waiting.add(resolve);
      setTimeout(resolve, LONGEST_LOOK_MS, false);
      observer.unobserve(target);
      observer.observe(target);
    });

  /** Since when it is visible and still in a page that draws (milliseconds); null if something is unknown. */
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
