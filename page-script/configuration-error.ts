/** Reasons why options are invalid, shown in `data-reason`. They are stable; messages may change. */
export type ConfigurationReason =
  | 'invalid-recipient'
  | 'missing-recipient'
  | 'invalid-amount'
  | 'amount-too-small'
  | 'missing-amount'
  | 'missing-currency'
  | 'invalid-currency'
  | 'invalid-option'
  | 'conflicting-options'
  | 'data-too-large'
  | 'mixed-currencies'
  | 'invalid-crypto-operation'
  | 'missing-part'
  | 'file-page'
  | 'unknown-service'
  // Found only by the wallet, during a swipe.
  | 'unknown-asset'
  | 'amount-too-precise'
  | 'invalid-request'
  | 'too-large'
  | 'forbidden-data'
  | 'unsupported-method';

/** Thrown while options are read. Its message explains to the page's author what to change. Visitors never see it. */
export class ConfigurationError extends Error {
  readonly reason: ConfigurationReason;

  constructor(reason: ConfigurationReason, message: string) {
    super(message);
    this.name = 'ConfigurationError';
    this.reason = reason;
  }
}

/** Ends a button whose script was pinned without the part that reads its options, or whose policy blocks it. */
export const missingOptions = () =>
  new ConfigurationError(
    'missing-part',
    'these options are wrong, or need button.options.js: allow it, or include it after button.js.',
  );

/** Ends a payment if the script can't find the service to report it to. */
export const unknownService = () =>
  new ConfigurationError(
    'unknown-service',
    'this copy of the button does not know its service. Name it: data-service="https://…" on its script element, or setServiceUrl("https://…") of the package.',
  );

/** Ends the buttons of a page that was opened as a file, which extensions don't reach. */
export const openedAsFile = () =>
  new ConfigurationError('file-page', 'the page was opened as a file: serve it by https or http://localhost.');
