/** The popup under the toolbar icon, and the wallet's pages in tabs. */
import browser from 'webextension-polyfill';

/** True in the popup, which takes its size from its contents; a tab or a window does not. */
export function inPopup(): boolean {
  return browser.extension?.getViews?.({ type: 'popup' }).includes(window) ?? false;
}

/** The URL of the settings, or of one of their pages. */
export function settingsUrl(page?: string): string {
  return browser.runtime.getURL(`extension/popup/settings/index.html${page === undefined ? '' : `#${page}`}`);
}
