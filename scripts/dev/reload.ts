/**
 * The extension's part of `npm run dev`, in its service worker: loads a newer build once there is one. No other build
 * has this file.
 */
import browser from 'webextension-polyfill';

/** The build of this file, and the address where `npm run dev` reports the newest. Built in by extension.ts. */
declare const __DEV_BUILD__: { id: string; url: string };

/** Milliseconds between two questions. */
const INTERVAL_MS = 1000;

async function ask(): Promise<void> {
  // No response after `npm run dev` has ended.
  const newest = await fetch(__DEV_BUILD__.url).then(
    (response) => response.text(),
    () => __DEV_BUILD__.id,
  );
  if (newest !== __DEV_BUILD__.id) browser.runtime.reload();
  setTimeout(() => void ask(), INTERVAL_MS);
}
void ask();
