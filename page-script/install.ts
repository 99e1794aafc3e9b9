/** Adds the JavaScript API to a window, once. */
import type { ServiceButton } from './api.ts';
import { createServiceButton } from './service-button.ts';

/**
 * The window's `serviceButton`: the first loaded copy's, or a new one, which creates no buttons by itself. An element
 * with this ID doesn't count.
 * @param serviceUrl origin of the wallet's download page and of payment reports, or null
 * @param isLost true for a copy of `button.js` that can't find its service and so pays nothing
 */
export function install(window: Window, serviceUrl: string | null = null, isLost = false): ServiceButton {
  const there = window.serviceButton;
  if (typeof there?.render === 'function') return there;
  return (window.serviceButton = createServiceButton(window, serviceUrl, isLost));
}
