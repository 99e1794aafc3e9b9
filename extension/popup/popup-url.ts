import browser from 'webextension-polyfill';

/** Hashes of the popup's address that open the account, or (as a prefix) the form for sending to a recipient. */
export const [ACCOUNT_HASH, RECIPIENT_HASH] = ['#account', '#to='] as const;

export const accountUrl = (): string => browser.runtime.getURL(`extension/popup/index.html${ACCOUNT_HASH}`);

/** The popup's address in a tab, at the form for sending to a recipient. */
export const sendingUrl = (to: string): string =>
  browser.runtime.getURL(`extension/popup/index.html#${new URLSearchParams({ to })}`);
