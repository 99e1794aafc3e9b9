import browser from 'webextension-polyfill';

/** The popup's address ends with this to open the account, or begins its last part with it to send to a recipient. */
export const [ACCOUNT_HASH, RECIPIENT_HASH] = ['#account', '#to='] as const;

/** The address of the popup as a page, at the account. */
export const accountUrl = (): string => browser.runtime.getURL(`extension/popup/index.html${ACCOUNT_HASH}`);

/** The address of the popup as a page, at the form for sending to a recipient. */
export const sendingUrl = (to: string): string =>
  browser.runtime.getURL(`extension/popup/index.html#${new URLSearchParams({ to })}`);
