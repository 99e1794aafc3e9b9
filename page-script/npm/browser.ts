import type { ServiceButton } from '../api.ts';
import { install } from '../install.ts';
import { setPartLoader } from '../page/parts.ts';
import { loadPart, PART_NAMES } from './parts.ts';

let serviceUrl: string | null = null;

/**
 * Sets the service, which a bundled script can't detect. Payments are reported to the service, and visitors without a
 * wallet are sent there to install one. Call this before the first button is rendered. If `button.js` was loaded
 * earlier, its service remains in effect.
 * @param url any URL of the service, such as its home page
 * @throws TypeError if it isn't an http or https URL
 */
export function setServiceUrl(url: string): void {
  const { origin, protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError(`not an http or https URL: ${url}`);
  serviceUrl = `${origin}/`;
}

/** Returns the page's `window.serviceButton`, or creates it if there is no `button.js`. @throws Error on a server */
export function pageServiceButton(): ServiceButton {
  if (typeof window === 'undefined') {
    throw new Error(
      'service-button needs a browser: use it in an event handler or an effect, not while a server renders.',
    );
  }
  if (typeof window.serviceButton?.render !== 'function') setPartLoader(loadPart, PART_NAMES);
  return install(window, serviceUrl, !serviceUrl);
}
