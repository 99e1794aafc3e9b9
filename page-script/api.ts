/** Types for the JavaScript API for pages, `window.serviceButton`. */
import type { CryptoResult, Payment } from '../protocol/payments/payment-types.ts';
import type { ButtonOptions, Callback } from './options/button-options.ts';

/** The handle that a page uses to control a rendered button. */
export interface ButtonHandle {
  /** Merges these options into the current options. */
  update(options: ButtonOptions): void;
  /** Removes the button and restores its element. */
  destroy(): void;
}

/** An amount of money: a decimal string (numbers are converted) and a currency code of three to five letters. */
export interface Money {
  amount: string | number;
  currency: string;
}

/** Options for `new serviceButton.IMB`. */
export interface ImbOptions {
  /**
   * The client identifier of the application that requests the payments. Each site and client has a separate allowance.
   */
  clientIdentifier: string;
  /** Prefills the wallet's allowance form. */
  suggestedAmount?: Money | null;
  /** The minimum allowance that is useful to this page, which the wallet shows to the user. */
  minimumAmount?: Money | null;
  /** The token of an earlier allowance, only for the page's own records. The wallet ignores it. */
  permission?: string | null;
  /** A function, or a global function's name. Called with the token of each new allowance. */
  onNewPermissionGranted?: Callback<[token: string]> | null;
}

/** The result of an automatic payment. `payment` is null if there was nothing to pay. */
export interface SwipeResult {
  payment: Payment | null;
  cryptoOperations: CryptoResult[];
}

/** Automatic payments from an allowance. */
export interface Imb {
  /**
   * Pays immediately if the allowance covers the amount, otherwise after prompting the user.
   * @param options the payment's options, as for a button; callbacks are ignored
   * @throws ConfigurationError (`reason`) for invalid options, PaymentError (`code`) for the wallet's errors
   */
  swipe(options: ButtonOptions): Promise<SwipeResult>;
  /** Returns the remaining allowance in its currency, zero if there is none. @throws PaymentError */
  amountLeft(): Promise<{ amount: string; currency: string; satoshis: string }>;
  /**
   * Prompts the user for an allowance in the wallet's window, and returns the new token.
   * @throws PaymentError `allowance-refused` and others
   */
  askForPermission(amounts?: { suggestedAmount?: Money | null; minimumAmount?: Money | null }): Promise<string>;
}

/** The type of `window.serviceButton`. */
export interface ServiceButton {
  /**
   * Turns `element` into a button, or replaces all options of an existing button. Invalid options don't throw, but set
   * `data-state` to `failed` and `data-reason` to the reason.
   * @throws if `element` can't contain a button (`div`, `span` and similar elements can)
   */
  render(element: HTMLElement, options?: ButtonOptions): ButtonHandle;
  /** The class for automatic payments. The constructor never throws. Invalid options reject the first call. */
  readonly IMB: new (options: ImbOptions) => Imb;
  /**
   * Turns every `div.service-button` in `root` (default: the document) and its open shadow roots into a button. Pages
   * need this only for shadow roots that are attached later, or if the document isn't observed.
   */
  scan(root?: Node & ParentNode): void;
  /**
   * Starts or stops observing the document for added, removed and changed buttons. The document is initially observed,
   * unless the script element has `data-observe="false"`.
   */
  observe(on: boolean): void;
  /**
   * Provides the button's text in a language (BCP 47: `de`, `pt-BR`), or a part of the button that would otherwise be
   * loaded on demand. Use it for additional languages, and on pages whose Content Security Policy blocks loading.
   */
  provide(name: string, part: object): void;
}

declare global {
  interface Window {
    serviceButton?: ServiceButton;
  }
}
