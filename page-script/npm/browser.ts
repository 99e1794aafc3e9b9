/** The page's one `serviceButton`, for modules that may also be loaded where there is no page. */
import type { ServiceButton } from '../api.ts';
import { install } from '../install.ts';
import { setPartLoader } from '../parts.ts';
import { loadPart, PART_NAMES } from './parts.ts';

let serviceUrl: string | null = null;

/**
 * Names the service, which a bundled script can't know: payments are reported there, and people without a wallet are led
 * there. To be called before the first button; without it no button pays. If a `button.js` came first, the service is
 * that script's.
 * @param url an address of the service, such as its start page
 * @throws TypeError where it is no address of the web
 */
export function setServiceUrl(url: string): void {
  const { origin, protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError(`not an address of the web: ${url}`);
  serviceUrl = `${origin}/`;
}

/**
 * The page's `window.serviceButton`; where no `button.js` made one, this makes it.
 * @throws Error on a server
 */
export function pageServiceButton(): ServiceButton {
  if (typeof window === 'undefined') {
    throw new Error(
      'service-button needs a browser: use it in an event handler or an effect, not while a server renders.',
    );
  }
  if (typeof window.serviceButton?.render !== 'function') setPartLoader(loadPart, PART_NAMES);
  return install(window, serviceUrl, !serviceUrl);
}
