/** The JavaScript interface, `window.serviceButton`, and the buttons made from attributes. */
import { attributeOptions } from './options/read.ts';
import type { ButtonOptions } from './options/button-options.ts';
import { PayButton, type ButtonSurroundings, type GivenOptions } from './pay-button.ts';
import { connectWallet, type Wallet } from './wallet.ts';

/** A rendered button, for the page. */
export interface ButtonHandle {
  /** Takes the given options beside those it has. */
  update(options: ButtonOptions): void;
  /** Takes the button away and leaves the element as it was found. */
  destroy(): void;
}

/** The global object. */
export interface ServiceButton {
  /**
   * Makes `element` a button, or gives the button that is there new options in place of all its old ones.
   * Wrong options do not throw: the element's `data-state` is then `failed`, its `data-reason` says why.
   * @throws TypeError where `element` is none that can hold a button (`div`, `span` and their like)
   */
  render(element: HTMLElement, options?: ButtonOptions): ButtonHandle;
}

declare global {
  interface Window {
    serviceButton?: ServiceButton;
  }
}

/** Makes buttons in one window. */
export class ButtonFactory {
  readonly #surroundings: ButtonSurroundings;
  readonly #buttons = new WeakMap<HTMLElement, { button: PayButton; handle: ButtonHandle }>();
  /** A shadow root cannot be taken back: an element that was a button once keeps its own. */
  readonly #roots = new WeakMap<HTMLElement, ShadowRoot>();

  /** @param serviceUrl where people get the wallet, or null */
  constructor(window: Window, serviceUrl: string | null) {
    let wallet: Wallet | null = null;
    this.#surroundings = { wallet: () => (wallet ??= connectWallet(window)), serviceUrl };
  }

  /** See {@link ServiceButton.render}. */
  render(element: HTMLElement, given: GivenOptions): ButtonHandle {
    const there = this.#buttons.get(element);
    if (there) {
      there.button.replace(given);
      return there.handle;
    }
    const root = this.#roots.get(element) ?? element.attachShadow({ mode: 'open', delegatesFocus: true });
    this.#roots.set(element, root);
    const button = new PayButton(element, root, given, this.#surroundings);
    const handle: ButtonHandle = {
      update: (options) => button.update(asGiven(options)),
      destroy: () => {
        if (this.#buttons.get(element)?.button !== button) return;
        this.#buttons.delete(element);
        button.destroy();
        root.replaceChildren(document.createElement('slot'));
      },
    };
    this.#buttons.set(element, { button, handle });
    return handle;
  }

  /** Makes every `div.service-button` of the document a button that is none yet (specification, section 1). */
  scan(document: Document): void {
    for (const element of document.querySelectorAll<HTMLElement>('div.service-button')) {
      if (this.#buttons.has(element)) continue;
      try {
        this.render(element, attributeOptions(element));
      } catch (error) {
        console.error('[service-button] this element cannot become a button.', element, error);
      }
    }
  }

  /** The global object. */
  api(): ServiceButton {
    return { render: (element, options) => this.render(element, asGiven(options)) };
  }
}

function asGiven(options: ButtonOptions | undefined): GivenOptions {
  return { ...options };
}
