/** The button's shadow tree: made once, then only texts, attributes and one custom property change. */
import css from './button.css?inline';
import { icon, make } from './elements.ts';
import type { Face } from './face.ts';
import { listenForSwipes } from './swipe.ts';
import { fill, TEXTS } from './texts.ts';

/** What the view needs from its button. */
export interface ViewOwner {
  /** May it be swiped now? */
  swipeable(): boolean;
  swiped(): void;
  /** Where "Get the wallet" leads, or null where that is not known. */
  serviceUrl: string | null;
}

let sheet: CSSStyleSheet | null = null;

/** One style sheet for all buttons. A constructed one needs no permission from a page's Content-Security-Policy. */
function style(root: ShadowRoot): void {
  try {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
    }
    root.adoptedStyleSheets = [sheet];
  } catch {
    root.prepend(make('style', {}, document.createTextNode(css))); // Browsers from before 2023.
  }
}

/** Draws faces into a shadow root. */
export class ButtonView {
  readonly #host: HTMLElement;
  readonly #root: ShadowRoot;
  readonly #owner: ViewOwner;
  readonly #label = make('span', { class: 'label', part: 'label', dir: 'auto' });
  readonly #amount = make('span', { class: 'amount', part: 'amount', dir: 'auto' });
  readonly #mark = make('span', { class: 'mark' });
  readonly #track: HTMLElement;
  readonly #get: HTMLAnchorElement;
  readonly #live = make('span', { 'class': 'live', 'aria-live': 'polite' });
  readonly #box: HTMLElement;
  #spoken = '';
  #valueText = '';

  constructor(host: HTMLElement, root: ShadowRoot, owner: ViewOwner, signal: AbortSignal) {
    this.#host = host;
    this.#root = root;
    this.#owner = owner;
    // The words are hidden from assistive technology, because the slider and the link say the same in their names.
    const text = make('span', { 'class': 'text', 'aria-hidden': 'true' }, this.#label, make('span', { class: 'end' }, this.#amount, this.#mark));
    this.#track = make('div', { 'class': 'track', 'part': 'track', 'role': 'slider', 'aria-valuemin': '0', 'aria-valuemax': '100' },
      make('span', { class: 'fill', part: 'fill' }),
      make('span', { class: 'thumb', part: 'thumb' }, icon('chevrons'), icon('dots'), icon('check')));
    this.#get = make('a', { class: 'get', part: 'get-wallet', target: '_blank', rel: 'noopener' },
      make('span', { class: 'thumb' }, icon('wallet')));
    if (owner.serviceUrl !== null) this.#get.href = owner.serviceUrl;
    this.#box = make('div', { class: 'box', part: 'button' }, text, this.#track, this.#get, this.#live);
    root.replaceChildren(this.#box);
    style(root);
    listenForSwipes(this.#track, {
      enabled: () => owner.swipeable(),
      travel: () => this.#track.clientWidth - this.#track.clientHeight,
      rightToLeft: () => this.#isRightToLeft(),
      moved: (progress, held) => this.#move(progress, held),
      completed: () => owner.swiped(),
    }, signal);
  }

  /** Shows a face. The thumb goes where the state has it. */
  draw(face: Face): void {
    const { state } = face;
    const noWallet = state === 'no-wallet';
    const hadFocus = this.#root.activeElement === this.#get;
    this.#box.dataset.state = state;
    this.#box.classList.toggle('hint', face.hint);
    this.#box.title = face.title;
    this.#host.dataset.state = state;

    this.#label.textContent = noWallet && this.#owner.serviceUrl === null ? TEXTS.noWallet : face.label;
    this.#amount.textContent = face.amount;
    this.#mark.textContent = face.mark;
    this.#get.setAttribute('aria-label', `${fill(TEXTS.opensNewTab, { text: face.label })}. ${face.name}`);
    this.#drawSlider(face);
    if (hadFocus && !noWallet) this.#track.focus();

    // Regions speak when they change; a state nobody acted on is not worth interrupting for.
    if (face.spoken !== this.#spoken) this.#live.textContent = this.#spoken = face.spoken;
  }

  #drawSlider({ state, name, valueText }: Face): void {
    const track = this.#track;
    const swipeable = this.#owner.swipeable();
    this.#valueText = valueText;
    track.setAttribute('aria-label', name);
    track.setAttribute('aria-disabled', String(!swipeable));
    track.setAttribute('aria-busy', String(state === 'working' || state === 'loading'));
    // While it works the focus stays, so that a keyboard user is not thrown out of the page's order.
    if (swipeable || state === 'working') track.tabIndex = 0;
    else if (state === 'disabled' || state === 'failed') track.removeAttribute('tabindex');
    else track.tabIndex = -1;
    this.#move(state === 'working' || state === 'done' ? 1 : 0, false);
  }

  #move(progress: number, held: boolean): void {
    const percent = Math.round(progress * 100);
    this.#box.classList.toggle('held', held);
    this.#box.style.setProperty('--_progress', String(progress));
    this.#track.setAttribute('aria-valuenow', String(percent));
    this.#track.setAttribute('aria-valuetext', this.#valueText || fill(TEXTS.percent, { percent: String(percent) }));
  }

  #isRightToLeft(): boolean {
    return getComputedStyle(this.#host).direction === 'rtl';
  }
}
