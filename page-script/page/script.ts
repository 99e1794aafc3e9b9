import { make } from '../button/elements.ts';
import type { PartLoader } from './parts.ts';

/** True if a URL has the file name under which the service serves this script. A copy's URL may have a query. */
const isNamed = (address: string) => /\/button\.js(?=$|[?#])/.test(address);

/**
 * Returns the element of this script or of the bundle that contains it, or null. Call it early, because `currentScript`
 * changes.
 */
export function thisScript(document: Document): HTMLScriptElement | null {
  const { currentScript } = document;
  if (currentScript) return currentScript instanceof HTMLScriptElement ? currentScript : null;
  // Module scripts don't have a currentScript.
  return [...document.scripts].find(({ src }) => isNamed(src)) ?? null;
}

/** The locations of the service and the parts that belong to a copy of the script. */
export interface Home {
  /** The service's origin with a slash. Null if unknown. */
  service: string | null;
  /** Returns the URL of a part. Null if the parts can't be located. */
  addressOf: ((part: string) => string) | null;
}

/**
 * Locates the service and parts of a copy of the script, by its `data-service`, otherwise by the URL that the service
 * has inserted into it. For a copy from a build and for a pinned copy, the script's own URL is used.
 * @param written the URL of the folder with the script's parts; a placeholder in copies not from a service
 */
export function homeOf(script: HTMLScriptElement | null, written: string, base: string): Home {
  const src = script?.src ?? '';
  const named = script?.dataset.service;
  const isServed = !new URL(written).host.endsWith('.invalid');
  const { origin, protocol } = new URL(named || (isServed ? written : (isNamed(src) && src) || 'about:blank'), base);
  const service = protocol.startsWith('http') ? `${origin}/` : null;
  // The parts are next to the script if the service serves both, if the page's author copied all files, or if no other
  // location is known.
  const isBeside = isNamed(src) && (named || !isServed || new URL(src).origin === origin);
  const folder = isServed ? written : service;
  return {
    service,
    addressOf: isBeside
      ? (part) => src.replace(/\.js(?=$|[?#])/, `.${part}.js`)
      : folder === null
        ? null
        : (part) => `${folder}button.${part}.js`,
  };
}

/** Trusted Types (W3C), which not all browsers support. A page can require that script URLs come from a policy. */
interface TrustedTypesWindow {
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(url: string): string },
    ): { createScriptURL(url: string): string };
  };
}

/**
 * Returns a loader that adds script elements with the nonce of `script` or of a different script so that a policy with
 * nonces allows them.
 */
export function partScripts(script: HTMLScriptElement | null, addressOf: (part: string) => string): PartLoader {
  const allowed = script ?? document.querySelector<HTMLScriptElement>('script[nonce]');
  return (name) =>
    new Promise((resolve, reject) => {
      const { trustedTypes } = window as TrustedTypesWindow;
      const url = addressOf(name);
      const part = make('script', {});
      part.src = trustedTypes
        ? trustedTypes.createPolicy(`service-button-${name}`, { createScriptURL: (same) => same }).createScriptURL(url)
        : url;
      part.nonce = allowed?.nonce ?? '';
      part.onload = resolve;
      part.onerror = reject;
      (document.head ?? document.documentElement).append(part);
    });
}
