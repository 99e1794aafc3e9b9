/** The visitor's browser according to its headers, used only to choose instructions. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config.ts';

/** `chrome` includes browsers that identify as it; `phone` is a browser that can't install the wallet. */
export type VisitorBrowser = 'chrome' | 'edge' | 'brave' | 'opera' | 'firefox' | 'safari' | 'phone' | 'unknown';

/** Maximum number of characters of a header that are read. */
const MOST = 500;

/**
 * Reads `User-Agent` (RFC 9110, 10.1.5) and the default client hints (`Sec-CH-UA`, `Sec-CH-UA-Mobile`), without which
 * Brave looks like Chrome. An iPad that requests desktop pages looks like Safari.
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

export const isChromium = (browser: VisitorBrowser): boolean => ['chrome', 'edge', 'brave', 'opera'].includes(browser);

export function storeFor(browser: VisitorBrowser, stores: Config['walletStores']): string | null {
  if (isChromium(browser)) return stores.chrome;
  return browser === 'firefox' ? stores.firefox : null;
}
