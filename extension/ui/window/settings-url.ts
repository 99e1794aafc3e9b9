import browser from 'webextension-polyfill';

export function settingsUrl(page?: string): string {
  return browser.runtime.getURL(`extension/popup/settings/index.html${page === undefined ? '' : `#${page}`}`);
}
