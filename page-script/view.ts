/** The button's shadow tree: made once, then only texts, attributes and one custom property change. */
import css from './button.css?inline';
import { adoptStyle, ICONS, icon, make } from './elements.ts';
import type { Face } from './face.ts';
import { listenForSwipes } from './swipe.ts';
import { fill, type Texts } from './texts.ts';

/** What the view needs from its button. */
export interface ViewOwner {
  /** May it be swiped now? */
  swipeable(): boolean;
  swiped(): void;
}

/** Draws faces into a shadow root. */
export interface View {
  /**
   * Shows a face. The thumb goes where the state has it.
   * @param instead covers the track, if there is any
   */
  draw(face: Face, texts: Texts, instead: readonly HTMLElement[]): void;
  /** Makes room for a form above the track, or takes it away. */
  roomForForm(wanted: boolean): HTMLElement | null;
}

/** An element that pages can style as `::part()`; our own sheet knows it by a class of the same name. */
function piece<K extends 'span' | 'div' | 'button'>(
  tag: K,
  attributes: Readonly<Record<string, string>> & { part: string },
  ...children: Node[]
): HTMLElementTagNameMap[K] {
  return make(tag, { class: attributes.part, ...attributes }, ...children);
}

/**
 * What all buttons are copied from. The words are hidden from assistive technology, because the slider says the same in
 * its name.
 */
function makeTemplate(): HTMLElement {
  const words = (attributes: { part: string }) => piece('span', { ...attributes, dir: 'auto' });
  return make(
    'div',
    { part: 'button' },
    make(
      'span',
      { class: 'text', 'aria-hidden': 'true' },
      words({ part: 'label' }),
      make('span', { class: 'end' }, words({ part: 'amount' }), words({ part: 'cost' })),
    ),
    piece(
      'div',
      { part: 'track', role: 'slider', 'aria-valuemin': '0', 'aria-valuemax': '100' },
      piece('span', { part: 'fill' }),
      piece('span', { part: 'thumb' }, icon(ICONS.chevrons)),
    ),
    make('span', { class: 'live', 'aria-live': 'polite' }),
  );
}

let template: HTMLElement | undefined;
/** A page with more buttons than this has those that are far from the screen neither laid out nor painted. */
const FEW = 50;
let made = 0;

/** The thumb's drawing where it is not the usual one. */
const DRAWINGS: Readonly<Record<string, keyof typeof ICONS>> = { working: 'dots', done: 'check' };

/** Makes the shadow tree of one button. */
export function createView(host: HTMLElement, root: ShadowRoot, { swipeable, swiped }: ViewOwner): View {
  const box = (template ??= makeTemplate()).cloneNode(true) as HTMLElement;
  const [text, track, live] = box.children as unknown as [HTMLElement, HTMLElement, HTMLElement];
  const [label, end] = text.children as unknown as [HTMLElement, HTMLElement];
  const [amount, cost] = end.children as unknown as [HTMLElement, HTMLElement];
  const drawing = track.querySelector('path')!;
  /** Attributes that stay as they are cost a page with many buttons most. */
  const put = (element: Element, name: string, value: string) => {
    if ((element.getAttribute(name) ?? '') !== value) element.setAttribute(name, value);
  };
  const aria = (name: string, value: string) => put(track, `aria-${name}`, value);
  let at = 0;
  const many = (made += 1) > FEW ? 'many' : '';
  let face: Face | undefined;
  let texts: Texts;
  /** What covers the slider when there is no wallet. */
  let insteadOfTrack: readonly HTMLElement[] = [];

  adoptStyle(root, css);
  root.replaceChildren(box);
  listenForSwipes(track, {
    enabled: swipeable,
    travel: () => track.clientWidth - track.clientHeight,
    rightToLeft: () => getComputedStyle(host).direction === 'rtl',
    moved: move,
    completed: swiped,
  });

  function move(progress: number, held: boolean): void {
    const percent = `${Math.round(progress * 100)}`;
    box.classList.toggle('held', held);
    if (at !== progress) box.style.setProperty('--_progress', `${(at = progress)}`);
    aria('valuenow', percent);
    aria('valuetext', face!.valueText || fill(texts.percent, { percent }));
  }

  function drawTrack({ state, name, title }: Face): void {
    const enabled = swipeable();
    aria('label', name);
    aria('description', title);
    aria('disabled', `${!enabled}`);
    aria('busy', `${state === 'working' || state === 'loading'}`);
    // While it works the focus stays, so that a keyboard user is not thrown out of the page's order.
    if (enabled || state === 'working') track.tabIndex = 0;
    else if (state === 'disabled' || state === 'failed') track.removeAttribute('tabindex');
    else track.tabIndex = -1;
    move(state === 'working' || state === 'done' ? 1 : 0, false);
  }

  return {
    draw(next, nextTexts, instead) {
      const { state, hint, title, spoken, calm } = next;
      const news = spoken !== (face?.spoken ?? '');
      face = next;
      texts = nextTexts;
      host.dataset.state = state;
      box.className = `box ${many} ${state} ${hint ? 'hint' : ''} ${calm ? 'calm' : ''}`;
      put(box, 'title', title);
      label.textContent = face.label;
      amount.textContent = face.amount;
      cost.textContent = face.cost;
      put(drawing, 'd', ICONS[DRAWINGS[state] ?? 'chevrons']);
      drawTrack(face);

      const focused = insteadOfTrack.indexOf(root.activeElement as HTMLElement);
      for (const element of insteadOfTrack) element.remove();
      insteadOfTrack = instead;
      track.after(...insteadOfTrack);
      if (focused >= 0) (insteadOfTrack[focused] ?? track).focus();
      // Regions speak when they change; a state nobody acted on is not worth interrupting for.
      if (news) live.textContent = spoken;
    },
    roomForForm(wanted) {
      const room = wanted ? make('div', { class: 'form' }) : null;
      root.replaceChildren(...(room ? [room] : []), box);
      return room;
    },
  };
}
