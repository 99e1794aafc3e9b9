/** Adds the JavaScript API to a window, unless it already exists. */
import type { ServiceButton } from './api.ts';
import { createServiceButton } from './service-button.ts';

/**
 * Returns the window's `serviceButton`. Creates it if it doesn't exist, but doesn't create buttons. Doesn't mistake an
 * element with the ID `serviceButton` for it.
 * @param serviceUrl origin of the service that receives payment reports and offers the wallet, or null
 * @param isLost true for a copy of `button.js` that can't determine its service and therefore can't pay
 */
export function install(window: Window, serviceUrl: string | null = null, isLost = false): ServiceButton {
  const there = window.serviceButton;
  if (typeof there?.render === 'function') return there;
  return (window.serviceButton = createServiceButton(window, serviceUrl, isLost));
}
