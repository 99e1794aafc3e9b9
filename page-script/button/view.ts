/**
 * Manages the button's shadow tree, which is created once. Later, only text, attributes and one custom property change.
 */
import css from './button.css?inline';
import { ICONS, icon, make, piece, sheetOf } from './elements.ts';
import type { Face } from './face.ts';
import { listenForSwipes, type Way } from './swipe.ts';
import { fill, type Texts } from '../text/texts.ts';

export interface ViewOwner {
  swipeable(): boolean;
  swiped(): void;
  /** Called for a press without a drag. */
  pressed(): void;
}

export interface View {
  /**
   * Draws a face.
   * @param instead elements that cover the track, if any
   * @param isStep true if these elements are the second step after a press, and must get focus
   */
  draw(face: Face, texts: Texts, instead: readonly HTMLElement[], isStep: boolean): void;
  /** Adds or removes the container for a form above the track. */
  roomForForm(wanted: boolean): HTMLElement | null;
}

/**
 * Creates the template for all buttons. The visible text is hidden from assistive technology, which reads the slider's
 * name instead.
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

/** Returns the thumb's path, measured in the window because the page may have transformed the track. */
function thumbWay(track: HTMLElement): Way {
  const [start, end] = ['start', 'end'].map((side) => {
    const mark = make('span', {});
    mark.style.cssText = `position:absolute;inset-block-start:50%;inset-inline-${side}:calc(var(--_height) / 2)`;
    track.append(mark);
    const { x, y } = mark.getBoundingClientRect();
    mark.remove();
    return { x, y };
  }) as [Way, Way];
  return { x: end.x - start.x, y: end.y - start.y };
}

/** If a page has more buttons than this, off-screen buttons are neither laid out nor painted. */
const FEW = 50;
let made = 0;

/** The thumb's drawing in states other than the default. */
const DRAWINGS: Readonly<Record<string, keyof typeof ICONS>> = { working: 'dots', done: 'check' };

/** Finds the changing elements by position, which is fast on pages with many buttons. */
function piecesOf(box: HTMLElement) {
  const text = box.firstChild!;
  const track = text.nextSibling as HTMLElement;
  const label = text.firstChild as HTMLElement;
  const amount = label.nextSibling!.firstChild as HTMLElement;
  const drawing = track.lastChild!.firstChild!.firstChild as Element;
  return [
    box,
    track,
    label,
    amount,
    amount.nextSibling as HTMLElement,
    drawing,
    track.nextSibling as HTMLElement,
  ] as const;
}

let template: HTMLElement | undefined;

/** Creates a button's shadow tree, which is attached when the first face is drawn. */
export function createView(host: HTMLElement, root: ShadowRoot, { swipeable, swiped, pressed }: ViewOwner): View {
  // Draws the first face on the shared template before copying it, because most buttons look like the previous one.
  let [box, track, label, amount, cost, drawing, live] = piecesOf((template ??= makeTemplate()));
  const put = (element: Element, name: string, value: string) => {
    if ((element.getAttribute(name) ?? '') !== value) element.setAttribute(name, value);
  };
  const write = (element: HTMLElement, text = '') => {
    if (element.textContent !== text) element.textContent = text;
  };
  const aria = (name: string, value: string) => put(track, `aria-${name}`, value);
  let at = 0;
  const many = (made += 1) > FEW ? 'many' : '';
  let face: Face | undefined;
  let texts: Texts;
  /** Elements that cover the slider, such as the link to the wallet. */
  let insteadOfTrack: readonly HTMLElement[] = [];
  let room: HTMLElement | null = null;
  let hadStep = false;

  // Replaces the list of sheets without reading it, because reading it is slow.
  root.adoptedStyleSheets = [sheetOf(root.ownerDocument, css)];
  root.replaceChildren();

  function move(progress: number, held: boolean): void {
    const percent = `${Math.round(progress * 100)}`;
    box.classList.toggle('held', held);
    if (at !== progress) box.style.setProperty('--_progress', `${(at = progress)}`);
    aria('valuenow', percent);
    aria('valuetext', face!.valueText || fill(texts.percent, { percent }));
  }

  function copy(): void {
    [box, track, label, amount, cost, drawing, live] = piecesOf(box.cloneNode(true) as HTMLElement);
    listenForSwipes(track, {
      enabled: swipeable,
      way: () => thumbWay(track),
      rightToLeft: () => getComputedStyle(host).direction === 'rtl',
      moved: move,
      completed: swiped,
      pressed,
    });
    root.append(box);
  }

  return {
    draw(next, nextTexts, instead, isStep) {
      const isFirst = !face;
      const { state, name, hint, title, calm } = (face = next);
      const enabled = swipeable();
      const works = state === 'working';
      texts = nextTexts;
      put(host, 'data-state', state);
      put(box, 'class', `box ${many} ${state} ${hint ? 'hint' : ''} ${calm ? 'calm' : ''} ${isStep ? 'step' : ''}`);
      put(box, 'title', title);
      write(label, next.label);
      write(amount, next.amount);
      write(cost, next.cost);
      put(drawing, 'd', ICONS[DRAWINGS[state] ?? 'chevrons']);
      aria('label', name);
      aria('description', title);
      aria('disabled', `${!enabled}`);
      aria('busy', `${works || state === 'loading'}`);
      // The track keeps focus during a payment, so keyboard users don't lose their position on the page.
      if (state === 'disabled' || state === 'failed') track.removeAttribute('tabindex');
      else put(track, 'tabindex', enabled || works ? '0' : '-1');
      move(works || state === 'done' ? 1 : 0, false);
      // Announcements interrupt screen readers, so only states caused by the user are announced.
      write(live, next.spoken);
      if (isFirst) copy();

      if (!insteadOfTrack[0] && !instead[0]) return;
      const focused = insteadOfTrack.indexOf(root.activeElement as HTMLElement);
      for (const element of insteadOfTrack) element.remove();
      insteadOfTrack = instead;
      track.after(...insteadOfTrack);
      if (isStep && !hadStep) instead[0]!.focus();
      else if (focused >= 0) (insteadOfTrack[focused] ?? track).focus();
      hadStep = isStep;
    },
    roomForForm(wanted) {
      room?.remove();
      room = wanted ? make('div', { class: 'form' }) : null;
      if (room) root.prepend(room);
      return room;
    },
  };
}
