import browser from 'webextension-polyfill';

/** URL hash that opens the account page, and prefix of the hash that opens the form to pay a recipient. */
export const [ACCOUNT_HASH, RECIPIENT_HASH] = ['#account', '#to='] as const;

export const accountUrl = (): string => browser.runtime.getURL(`extension/popup/index.html${ACCOUNT_HASH}`);

/** Returns the URL that opens the popup in a tab with the form to pay a recipient. */
export const sendingUrl = (to: string): string =>
  browser.runtime.getURL(`extension/popup/index.html#${new URLSearchParams({ to })}`);
