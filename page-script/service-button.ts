import type { ButtonHandle, ServiceButton } from './api.ts';
import { imbDoor } from './compat/imb-door.ts';
import { make } from './button/elements.ts';
import { createObserver } from './page/observer.ts';
import type { RawOptions } from './options/plain.ts';
import { attributeOptions } from './options/read.ts';
import { provide } from './page/parts.ts';
import type { PayButton } from './button-interface.ts';
import { createPayButton } from './button/pay-button.ts';
import { connectWallet, type Wallet } from './wallet/wallet.ts';

/** Selects the elements that become buttons (specification, section 1). */
const SELECTOR = 'div.service-button';

/**
 * Creates the API for pages (see {@link ServiceButton}).
 * @param serviceUrl origin of the service that receives payment reports and offers the wallet, or null
 * @param isLost see install.ts
 */
export function createServiceButton(window: Window, serviceUrl: string | null, isLost = false): ServiceButton {
  const { document } = window;
  const buttons = new WeakMap<HTMLElement, { button: PayButton; handle: ButtonHandle }>();
  /** Elements whose buttons were created from attributes and follow their changes. */
  const scanned = new Set<HTMLElement>();
  /** Shadow roots of all elements that have ever been a button, because a shadow root can't be removed. */
  const roots = new WeakMap<HTMLElement, ShadowRoot>();
  /** Names of custom elements that aren't defined yet. */
  const awaited = new Set<string>();
  let connected: Wallet | undefined;
  const wallet = () => (connected ??= connectWallet(window, serviceUrl && new URL(serviceUrl).origin));

  function render(element: HTMLElement, given: RawOptions): ButtonHandle {
    const there = buttons.get(element);
    if (there) {
      there.button.replace(given);
      return there.handle;
    }
    const root = roots.get(element) ?? element.attachShadow({ mode: 'open', delegatesFocus: true });
    roots.set(element, root);
    const button = createPayButton(element, root, given, {
      wallet,
      serviceUrl,
      isLost,
      isFile: window.location.protocol === 'file:',
    });
    const handle: ButtonHandle = {
      update: (options) => button.update({ ...options }),
      destroy() {
        if (buttons.get(element)?.button !== button) return;
        buttons.delete(element);
        scanned.delete(element);
        button.destroy();
        root.replaceChildren(make('slot', {}));
      },
    };
    buttons.set(element, { button, handle });
    return handle;
  }

  function scanElement(element: HTMLElement): void {
    const there = buttons.get(element);
    if (there) return there.button.setAway(false);
    try {
      render(element, attributeOptions(element));
      scanned.add(element);
    } catch (error) {
      // For example, the page has attached its own shadow root. The other buttons must still work.
      console.error('[service-button] this element cannot become a button.', element, error);
    }
  }

  /** Yields `root`, open shadow roots that aren't ours, and elements that could be a button or have a shadow root. */
  function* nodesIn(root: Node & ParentNode): Generator<Node & ParentNode> {
    yield root;
    const inner = (element: Element) =>
      element.shadowRoot && !roots.has(element as HTMLElement) ? nodesIn(element.shadowRoot) : [];
    yield* inner(root as Element);
    for (const element of root.querySelectorAll('*')) {
      if (/^div$|-/.test(element.localName)) yield element;
      yield* inner(element);
    }
  }

  function scan(root: Node & ParentNode = document): void {
    for (const node of nodesIn(root)) {
      if (node.nodeType !== 1) observer.watch(node);
      else if ((node as Element).matches(SELECTOR)) scanElement(node as HTMLElement);
      else if (!(node as Element).matches(':defined')) scanOnceDefined((node as Element).localName);
    }
  }

  /** Scans again when a custom element is defined, because no observer reports its new shadow root. */
  function scanOnceDefined(name: string): void {
    if (awaited.has(name)) return;
    awaited.add(name);
    // Rejects if the name is invalid, for example a name from an `is` attribute.
    customElements.whenDefined(name).then(
      () => scan(),
      () => {},
    );
  }

  const reread = (element: HTMLElement) => buttons.get(element)!.button.replace(attributeOptions(element));
  const end = (element: HTMLElement) => buttons.get(element)!.handle.destroy();

  const observer = createObserver({
    added: scan,
    // Destroys buttons that were removed from the document, except those created by JavaScript. Keeps a button with a
    // payment in progress, because it might be inserted again and must not offer to pay twice.
    removed: () =>
      scanned.forEach((element) => {
        if (element.isConnected) return;
        const { button } = buttons.get(element)!;
        if (button.state() === 'working') button.setAway(true);
        else end(element);
      }),
    changed(element) {
      if (!element.matches(SELECTOR)) return scanned.has(element) && end(element);
      if (scanned.has(element)) reread(element);
      else scanElement(element);
    },
    // Restores `data-state`. Libraries that morph pages remove the attribute, because the server's HTML doesn't contain
    // it.
    stateChanged(element) {
      const button = buttons.get(element)?.button;
      if (button && button.state() !== element.dataset.state) button.draw();
    },
    languageChanged: () => scanned.forEach((element) => buttons.get(element)!.button.draw()),
  });

  return {
    render(element, options) {
      scanned.delete(element);
      return render(element, { ...options });
    },
    IMB: imbDoor(wallet, isLost),
    scan,
    observe(on) {
      observer.turn(on);
      for (const node of on ? nodesIn(document) : []) if (node.nodeType !== 1) observer.watch(node);
    },
    provide(name, part) {
      provide(name, part);
      scanned.forEach(reread);
    },
  };
}
