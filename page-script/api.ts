/** The JavaScript API for pages: `window.serviceButton`. Types only. */
import type { CryptoResult, Payment } from '../protocol/payments/payment-types.ts';
import type { ButtonOptions, Callback } from './options/button-options.ts';

/** A rendered button, for the page. */
export interface ButtonHandle {
  /** Merges the given options into the current ones. */
  update(options: ButtonOptions): void;
  /** Removes the button and restores the element. */
  destroy(): void;
}

/** An amount of money: decimal text (numbers are converted) in a currency of three to five letters. */
export interface Money {
  amount: string | number;
  currency: string;
}

/** Options of `new serviceButton.IMB`. */
export interface ImbOptions {
  /** The application that payments are made through. An allowance is for one user, this site and this client. */
  clientIdentifier: string;
  /** Prefills the wallet's form for an allowance. */
  suggestedAmount?: Money | null;
  /** The minimum that is useful to this page, which the wallet shows to the user. */
  minimumAmount?: Money | null;
  /** The token of an earlier allowance. Only for the page's own records, since the wallet knows its allowances. */
  permission?: string | null;
  /** Called with the token of each new allowance: a function, or the name of a global one. */
  onNewPermissionGranted?: Callback<[token: string]> | null;
}

/** Result of an automatic payment. `payment` is null if there was nothing to pay. */
export interface SwipeResult {
  payment: Payment | null;
  cryptoOperations: CryptoResult[];
}

/** Automatic payments from an allowance. */
export interface Imb {
  /**
   * Pays immediately if the allowance covers it. Otherwise the user is prompted, and the payment continues.
   * @param options of the payment, as for a button; its callbacks are not called
   * @throws ConfigurationError (`reason`) for invalid options, PaymentError (`code`) for the wallet's errors
   */
  swipe(options: ButtonOptions): Promise<SwipeResult>;
  /** The rest of the allowance, in its currency; zero if there is none. @throws PaymentError */
  amountLeft(): Promise<{ amount: string; currency: string; satoshis: string }>;
  /** Prompts the user for an allowance, in the wallet's window. @throws PaymentError `allowance-refused` and others */
  askForPermission(amounts?: { suggestedAmount?: Money | null; minimumAmount?: Money | null }): Promise<string>;
}

/** The global object. */
export interface ServiceButton {
  /**
   * Turns `element` into a button, or replaces all options of an existing one. Invalid options don't throw: the
   * element's `data-state` is then `failed`, and its `data-reason` is the reason.
   * @throws if `element` cannot contain a button (`div`, `span` and the like can)
   */
  render(element: HTMLElement, options?: ButtonOptions): ButtonHandle;
  /** Automatic payments. Doesn't throw for invalid options: the first call rejects. */
  readonly IMB: new (options: ImbOptions) => Imb;
  /**
   * Turns every `div.service-button` in `root` (default: the document) and its open shadow roots into a button. Only
   * needed for shadow roots that are attached later, or while the page isn't observed.
   */
  scan(root?: Node & ParentNode): void;
  /**
   * Starts or stops observing the document for added, removed and changed buttons. Initially on, unless the script
   * element has `data-observe="false"`.
   */
  observe(on: boolean): void;
  /**
   * Provides a language's texts (BCP 47: `de`, `pt-BR`) or another part that would be loaded on demand, if the page's
   * policy forbids loading, or for additional languages.
   */
  provide(name: string, part: object): void;
}

declare global {
  interface Window {
    serviceButton?: ServiceButton;
  }
}
