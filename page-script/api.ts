/** The JavaScript interface, as pages see it: `window.serviceButton`. Types only. */
import type { CryptoResult, Payment } from '../protocol/payment-types.ts';
import type { ButtonOptions, Callback } from './options/button-options.ts';

/** A rendered button, for the page. */
export interface ButtonHandle {
  /** Merges the given options into the current ones. */
  update(options: ButtonOptions): void;
  /** Takes the button away and leaves the element as it was found. */
  destroy(): void;
}

/** An amount of money: decimal text (a number is taken for its text) in a currency of three to five letters. */
export interface Money {
  amount: string | number;
  currency: string;
}

/** What `new serviceButton.IMB` takes. */
export interface ImbOptions {
  /** The application in whose name is paid. An allowance is for one user, this site and this client. */
  clientIdentifier: string;
  /** Prefills the wallet's form when the user is asked for an allowance. */
  suggestedAmount?: Money | null;
  /** Less is of no use to this page; the wallet says so to the user. */
  minimumAmount?: Money | null;
  /** The token of an allowance given earlier. Kept for the page's own records: the wallet knows its allowances. */
  permission?: string | null;
  /**
   * Called with the token of each allowance that the user gives from now on; a function, or the name of a global one.
   */
  onNewPermissionGranted?: Callback<[token: string]> | null;
}

/** What an automatic payment gives. `payment` is null where nothing was to be paid. */
export interface SwipeResult {
  payment: Payment | null;
  cryptoOperations: CryptoResult[];
}

/** Automatic payments from an allowance. */
export interface Imb {
  /**
   * Pays at once if the allowance covers it; otherwise the user is asked, and the payment continues.
   * @param options of the payment, as for a button; callbacks named in them are not called
   * @throws ConfigurationError (`reason`) for wrong options, PaymentError (`code`) for the wallet's errors
   */
  swipe(options: ButtonOptions): Promise<SwipeResult>;
  /** What is left now, in the allowance's currency; zero if there is none. @throws PaymentError */
  amountLeft(): Promise<{ amount: string; currency: string; satoshis: string }>;
  /** Asks the user for an allowance, in a window of the wallet. @throws PaymentError `allowance-refused` and others */
  askForPermission(amounts?: { suggestedAmount?: Money | null; minimumAmount?: Money | null }): Promise<string>;
}

/** The global object. */
export interface ServiceButton {
  /**
   * Turns `element` into a button, or replaces all options of the button that it is. Invalid options do not throw: the
   * element's `data-state` is then `failed`, its `data-reason` says why.
   * @throws if `element` cannot contain a button (`div`, `span` and the like can)
   */
  render(element: HTMLElement, options?: ButtonOptions): ButtonHandle;
  /** Automatic payments. Wrong options do not throw: whatever is called first rejects. */
  readonly IMB: new (options: ImbOptions) => Imb;
  /**
   * Turns every `div.service-button` in `root` (default: the document) and its open shadow roots into a button, unless
   * it is one already. Not needed while the page is observed, except for a shadow root that is attached to an element
   * later.
   */
  scan(root?: Node & ParentNode): void;
  /**
   * Whether the document is observed for buttons that are added, removed or changed after it has loaded. It is, unless
   * the page turns that off, here or with `data-observe="false"` on the script element.
   */
  observe(on: boolean): void;
  /**
   * Provides the texts of a language (a BCP 47 tag: `de`, `pt-BR`), or another part that would else be loaded on need.
   * For pages whose policy lets nothing be loaded, and for languages of their own.
   */
  provide(name: string, part: object): void;
}

declare global {
  interface Window {
    serviceButton?: ServiceButton;
  }
}
