/** Runs something once the document has been read, whichever way this script came into the page. */

/** The part of a window that is asked. */
export type LoadingWindow = Pick<Window, 'addEventListener'> & {
  document: Pick<Document, 'readyState' | 'addEventListener'>;
  performance: Pick<Performance, 'getEntriesByType'>;
};

/**
 * Calls `run` when the document's elements are there, and once more when everything has loaded, for what was added in
 * between. In state `interactive`, a deferred script runs before DOMContentLoaded and waits for it, because other
 * deferred scripts may still define what the buttons name; an async script may run after it, and must not wait for
 * images.
 */
export function whenPageHasLoaded(window: LoadingWindow, run: () => void): void {
  const { document } = window;
  const [navigation] = window.performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (document.readyState === 'complete' || navigation?.domContentLoadedEventStart) run();
  else document.addEventListener('DOMContentLoaded', run);
  window.addEventListener('load', run);
}
