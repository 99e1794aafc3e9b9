/** The options of a button, as pages pass them. */
import type { CryptoMethod, CryptoResult, Payment } from '../../protocol/payments/payment-types.ts';
import type { PaymentError } from '../wallet/payment-error.ts';

/**
 * A function of the page, or the name of a global function (such as `shop.paid`), which is looked up when the user
 * swipes.
 */
export type Callback<A extends unknown[]> = ((this: Window, ...given: A) => unknown) | string;

type Given<T> = T | null | undefined;

/**
 * A recipient in `outputs`: an amount, and either `to`, whose kind is recognized by its syntax, or one of `paymail`,
 * `userId`, `address` and `script`.
 */
export interface OutputOption {
  to?: Given<string | number>;
  paymail?: Given<string>;
  userId?: Given<string | number>;
  address?: Given<string>;
  /** A script as ASM or in hexadecimal. */
  script?: Given<string>;
  /** A decimal number, preferably as a string. */
  amount: string | number;
  /**
   * A currency code of three to five letters, the same for all outputs of money. Or an asset: its paymail, its token's
   * ID, or its own ID.
   */
  currency?: Given<string>;
  /** An asset. Replaces `currency`. */
  asset?: Given<string>;
}

/** One element of `cryptoOperations`. */
export interface CryptoOption {
  /** Latin letters. `#{name}` in an output script is replaced by the result. */
  name: string;
  method: CryptoMethod;
  data?: Given<string>;
  dataEncoding?: Given<'utf8' | 'hex'>;
  value?: Given<string>;
  valueEncoding?: Given<'utf8' | 'hex' | 'base64'>;
  key?: Given<'identity'>;
  algorithm?: Given<'bitcoin-signed-message' | 'electrum-ecies'>;
  publicKey?: Given<string>;
  paymail?: Given<string>;
  signature?: Given<string>;
}

/**
 * Options of `serviceButton.render`, named like the attributes but in camelCase. Options that are omitted, null or
 * undefined have their default value. Strings are accepted as in attributes (`disabled: 'true'`).
 */
export interface ButtonOptions {
  /** A paymail, user ID, address or ASM script. */
  to?: Given<string | number>;
  /** A decimal number, preferably as a string, because floats are inexact. */
  amount?: Given<string | number>;
  /** Three to five letters, `'USD'` by default. */
  currency?: Given<string>;
  label?: Given<string>;
  successMessage?: Given<string>;
  /** Text for an additional OP_RETURN output, at most 99,000 bytes of UTF-8. */
  opReturn?: Given<string>;
  /** Several recipients. Replaces `to`, `amount` and `currency`. */
  outputs?: Given<readonly OutputOption[] | string>;
  cryptoOperations?: Given<readonly CryptoOption[] | string>;
  clientIdentifier?: Given<string>;
  buttonId?: Given<string | number>;
  buttonData?: Given<string>;
  /** ID of the payment that this payment refunds, for the service's records. */
  refundOf?: Given<string>;
  type?: Given<'buy' | 'tip'>;
  onPayment?: Given<Callback<[payment: Payment]>>;
  onCryptoOperations?: Given<Callback<[results: CryptoResult[]]>>;
  onError?: Given<Callback<[error: PaymentError]>>;
  onLoad?: Given<Callback<[]>>;
  /** Amounts to choose from, such as `'1 5 20'`. The visitor selects one or enters another between `min` and `max`. */
  presets?: Given<string | readonly (string | number)[]>;
  min?: Given<string | number>;
  max?: Given<string | number>;
  editable?: Given<boolean | 'true' | 'false'>;
  disabled?: Given<boolean | 'true' | 'false'>;
  devMode?: Given<boolean | 'true' | 'false'>;
  /** Makes a paid button ready again. By default it stays paid, even after a reload. */
  repeatable?: Given<boolean | 'true' | 'false'>;
  preserveOrder?: Given<boolean | 'true' | 'false'>;
}
