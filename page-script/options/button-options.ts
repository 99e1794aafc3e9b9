/** The options of a button: as pages give them, and as the button uses them once every rule has been checked. */
import type { Payment } from '../../protocol/payment.ts';
import type { PaymentError } from '../payment-error.ts';

/** A function of the page, or the name of one in the global scope, looked up when it is called. */
export type Callback<A extends unknown[]> = ((this: Window, ...given: A) => unknown) | string;

type Given<T> = T | null | undefined;

/**
 * What `serviceButton.render` takes. The names are the attributes' in camelCase; an option left out, null or undefined
 * has its default. Text is accepted wherever an attribute would give it (`disabled: 'true'`).
 */
export interface ButtonOptions {
  /** Paymail, user ID, address or ASM script. */
  to?: Given<string | number>;
  /** Decimal number; better as text, because a float cannot hold every amount. */
  amount?: Given<string | number>;
  /** Three letters; `'USD'` where none is given. */
  currency?: Given<string>;
  label?: Given<string>;
  successMessage?: Given<string>;
  /** Text for one extra OP_RETURN output, at most 99,000 bytes of UTF-8. */
  opReturn?: Given<string>;
  outputs?: Given<readonly unknown[] | string>;
  cryptoOperations?: Given<readonly unknown[] | string>;
  clientIdentifier?: Given<string>;
  buttonId?: Given<string | number>;
  buttonData?: Given<string>;
  type?: Given<'buy' | 'tip'>;
  onPayment?: Given<Callback<[payment: Payment]>>;
  onCryptoOperations?: Given<Callback<[results: unknown[]]>>;
  onError?: Given<Callback<[error: PaymentError]>>;
  onLoad?: Given<Callback<[]>>;
  editable?: Given<boolean | 'true' | 'false'>;
  disabled?: Given<boolean | 'true' | 'false'>;
  devMode?: Given<boolean | 'true' | 'false'>;
  preserveOrder?: Given<boolean | 'true' | 'false'>;
}

/** Every option read, checked by itself and filled with its default. `null` is "not given". */
export interface SettledOptions {
  to: string | null;
  amount: string | null;
  currency: string;
  label: string;
  /** Null: the default of the button's type, in the page's language. */
  successMessage: string | null;
  opReturn: string | null;
  outputs: readonly unknown[];
  cryptoOperations: readonly unknown[];
  clientIdentifier: string | null;
  buttonId: string | null;
  buttonData: string | null;
  type: 'buy' | 'tip';
  onPayment: Callback<[payment: Payment]> | null;
  onCryptoOperations: Callback<[results: unknown[]]> | null;
  onError: Callback<[error: PaymentError]> | null;
  onLoad: Callback<[]> | null;
  editable: boolean;
  disabled: boolean;
  devMode: boolean;
  preserveOrder: boolean;
}

/** The name of an option. */
export type OptionName = keyof SettledOptions;
