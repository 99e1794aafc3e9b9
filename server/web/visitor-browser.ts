/** Detects the visitor's browser from its headers, only to choose instructions. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config.ts';

/** `chrome` includes browsers that identify as Chrome. `phone` is any browser that can't install the wallet. */
export type VisitorBrowser = 'chrome' | 'edge' | 'brave' | 'opera' | 'firefox' | 'safari' | 'phone' | 'unknown';

/** Max characters of a header that are parsed. */
const MAX_HEADER_CHARS = 500;

/**
 * Detects the browser from `User-Agent` (RFC 9110, 10.1.5) and the default client hints (`Sec-CH-UA`,
 * `Sec-CH-UA-Mobile`), without which Brave looks like Chrome. An iPad in desktop mode looks like Safari.
 */
export function visitorBrowser(headers: IncomingHttpHeaders): VisitorBrowser {
  const agent = (headers['user-agent'] ?? '').slice(0, MAX_HEADER_CHARS);
  const brands = String(headers['sec-ch-ua'] ?? '').slice(0, MAX_HEADER_CHARS);
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

export const isChromium = (browser: VisitorBrowser): boolean => ['chrome', 'edge', 'brave', 'opera'].includes(browser);

export function storeFor(browser: VisitorBrowser, stores: Config['walletStores']): string | null {
  if (isChromium(browser)) return stores.chrome;
  return browser === 'firefox' ? stores.firefox : null;
}
