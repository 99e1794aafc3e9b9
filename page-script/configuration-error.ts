/** Stable reasons why options are invalid, shown in `data-reason`. */
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
  | 'invalid-service'
  | 'missing-part'
  | 'file-page'
  | 'unknown-service'
  // Only the wallet detects the following reasons, during a swipe.
  | 'unknown-asset'
  | 'amount-too-precise'
  | 'invalid-request'
  | 'too-large'
  | 'forbidden-data'
  | 'unsupported-method';

/** Thrown if options are invalid. The message is for the page's author, and is never shown to visitors. */
export class ConfigurationError extends Error {
  readonly reason: ConfigurationReason;

  constructor(reason: ConfigurationReason, message: string) {
    super(message);
    this.name = 'ConfigurationError';
    this.reason = reason;
  }
}

/**
 * Returns the error for a missing options part. A pinned script doesn't load parts, and a Content Security Policy can
 * block them.
 */
export const missingOptions = () =>
  new ConfigurationError('missing-part', 'these options are wrong, or need button.options.js: allow or include it.');

/** Returns the error for a script that can't determine its service, to which payments must be reported. */
export const unknownService = () =>
  new ConfigurationError(
    'unknown-service',
    'the service is unknown. Set data-service="https://…" on the script or call setServiceUrl("https://…").',
  );

/** Returns the error for pages opened as a file, which extensions can't access. */
export const openedAsFile = () =>
  new ConfigurationError('file-page', 'this page is a file: use https or http://localhost.');
