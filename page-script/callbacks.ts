/** Calls the page's own functions, and keeps their faults away from the button. */
import type { Callback } from './options/button-options.ts';

/**
 * Calls a callback with the window as `this` (specification, section 6). A name is looked up now, not earlier: pages
 * define their functions when they like. Nothing that the function does or throws comes back here.
 * @param option name of the option, for the warning
 */
export function callBack<A extends unknown[]>(callback: Callback<A> | null, option: string, ...given: A): void {
  if (!callback) return;
  const found: unknown = typeof callback === 'string' ? (window as unknown as Record<string, unknown>)[callback] : callback;
  if (typeof found !== 'function') {
    console.warn(`[service-button] ${option}: window has no function "${callback}" (const and let put none there).`);
    return;
  }
  try {
    found.apply(window, given);
  } catch (error) {
    // As if it had been thrown where nobody catches: the page's own error handling sees it.
    reportError(error);
  }
}
