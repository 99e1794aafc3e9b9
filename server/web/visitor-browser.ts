/** Which browser asks, as far as it says: for instructions that fit, and for nothing else. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config.ts';

/** `chrome` is also Chromium and whatever calls itself that; `phone` has a browser that takes no wallet. */
export type VisitorBrowser = 'chrome' | 'edge' | 'brave' | 'opera' | 'firefox' | 'safari' | 'phone' | 'unknown';

/** More of a header is not looked at. */
const MOST = 500;

/**
 * Reads `User-Agent` (RFC 9110, 10.1.5) and the client hints that browsers send unasked (`Sec-CH-UA`,
 * `Sec-CH-UA-Mobile`): only they set Brave apart from Chrome. An iPad that asks for desktop pages passes for Safari.
 */
export function visitorBrowser(headers: IncomingHttpHeaders): VisitorBrowser {
  const agent = (headers['user-agent'] ?? '').slice(0, MOST);
  const brands = String(headers['sec-ch-ua'] ?? '').slice(0, MOST);
  if (headers['sec-ch-ua-mobile'] === '?1' || /\b(?:Mobi|Mobile|Android|iPhone|iPad|iPod)\b/.test(agent))
    return 'phone';
  if (/\bEdg\//.test(agent)) return 'edge';
  if (/\bOPR\//.test(agent)) return 'opera';
  if (brands.includes('"Brave"')) return 'brave';
  if (/\b(?:Firefox|LibreWolf)\//.test(agent)) return 'firefox';
  if (/\b(?:Chrome|Chromium|HeadlessChrome)\//.test(agent)) return 'chrome';
  if (/\bSafari\//.test(agent)) return 'safari';
  return 'unknown';
}

/** True for browsers that take the package for Chromium. */
export const isChromium = (browser: VisitorBrowser): boolean => ['chrome', 'edge', 'brave', 'opera'].includes(browser);

/** Where this browser installs the wallet from with one click; null where there is no such place. */
export function storeFor(browser: VisitorBrowser, stores: Config['walletStores']): string | null {
  if (isChromium(browser)) return stores.chrome;
  return browser === 'firefox' ? stores.firefox : null;
}
