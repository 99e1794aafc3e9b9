import browser from 'webextension-polyfill';

/** The address of the settings, or of one of their pages (popup/settings/pages.ts). */
export function settingsUrl(page?: string): string {
  return browser.runtime.getURL(`extension/popup/settings/index.html${page === undefined ? '' : `#${page}`}`);
}
