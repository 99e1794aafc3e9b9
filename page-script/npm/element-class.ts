/** The class of `<service-button>`, a wrapper around the page's `serviceButton`. */
import type { CryptoResult, Payment } from '../../protocol/payments/payment-types.ts';
import type { ButtonHandle, ServiceButton } from '../api.ts';
import { callBack, type CallbackWrapper } from '../page/callbacks.ts';
import type { ButtonOptions, Callback } from '../options/button-options.ts';
import { attributeOf } from '../options/notation.ts';
import { OPTION_NAMES, type OptionName } from '../options/rules.ts';
import type { PaymentError } from '../wallet/payment-error.ts';
import { ATTRIBUTES, attributeOption } from './element-options.ts';

/** The events of a `<service-button>`. All bubble and cross shadow boundaries. A demo (`devMode`) doesn't fire any. */
export interface ServiceButtonEventMap extends HTMLElementEventMap {
  /** The payment succeeded. `detail` is the payment, which proves nothing: verify it on your own server. */
  payment: CustomEvent<Payment>;
  /** The payment failed. `detail.code` is the reason. */
  'payment-error': CustomEvent<PaymentError>;
  /** The results of the crypto operations. Fired before `payment`. */
  'crypto-operations': CustomEvent<CryptoResult[]>;
  /** The button is rendered. */
  load: CustomEvent<null>;
}

/** The options as properties. The type ensures that none is missing. */
type OptionProperties = { [K in keyof Required<ButtonOptions>]: ButtonOptions[K] };

/**
 * A `<service-button>`. Each option is a property, and an attribute in kebab-case, with or without `data-`. A property
 * overrides the attribute unless the property is null or undefined. Changes are collected and applied together in a
 * microtask.
 */
export interface ServiceButtonElement extends HTMLElement, OptionProperties {
  /** The enclosing form. The element isn't submitted with the form. */
  readonly form: HTMLFormElement | null;
  addEventListener<K extends keyof ServiceButtonEventMap>(
    type: K,
    listener: (this: ServiceButtonElement, event: ServiceButtonEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<K extends keyof ServiceButtonEventMap>(
    type: K,
    listener: (this: ServiceButtonElement, event: ServiceButtonEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'service-button': ServiceButtonElement;
  }
}

const EVENTS = {
  onCryptoOperations: 'crypto-operations',
  onPayment: 'payment',
  onError: 'payment-error',
  onLoad: 'load',
} as const;

/**
 * Defines the element, unless the name is already defined.
 * @param name a name with a hyphen
 * @param serviceButton returns the page's API
 * @throws SyntaxError (a DOMException) for an invalid name
 */
export function defineElement(name: string, serviceButton: () => ServiceButton): void {
  if (customElements.get(name)) return;

  // The class is defined inside the function because servers have no HTMLElement, and a class can be registered only
  // once.
  class ServiceButtonHost extends HTMLElement {
    static readonly observedAttributes = ATTRIBUTES;
    readonly #properties = new Map<OptionName, unknown>();
    #handle: ButtonHandle | null = null;
    #changing = false;

    static {
      for (const option of OPTION_NAMES) {
        Object.defineProperty(this.prototype, option, {
          configurable: true,
          enumerable: true,
          get(this: ServiceButtonHost) {
            return this.#option(option);
          },
          set(this: ServiceButtonHost, value: unknown) {
            this.#properties.set(option, value);
            this.#changed();
          },
        });
      }
    }

    constructor() {
      super();
      // Properties that were set before the element was defined hide the class's accessors.
      const early = this as unknown as Record<string, unknown>;
      for (const option of OPTION_NAMES) {
        if (!Object.hasOwn(early, option)) continue;
        this.#properties.set(option, early[option]);
        delete early[option];
      }
    }

    get form(): HTMLFormElement | null {
      return this.closest('form');
    }

    connectedCallback(): void {
      this.#changed();
    }

    disconnectedCallback(): void {
      this.#changed();
    }

    attributeChangedCallback(): void {
      this.#changed();
    }

    #option(name: OptionName): unknown {
      return this.#properties.get(name) ?? attributeOption(this, name);
    }

    /** Deferred, because moving an element removes it and inserts it again. */
    #changed(): void {
      if (this.#changing) return;
      this.#changing = true;
      queueMicrotask(() => {
        this.#changing = false;
        if (this.isConnected) this.#handle = serviceButton().render(this, this.#options());
        else this.#remove();
      });
    }

    #remove(): void {
      // An element with a payment in progress might be inserted again, and must not offer to pay twice.
      if (this.dataset.state === 'working') return;
      this.#handle?.destroy();
      this.#handle = null;
    }

    #options(): ButtonOptions {
      const options: Record<string, unknown> = {};
      for (const name of OPTION_NAMES) options[name] = this.#option(name);
      for (const [name, event] of Object.entries(EVENTS)) {
        const stand = (...given: unknown[]) => this.#tell(name as keyof typeof EVENTS, event, given);
        // Lets the button check, before paying, that a named function exists.
        options[name] = Object.assign(stand, { named: this.#option(name as OptionName) } satisfies CallbackWrapper);
      }
      return options;
    }

    #tell(name: keyof typeof EVENTS, event: string, given: unknown[]): void {
      // For a missing function, templates produce an empty attribute.
      callBack((this.#option(name) || null) as Callback<unknown[]> | null, attributeOf(name).slice(5), this, ...given);
      this.dispatchEvent(new CustomEvent(event, { bubbles: true, composed: true, detail: given[0] ?? null }));
    }
  }

  customElements.define(name, ServiceButtonHost);
}
