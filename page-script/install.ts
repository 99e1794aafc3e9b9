/** Adds the JavaScript API to a window, unless it exists. */
import type { ServiceButton } from './api.ts';
import { createServiceButton } from './service-button.ts';

/**
 * Returns the window's `serviceButton`, or creates it without creating any buttons. Ignores an element with the ID
 * `serviceButton`.
 * @param serviceUrl origin of the wallet's download page and of payment reports, or null
 * @param isLost true for a copy of `button.js` that can't find its service and therefore can't pay
 */
export function install(window: Window, serviceUrl: string | null = null, isLost = false): ServiceButton {
  const there = window.serviceButton;
  if (typeof there?.render === 'function') return there;
  return (window.serviceButton = createServiceButton(window, serviceUrl, isLost));
}
