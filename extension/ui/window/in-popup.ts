import browser from 'webextension-polyfill';

/** True in the popup under the toolbar icon, which takes its size from its contents; a tab or a window does not. */
export function inPopup(): boolean {
  return browser.extension?.getViews?.({ type: 'popup' }).includes(window) ?? false;
}
