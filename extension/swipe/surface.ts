/**
 * Tracks the frame's size and visibility as rendered by the browser. IntersectionObserver v2 detects covering elements,
 * opacity, filters and transforms. Masks can't affect the frame, because the relay puts it in the top layer. The
 * measured scale reveals `zoom`.
 */
import type { Surface } from './gesture.ts';
import type { Heartbeat } from './heartbeat.ts';

/** Minimum `delay` that browsers accept (milliseconds; Intersection Observer v2). */
const DELAY_MS = 100;
/** Timeout for a visibility check (milliseconds). */
const VISIBILITY_TIMEOUT_MS = 500;
/**
 * If covering elements belong to another process, the browser detects them only once per {@link DELAY_MS}, and reports
 * them late. A check is reliable only after this time (milliseconds).
 */
const SETTLED_MS = 250;
const WHOLE = 0.99;

export interface SurfaceWatch {
  surface(): Surface;
  /**
   * Repeats the visibility check in each animation frame until the result is needed.
   * @returns true if the whole frame stayed visible
   */
  look(): Promise<boolean>;
  /**
   * Waits for the page to render two more frames, then checks again.
   * @returns true if the page rendered and the whole frame is visible
   */
  lookAfterDrawing(): Promise<boolean>;
}

/**
 * @param target element that fills the frame
 * @param heart reports whether the page renders
 * @param distorted called if the frame's pixels no longer match the tab's, because the page scales the frame or the
 * window was moved to a different screen
 */
export function watchSurface(target: Element, heart: Heartbeat, distorted: () => void): SurfaceWatch {
  let isVisible = false;
  let steadySince: number | null = null;
  let zoom: number | null = null;
  /** Device pixels per CSS pixel on the tab's screen, without zoom. */
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

  /**
   * Gets the zoom from the browser instead of the document, because the page's styles can't affect the browser's value.
   */
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

  /** Runs one check. Observing an element again makes the browser report it again. */
  const glance = () =>
    new Promise<boolean>((resolve) => {
      waiting.add(resolve);
      setTimeout(resolve, VISIBILITY_TIMEOUT_MS, false);
      observer.unobserve(target);
      observer.observe(target);
    });

  /**
   * Returns the start of the period in which the frame has been visible and still and the page has been rendering
   * (milliseconds), or null if there is none.
   */
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
