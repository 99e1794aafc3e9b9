/** Runs a function after the document has been parsed, regardless of how this script was loaded. */

export type LoadingWindow = Pick<Window, 'addEventListener'> & {
  document: Pick<Document, 'readyState' | 'addEventListener'>;
  performance: Pick<Performance, 'getEntriesByType'>;
};

/**
 * Calls `run` when the document's elements exist, and again when everything has loaded. A deferred script waits for
 * DOMContentLoaded, because later scripts may define callbacks. An async script that runs after DOMContentLoaded
 * doesn't wait for images.
 */
export function whenPageHasLoaded(window: LoadingWindow, run: () => void): void {
  const { document } = window;
  const [navigation] = window.performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (document.readyState === 'complete' || navigation?.domContentLoadedEventStart) run();
  else document.addEventListener('DOMContentLoaded', run);
  window.addEventListener('load', run);
}
