import { OFFER_EVENT } from '../../../protocol/messages/wire.ts';

/** Maximum length of an offer (characters). Longer requests always use a window. */
const MAX_OFFER_CHARS = 50_000;
/** Maximum number of tracked buttons. Additional buttons on a page don't get an overlay. */
const MAX_TRACKED_BUTTONS = 500;

export interface Button {
  element: HTMLElement;
  /** The button's outermost element in its shadow root. */
  box: HTMLElement;
  track: Element;
  /** The request that a swipe would make, as reported by the page (unverified). */
  asks: { options: unknown; service?: unknown };
  /** True if the button isn't cut off by the window or by the page's scroll containers. */
  isInView: boolean;
}

export interface ButtonWatcher {
  /** Called when buttons have scrolled into or out of view. */
  moved(): void;
  /** Called when the button has been removed or its request has changed. */
  gone(button: Button): void;
}

/**
 * Starts observing buttons.
 * @param offered offers received so far
 * @returns the buttons that can be swiped, by element
 */
export function watchButtons(
  { moved, gone }: ButtonWatcher,
  offered: ReadonlyMap<EventTarget, unknown>,
  signal: AbortSignal,
): ReadonlyMap<EventTarget, Button> {
  const buttons = new Map<EventTarget, Button & { text: string }>();
  let observer: IntersectionObserver | undefined;

  function forget(button: Button): void {
    buttons.delete(button.element);
    observer?.unobserve(button.box);
    gone(button);
  }

  /** Records which buttons are in view, as reported by the browser one frame later. */
  function seen(entries: IntersectionObserverEntry[]): void {
    const byBox = new Map([...buttons.values()].map((button) => [button.box as Element, button]));
    for (const { target, intersectionRatio } of entries) {
      const button = byBox.get(target);
      if (!button) continue;
      button.isInView = intersectionRatio > 0.99;
      if (!target.isConnected) forget(button);
    }
    moved();
  }

  function heard(element: EventTarget | undefined, detail: unknown): void {
    if (!(element instanceof HTMLElement)) return;
    const known = buttons.get(element);
    const box = element.shadowRoot?.querySelector('[part~=button]');
    const text = typeof detail === 'string' && detail.length <= MAX_OFFER_CHARS ? detail : '';
    // The button was redrawn with the same request.
    if (known?.text === text && known.box === box) return;
    if (known) forget(known);
    const track = box?.querySelector('[part~=track]');
    if (!text || !track || !(box instanceof HTMLElement) || buttons.size >= MAX_TRACKED_BUTTONS) return;
    try {
      const { options, service } = JSON.parse(text) as Button['asks'];
      buttons.set(element, { element, box, track, asks: { options, service }, text, isInView: false });
    } catch {
      return; // The event isn't from one of our buttons.
    }
    observer ??= new IntersectionObserver(seen, { threshold: [0, 1] });
    observer.observe(box);
  }

  // Events cross open shadow trees. For a button in a closed shadow tree, the target is the element around it.
  const hear = (event: Event) => heard(event.composedPath()[0], (event as CustomEvent<unknown>).detail);
  window.addEventListener(OFFER_EVENT, hear, { capture: true, signal });
  offered.forEach((detail, element) => heard(element, detail));
  return buttons;
}
