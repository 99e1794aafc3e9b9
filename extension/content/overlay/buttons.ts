import { OFFER_EVENT } from '../../../protocol/messages/wire.ts';

/** Maximum length of an offer (characters). A longer one is shown in a window. */
const LONGEST_OFFER = 50_000;
/** Maximum number of remembered buttons. Pages have a few; an endless list keeps its own tracks. */
const MOST_BUTTONS = 500;

export interface Button {
  element: HTMLElement;
  /** Its outermost part, in the button's shadow root, and the track in that. */
  box: HTMLElement;
  track: Element;
  /** The request of its swipe, as the page reports it (unverified). */
  asks: { options: unknown; service?: unknown };
  /** All of it is in the window, as far as the page's scrolling boxes go. */
  isInView: boolean;
}

export interface ButtonWatcher {
  /** Buttons came into view, or left it. */
  moved(): void;
  /** The button is gone, or its request has changed. */
  gone(button: Button): void;
}

/**
 * Observes buttons from now on. @param offered offers received so far @returns the buttons that can be swiped, by
 * element
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

  /** Notes which buttons are in view, as the browser reports it a frame later. */
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
    const text = typeof detail === 'string' && detail.length <= LONGEST_OFFER ? detail : '';
    // A button is redrawn for many reasons.
    if (known?.text === text && known.box === box) return;
    if (known) forget(known);
    const track = box?.querySelector('[part~=track]');
    if (!text || !track || !(box instanceof HTMLElement) || buttons.size >= MOST_BUTTONS) return;
    try {
      const { options, service } = JSON.parse(text) as Button['asks'];
      buttons.set(element, { element, box, track, asks: { options, service }, text, isInView: false });
    } catch {
      return; // not from this project's button
    }
    observer ??= new IntersectionObserver(seen, { threshold: [0, 1] });
    observer.observe(box);
  }

  // Events cross open shadow trees. For a button in a closed one, this is the element around it.
  const hear = (event: Event) => heard(event.composedPath()[0], (event as CustomEvent<unknown>).detail);
  window.addEventListener(OFFER_EVENT, hear, { capture: true, signal });
  offered.forEach((detail, element) => heard(element, detail));
  return buttons;
}
