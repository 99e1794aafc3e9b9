import { make } from '../button/elements.ts';
import type { PartLoader } from './parts.ts';

/** The service's name for this file. A copy elsewhere may have a query after it. */
const isNamed = (address: string) => /\/button\.js(?=$|[?#])/.test(address);

/** This script's element, or its bundle's; null if unknown. Call it early, because `currentScript` changes. */
export function thisScript(document: Document): HTMLScriptElement | null {
  const { currentScript } = document;
  if (currentScript) return currentScript instanceof HTMLScriptElement ? currentScript : null;
  // Module scripts have no currentScript.
  return [...document.scripts].find(({ src }) => isNamed(src)) ?? null;
}

/** The service and parts of a copy of the script. */
export interface Home {
  /** Its service: an origin and a slash. Null if unknown. */
  service: string | null;
  /** The address of a part; null if no parts can be found. */
  addressOf: ((part: string) => string) | null;
}

/**
 * Determines the service and parts of a copy of the script: by its `data-service`, otherwise by the address that its
 * service has written into it. A copy straight from a build, or pinned, has only its own address.
 * @param written the address of the folder of parts, or the placeholder for it
 */
export function homeOf(script: HTMLScriptElement | null, written: string, base: string): Home {
  const src = script?.src ?? '';
  const named = script?.dataset.service;
  const isServed = !new URL(written).host.endsWith('.invalid');
  const { origin, protocol } = new URL(named || (isServed ? written : (isNamed(src) && src) || 'about:blank'), base);
  const service = protocol.startsWith('http') ? `${origin}/` : null;
  // Parts are next to the script at the service, in a copy of all files, or if there is no other address.
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

/** Trusted Types (W3C), if the browser has them. A page may require that script addresses come from a policy. */
interface TrustedTypesWindow {
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(url: string): string },
    ): { createScriptURL(url: string): string };
  };
}

/**
 * Loads parts by elements with the nonce of `script`, or of another script of the page, so that a policy that allows it
 * allows them.
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
