/** The one door to the page's own functions: whatever they throw stays behind it. */
import type { Callback } from './options/button-options.ts';

/**
 * Calls a callback with the window as `this` (specification, section 6). A name is looked up now, not earlier: pages
 * define their functions when they like. Nothing that the function does or throws comes back here: what was paid is
 * paid.
 * @param option name of the option, for the warning
 */
export function callBack<A extends unknown[]>(
  callback: Callback<A> | null | undefined,
  option: string,
  ...given: A
): void {
  if (!callback) return;
  try {
    const found: unknown =
      typeof callback === 'string' ? (window as unknown as Record<string, unknown>)[callback] : callback;
    // Not by a method of the function: a page may have given it one of its own.
    if (typeof found === 'function') Reflect.apply(found, window, given);
    else
      console.warn(
        `[service-button] ${option}: window has no function "${callback as string}" (const and let put none there).`,
      );
  } catch (error) {
    // As if it had been thrown where nobody catches: the page's own error handling and the console see it.
    reportError(error);
  }
}
