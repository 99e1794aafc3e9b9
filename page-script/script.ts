/** This script's own element, and similar elements for the parts that it needs. */
import { make } from './elements.ts';
import type { PartLoader } from './parts.ts';

/**
 * The element, or null where the script is inline or part of another. To be called while the script first runs:
 * afterwards `currentScript` is another one, or none.
 */
export function thisScript(document: Document): HTMLScriptElement | null {
  // Module scripts have no currentScript; they are found by the name that the service gives this file.
  const script = document.currentScript ?? document.querySelector('script[src$="/button.js"]');
  return script instanceof HTMLScriptElement && script.src ? script : null;
}

/** Trusted Types (W3C), where the browser has them: a page may demand that script addresses come from a policy. */
interface TrustedTypesWindow {
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(url: string): string },
    ): { createScriptURL(url: string): string };
  };
}

/**
 * Loads parts from the location of `script`: `button.de.js` next to `button.js`. They get its nonce, so that a policy
 * that allows it allows them.
 */
export function partScripts(script: HTMLScriptElement): PartLoader {
  return (name) =>
    new Promise((resolve, reject) => {
      const { trustedTypes } = window as TrustedTypesWindow;
      const url = script.src.replace(/\.js(?=$|\?)/, `.${name}.js`);
      const part = make('script', {});
      part.src = trustedTypes
        ? trustedTypes.createPolicy(`service-button-${name}`, { createScriptURL: (same) => same }).createScriptURL(url)
        : url;
      part.nonce = script.nonce;
      part.onload = resolve;
      part.onerror = reject;
      (document.head ?? document.documentElement).append(part);
    });
}
