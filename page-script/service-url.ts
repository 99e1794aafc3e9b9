/** Finds the service's own site: the origin that this script was loaded from. */

/**
 * The start page of the service, or null where the script came from no address (inline, or bundled into the page's own).
 * To be called while the script first runs: afterwards `currentScript` is another one, or none.
 */
export function serviceUrl(document: Document): string | null {
  // Module scripts have no currentScript; they are found by the name that the service gives this file.
  const script = document.currentScript ?? document.querySelector('script[src$="/button.js"]');
  try {
    const url = new URL((script as HTMLScriptElement).src);
    return url.protocol === 'https:' || url.protocol === 'http:' ? `${url.origin}/` : null;
  } catch {
    return null;
  }
}
