/** Runs a function once the document has been parsed, regardless of how this script was loaded. */

/** The used part of a window. */
export type LoadingWindow = Pick<Window, 'addEventListener'> & {
  document: Pick<Document, 'readyState' | 'addEventListener'>;
  performance: Pick<Performance, 'getEntriesByType'>;
};

/**
 * Calls `run` when the document's elements exist, and again when everything has loaded, for elements added in between.
 * In state `interactive`, a deferred script runs before DOMContentLoaded and waits for it, because other deferred
 * scripts may still define callbacks that buttons name. An async script may run after it, and must not wait for images.
 */
export function whenPageHasLoaded(window: LoadingWindow, run: () => void): void {
  const { document } = window;
  const [navigation] = window.performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (document.readyState === 'complete' || navigation?.domContentLoadedEventStart) run();
  else document.addEventListener('DOMContentLoaded', run);
  window.addEventListener('load', run);
}
