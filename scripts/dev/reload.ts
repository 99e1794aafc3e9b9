/**
 * Runs in the service worker of the extension that `npm run dev` builds, and reloads the extension when there is a
 * newer build. Other builds don't contain this file.
 */
import browser from 'webextension-polyfill';

/**
 * The build that contains this file, and the URL at which `npm run dev` reports the newest build. Inserted by
 * extension.ts.
 */
declare const __DEV_BUILD__: { id: string; url: string };

/** Interval between queries (milliseconds). */
const INTERVAL_MS = 1000;

async function ask(): Promise<void> {
  // There is no response if `npm run dev` has ended.
  const newest = await fetch(__DEV_BUILD__.url).then(
    (response) => response.text(),
    () => __DEV_BUILD__.id,
  );
  if (newest !== __DEV_BUILD__.id) browser.runtime.reload();
  setTimeout(() => void ask(), INTERVAL_MS);
}
void ask();
