/** Puts the JavaScript interface into a window, once. */
import type { ServiceButton } from './api.ts';
import { createServiceButton } from './service-button.ts';

/**
 * The window's `serviceButton`: the existing one, of whichever copy was loaded first, or a new one. It creates no
 * buttons and observes nothing by itself. (An element with this id does not count.)
 * @param serviceUrl where people get the wallet, and what payments are reported to; or null
 * @param isLost true for a copy of `button.js` that can't find its service and so pays nothing
 */
export function install(window: Window, serviceUrl: string | null = null, isLost = false): ServiceButton {
  const there = window.serviceButton;
  if (typeof there?.render === 'function') return there;
  return (window.serviceButton = createServiceButton(window, serviceUrl, isLost));
}
