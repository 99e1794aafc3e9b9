/** The JavaScript interface, as pages see it: `window.serviceButton`. Types only. */
import type { CryptoResult, Payment } from '../protocol/payment.ts';
import type { ButtonOptions, Callback } from './options/button-options.ts';

/** A rendered button, for the page. */
export interface ButtonHandle {
  /** Takes the given options beside those it has. */
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
  /** What the wallet's form starts with when the user is asked for an allowance. */
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
   * Pays at once where the allowance has room; else the user is asked, and the payment goes on.
   * @param options of the payment, as for a button; callbacks named in them are not called
   * @throws ConfigurationError (`reason`) for wrong options, PaymentError (`code`) for what the wallet says
   */
  swipe(options: ButtonOptions): Promise<SwipeResult>;
  /** What is left now, in the allowance's currency; zero where there is none. @throws PaymentError */
  amountLeft(): Promise<{ amount: string; currency: string; satoshis: string }>;
  /** Asks the user for an allowance, in a window of the wallet. @throws PaymentError `allowance-refused` and others */
  askForPermission(amounts?: { suggestedAmount?: Money | null; minimumAmount?: Money | null }): Promise<string>;
}

/** The global object. */
export interface ServiceButton {
  /**
   * Makes `element` a button, or gives the button that is there new options in place of all its old ones.
   * Wrong options do not throw: the element's `data-state` is then `failed`, its `data-reason` says why.
   * @throws where `element` is none that can hold a button (`div`, `span` and their like can)
   */
  render(element: HTMLElement, options?: ButtonOptions): ButtonHandle;
  /** Automatic payments. */
  readonly IMB: new (options: ImbOptions) => Imb;
  /**
   * Makes every `div.service-button` in `root` (the document), and in the open shadow roots in it, a button that is
   * none yet. Nobody needs to call it while the page is observed, but for a shadow root that is attached to an element
   * later.
   */
  scan(root?: Node & ParentNode): void;
  /**
   * Should the document be observed, so that buttons which come, go or change their attributes after it has loaded are
   * seen? They are, unless the page says no, here or with `data-observe="false"` on the script element.
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
