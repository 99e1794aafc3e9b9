/** Distinguishes the toolbar popup from the wallet's pages in tabs. */
import browser from 'webextension-polyfill';

/** True in the toolbar popup. Unlike a tab or a window, the popup has a size that depends on its contents. */
export function inPopup(): boolean {
  return browser.extension?.getViews?.({ type: 'popup' }).includes(window) ?? false;
}

/** Returns the URL of the settings, or of one of their pages. */
export function settingsUrl(page?: string): string {
  return browser.runtime.getURL(`extension/popup/settings/index.html${page === undefined ? '' : `#${page}`}`);
}
