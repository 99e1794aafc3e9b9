import browser from 'webextension-polyfill';

/** URL hashes that open the account, and (as a prefix) the form for sending to a recipient. */
export const [ACCOUNT_HASH, RECIPIENT_HASH] = ['#account', '#to='] as const;

export const accountUrl = (): string => browser.runtime.getURL(`extension/popup/index.html${ACCOUNT_HASH}`);

/** Returns the popup's URL in a tab, with the form for sending to a recipient. */
export const sendingUrl = (to: string): string =>
  browser.runtime.getURL(`extension/popup/index.html#${new URLSearchParams({ to })}`);
