/**
 * Stable reasons why a button's options are invalid. They appear in the host's `data-reason`; pages and tests compare
 * them. Texts may change, reasons do not.
 */
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
  // Found by the wallet alone, in a swipe.
  | 'unknown-asset'
  | 'amount-too-precise'
  | 'invalid-request'
  | 'too-large'
  | 'forbidden-data'
  | 'unsupported-method';

/** Thrown while options are read; its message says to the page's author what to change. Visitors never see it. */
export class ConfigurationError extends Error {
  readonly reason: ConfigurationReason;

  constructor(reason: ConfigurationReason, message: string) {
    super(message);
    this.name = 'ConfigurationError';
    this.reason = reason;
  }
}

/** What ends a button whose page has pinned its script and not the part that reads its options, or whose policy refuses it. */
export const missingOptions = () =>
  new ConfigurationError(
    'missing-part',
    'these options are wrong, or need button.options.js: allow it, or include it after button.js.',
  );

/** Ends what would pay where the script can't find the service that learns of the payment. */
export const unknownService = () =>
  new ConfigurationError(
    'unknown-service',
    'this copy of the button does not know its service. Name it: data-service="https://…" on its script element, or setServiceUrl("https://…") of the package.',
  );
