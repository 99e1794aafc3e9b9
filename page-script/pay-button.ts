/** One button: its states and how it goes from one to the next. */
import type { Payment } from '../protocol/payment.ts';
import { callBack } from './callbacks.ts';
import { ConfigurationError } from './configuration-error.ts';
import { faceOf, type ButtonState } from './face.ts';
import { configure, type Configuration } from './options/configuration.ts';
import type { PaymentError } from './payment-error.ts';
import { ButtonView } from './view.ts';
import type { Wallet } from './wallet.ts';

/** Milliseconds for which the success message stands before the receipt takes its place. */
const MESSAGE_TIME = 2600;
/** Milliseconds that a demo pretends to work. */
const DEMO_TIME = 900;

/** What all buttons of a page share. */
export interface ButtonSurroundings {
  /** The wallet; asked for only by buttons that need one, so that a page of demos contacts nothing. */
  wallet(): Wallet;
  /** See ViewOwner. */
  serviceUrl: string | null;
}

/** The options as the page gave them, unread. */
export type GivenOptions = Readonly<Record<string, unknown>>;

/** A rendered button. */
export class PayButton {
  readonly #host: HTMLElement;
  readonly #surroundings: ButtonSurroundings;
  readonly #view: ButtonView;
  readonly #ended = new AbortController();
  #given: GivenOptions = {};
  #configuration: Configuration | null = null;
  #state: ButtonState = 'loading';
  #error: PaymentError | null = null;
  #payment: Payment | null = null;
  #receipt = false;
  #loaded = false;
  #complaint = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unwatch: () => void = () => {};

  constructor(host: HTMLElement, root: ShadowRoot, given: GivenOptions, surroundings: ButtonSurroundings) {
    this.#host = host;
    this.#surroundings = surroundings;
    this.#view = new ButtonView(host, root, {
      swipeable: () => this.#state === 'ready' || this.#state === 'error',
      swiped: () => this.#swiped(),
      serviceUrl: surroundings.serviceUrl,
    }, this.#ended.signal);
    this.replace(given);
  }

  /**
   * Takes new options in place of all old ones. A payment under way goes on as it was asked for, and its receipt
   * stays; other options then hold for what comes after it. A different payment makes a paid button ready again.
   */
  replace(given: GivenOptions): void {
    this.#given = given;
    if (this.#state === 'working') return;
    const before = this.#configuration;
    this.#configuration = this.#read();
    const same = before !== null && this.#configuration !== null
      && JSON.stringify([before.payment, before.options.devMode]) === JSON.stringify([this.#configuration.payment, this.#configuration.options.devMode]);
    if (same && (this.#state === 'done' || (this.#state === 'error' && !this.#configuration?.options.disabled))) this.#draw();
    else this.#settle();
  }

  /** Takes new options beside the old ones. */
  update(given: GivenOptions): void {
    this.replace({ ...this.#given, ...given });
  }

  /** Ends it. A payment under way still ends in its callback: money that moved must not go untold. */
  destroy(): void {
    this.#ended.abort();
    this.#unwatch();
    clearTimeout(this.#timer);
    delete this.#host.dataset.state;
    delete this.#host.dataset.reason;
  }

  #read(): Configuration | null {
    try {
      const configuration = configure(this.#given);
      delete this.#host.dataset.reason;
      this.#complaint = '';
      return configuration;
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      this.#host.dataset.reason = error.reason;
      if (this.#complaint !== error.message) console.error(`[service-button] ${error.reason}: ${error.message}`, this.#host);
      this.#complaint = error.message;
      return null;
    }
  }

  /** Finds the state of a button that waits for its next swipe. */
  #settle(): void {
    this.#unwatch();
    this.#unwatch = () => {};
    clearTimeout(this.#timer);
    this.#error = this.#payment = null;
    if (!this.#configuration) this.#enter('failed');
    else if (this.#configuration.options.disabled) this.#enter('disabled');
    else if (this.#configuration.options.devMode) this.#enter('ready');
    else this.#watchWallet();
  }

  #watchWallet(): void {
    this.#state = 'loading';
    this.#unwatch = this.#surroundings.wallet().watch((presence) => {
      // Later news are for buttons that wait for a wallet; the others learn it from their payment.
      if (this.#state !== 'loading' && this.#state !== 'no-wallet') return;
      this.#enter(presence === 'unknown' ? 'loading' : presence === 'present' ? 'ready' : 'no-wallet');
    });
  }

  #enter(state: ButtonState): void {
    this.#state = state;
    this.#draw();
    if (this.#loaded || state === 'loading' || state === 'failed') return;
    this.#loaded = true;
    // Not before `render` has returned: the callback may want the handle.
    queueMicrotask(() => this.#tellLoaded());
  }

  #tellLoaded(): void {
    const options = this.#configuration?.options;
    if (options && !options.devMode && !this.#ended.signal.aborted) callBack(options.onLoad, 'onLoad');
  }

  #draw(): void {
    if (this.#ended.signal.aborted) return;
    this.#view.draw(faceOf({
      state: this.#state,
      configuration: this.#configuration,
      locale: (this.#host.closest<HTMLElement>('[lang]') ?? document.documentElement).lang,
      error: this.#error,
      payment: this.#payment,
      receipt: this.#receipt,
    }));
  }

  #swiped(): void {
    const { payment, options } = this.#configuration!;
    this.#enter('working');
    if (options.devMode || !payment) {
      this.#timer = setTimeout(() => this.#succeeded(null), DEMO_TIME);
      return;
    }
    this.#surroundings.wallet().pay(payment).then((paid) => this.#succeeded(paid), (error: PaymentError) => this.#went(error));
  }

  #succeeded(payment: Payment | null): void {
    const { options } = this.#configuration!;
    this.#payment = payment;
    this.#receipt = false;
    this.#enter('done');
    this.#timer = setTimeout(() => {
      this.#receipt = true;
      this.#draw();
    }, MESSAGE_TIME);
    if (payment && !options.devMode) callBack(options.onPayment, 'onPayment', payment);
  }

  #went(error: PaymentError): void {
    const { options } = this.#configuration!;
    this.#error = error;
    this.#enter('error');
    callBack(options.onError, 'onError', error);
    // Options that came while it worked count from here on, unless the callback has brought newer ones already.
    if (this.#state === 'error' && !this.#ended.signal.aborted) this.replace(this.#given);
  }
}
