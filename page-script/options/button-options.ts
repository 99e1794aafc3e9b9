/** A button's options, as passed by pages. */
import type { CryptoMethod, CryptoResult, Payment } from '../../protocol/payments/payment-types.ts';
import type { PaymentError } from '../wallet/payment-error.ts';

/**
 * One of the page's functions, or the name of a global function (such as `shop.paid`), which is looked up when the user
 * swipes.
 */
export type Callback<A extends unknown[]> = ((this: Window, ...given: A) => unknown) | string;

type Optional<T> = T | null | undefined;

/**
 * A recipient in `outputs`: an amount, and either `to`, whose kind is recognized by its syntax, or one of `paymail`,
 * `userId`, `address` and `script`.
 */
export interface OutputOption {
  to?: Optional<string | number>;
  paymail?: Optional<string>;
  userId?: Optional<string | number>;
  address?: Optional<string>;
  /** A script as ASM or in hexadecimal. */
  script?: Optional<string>;
  /** A decimal number, preferably as a string. */
  amount: string | number;
  /**
   * A currency code of three to five letters, which must be the same for all money outputs, or an asset: its paymail,
   * its token's ID, or its own ID.
   */
  currency?: Optional<string>;
  /** An asset. Replaces `currency`. */
  asset?: Optional<string>;
}

/** One element of `cryptoOperations`. */
export interface CryptoOption {
  /** Latin letters. `#{name}` in an output script is replaced by the result. */
  name: string;
  method: CryptoMethod;
  data?: Optional<string>;
  dataEncoding?: Optional<'utf8' | 'hex'>;
  value?: Optional<string>;
  valueEncoding?: Optional<'utf8' | 'hex' | 'base64'>;
  key?: Optional<'identity'>;
  algorithm?: Optional<'bitcoin-signed-message' | 'electrum-ecies'>;
  publicKey?: Optional<string>;
  paymail?: Optional<string>;
  signature?: Optional<string>;
}

/**
 * Options for `serviceButton.render`, named like the attributes but in camelCase. Options that are omitted, null or
 * undefined have their default values. Strings are accepted as in attributes (`disabled: 'true'`).
 */
export interface ButtonOptions {
  /** A paymail, user ID, address or ASM script. */
  to?: Optional<string | number>;
  /** A decimal number, preferably as a string, because floats are inexact. */
  amount?: Optional<string | number>;
  /** Three to five letters, `'USD'` by default. */
  currency?: Optional<string>;
  label?: Optional<string>;
  successMessage?: Optional<string>;
  /** Text for an additional OP_RETURN output, at most 99,000 bytes of UTF-8. */
  opReturn?: Optional<string>;
  /** Several recipients. Replaces `to`, `amount` and `currency`. */
  outputs?: Optional<readonly OutputOption[] | string>;
  cryptoOperations?: Optional<readonly CryptoOption[] | string>;
  clientIdentifier?: Optional<string>;
  buttonId?: Optional<string | number>;
  buttonData?: Optional<string>;
  /** ID of the payment that this payment refunds, for the service's records. */
  refundOf?: Optional<string>;
  type?: Optional<'buy' | 'tip'>;
  onPayment?: Optional<Callback<[payment: Payment]>>;
  onCryptoOperations?: Optional<Callback<[results: CryptoResult[]]>>;
  onError?: Optional<Callback<[error: PaymentError]>>;
  onLoad?: Optional<Callback<[]>>;
  /**
   * Amounts to choose from, such as `'1 5 20'`. The visitor selects one or enters a different amount between `min` and
   * `max`.
   */
  presets?: Optional<string | readonly (string | number)[]>;
  min?: Optional<string | number>;
  max?: Optional<string | number>;
  editable?: Optional<boolean | 'true' | 'false'>;
  disabled?: Optional<boolean | 'true' | 'false'>;
  devMode?: Optional<boolean | 'true' | 'false'>;
  /** Makes a paid button ready again. By default, a paid button stays paid, even after a reload. */
  repeatable?: Optional<boolean | 'true' | 'false'>;
  preserveOrder?: Optional<boolean | 'true' | 'false'>;
}
