/** Makes the buttons of one window, from attributes and from JavaScript. */
import type { ButtonHandle, ServiceButton } from './api.ts';
import { imbClass } from './imb.ts';
import { createObserver } from './observer.ts';
import { attributeOptions } from './options/read.ts';
import { provide } from './parts.ts';
import { createPayButton, type GivenOptions, type PayButton } from './pay-button.ts';
import { connectWallet, type Wallet } from './wallet.ts';

/** Which elements are buttons (specification, section 1). */
const SELECTOR = 'div.service-button';

/**
 * The interface for pages, see {@link ServiceButton}.
 * @param serviceUrl where people get the wallet, or null
 */
export function createServiceButton(window: Window, serviceUrl: string | null): ServiceButton {
  const { document } = window;
  const buttons = new WeakMap<HTMLElement, { button: PayButton; handle: ButtonHandle }>();
  /** Those that were made from attributes: they live and change with their elements. */
  const scanned = new Set<HTMLElement>();
  /** A shadow root cannot be taken back: an element that was a button once keeps its own. */
  const roots = new WeakMap<HTMLElement, ShadowRoot>();
  let connected: Wallet | undefined;
  const wallet = () => (connected ??= connectWallet(window));

  function render(element: HTMLElement, given: GivenOptions): ButtonHandle {
    const there = buttons.get(element);
    if (there) {
      there.button.replace(given);
      return there.handle;
    }
    const root = roots.get(element) ?? element.attachShadow({ mode: 'open', delegatesFocus: true });
    roots.set(element, root);
    const button = createPayButton(element, root, given, { wallet, serviceUrl });
    const handle: ButtonHandle = {
      update: (options) => button.update({ ...options }),
      destroy() {
        if (buttons.get(element)?.button !== button) return;
        buttons.delete(element);
        scanned.delete(element);
        button.destroy();
        root.replaceChildren(document.createElement('slot'));
      },
    };
    buttons.set(element, { button, handle });
    return handle;
  }

  function scan(root: ParentNode = document): void {
    const found = [...root.querySelectorAll<HTMLElement>(SELECTOR)];
    if (root instanceof HTMLElement && root.matches(SELECTOR)) found.push(root);
    for (const element of found) {
      if (buttons.has(element)) continue;
      try {
        render(element, attributeOptions(element));
        scanned.add(element);
      } catch (error) {
        // It holds a shadow tree of the page's own. The others must not suffer for it.
        console.error('[service-button] this element cannot become a button.', element, error);
      }
    }
  }

  const reread = (element: HTMLElement) => buttons.get(element)!.button.replace(attributeOptions(element));

  const observe = createObserver(document, {
    added: scan,
    // Buttons that left the document end; what JavaScript made is JavaScript's to end.
    removed: () => scanned.forEach((element) => element.isConnected || buttons.get(element)!.handle.destroy()),
    changed(element) {
      if (scanned.has(element)) reread(element);
      else if (element.matches(SELECTOR)) scan(element);
    },
    languageChanged: () => scanned.forEach((element) => buttons.get(element)!.button.draw()),
  });

  return {
    render(element, options) {
      scanned.delete(element);
      return render(element, { ...options });
    },
    IMB: imbClass(wallet),
    scan,
    observe,
    provide(name, part) {
      provide(name, part);
      // Those that did without it so far may use it now.
      scanned.forEach(reread);
    },
  };
}
