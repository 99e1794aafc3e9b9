/** Draws the track. The track is created once. Afterward, only text, classes and custom properties change. */
import type { SwipeLook, SwipeView } from '../../protocol/messages/swipe-messages.ts';
import { languageOf, setLanguage } from '../ui/languages/language.ts';
import { formatAmount, formatFee, formatFiat } from '../ui/amounts/money-text.ts';
import { colorReader, propertiesOf } from './look.ts';
import { swipeTexts, type SwipeTexts } from './texts.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** The button's line drawings, in a viewBox of 24 × 24 (page-script/button/elements.ts). */
const DRAWINGS = { chevrons: 'M6 6l6 6-6 6M13 6l6 6-6 6', dots: 'M6 12h.01M12 12h.01M18 12h.01' };

export interface TrackView {
  track: HTMLElement;
  /** Applies the button's appearance. @returns the result of {@link TrackView.fit} */
  dress(look: SwipeLook): boolean;
  /** Shows the request. @returns the result of {@link TrackView.fit} */
  show(view: SwipeView): boolean;
  /** Lays out the view. @returns false if the recipient's full name doesn't fit, in which case swipes are invalid */
  fit(): boolean;
  /** @param held true while a pointer holds the thumb, which must then follow without delay */
  move(progress: number, held: boolean): void;
  /** Shows progress after a swipe, until the page continues. */
  work(): void;
  /**
   * Replaces the request with the paid amount.
   * @param details called when the user opens the details
   * @returns the result of {@link TrackView.fit}
   */
  showPaid(view: SwipeView, details: () => void): boolean;
}

function piece<K extends 'div' | 'span' | 'bdi'>(
  tag: K,
  name: string,
  ...children: Element[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.className = name;
  made.append(...children);
  return made;
}

/** Shortens addresses, which people can't recognize. Paymails aren't shortened, because every character matters. */
const nameOf = ({ to, kind }: SwipeView) => (kind === 'ADDRESS' ? `${to.slice(0, 8)}…${to.slice(-6)}` : to);

/**
 * Returns the small line's text: a note that a window will open or, as on the button, the fee or the total in the
 * user's currency.
 */
function costOf({ currency, totalSatoshis, feeSatoshis, opensWindow, own }: SwipeView, texts: SwipeTexts): string {
  if (opensWindow) return texts.opensWindow;
  if (totalSatoshis === null || feeSatoshis === null || own === null) return '\u00a0';
  try {
    return own.currency === currency
      ? texts.fee({ fee: formatFee(BigInt(feeSatoshis), own) })
      : `≈ ${formatFiat(BigInt(totalSatoshis), own)}`;
  } catch {
    return '\u00a0';
  }
}

/** Adds the track's elements to the document. */
export function createView(): TrackView {
  const [hint, to] = [piece('span', 'hint'), piece('bdi', 'to')];
  const label = piece('span', 'label', hint, to);
  const [amount, cost] = [piece('span', 'amount'), piece('span', 'cost')];
  const path = document.createElementNS(SVG, 'path');
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  path.setAttribute('d', DRAWINGS.chevrons);
  svg.append(path);
  const track = piece('div', 'track', piece('span', 'fill'), piece('span', 'thumb', svg));
  const box = piece('div', 'box', piece('span', 'text', label, piece('span', 'end', amount, cost)), track);
  const read = colorReader();
  let texts = swipeTexts('en');
  let costs = '';
  document.body.append(box);

  const details = document.createElement('button');
  details.type = 'button';
  details.className = 'details';

  const isWhole = () =>
    label.offsetWidth > 0 &&
    to.scrollWidth <= to.clientWidth &&
    to.scrollHeight <= to.clientHeight + 1 &&
    label.scrollWidth <= label.clientWidth &&
    box.scrollWidth <= box.clientWidth &&
    box.scrollHeight <= box.clientHeight;

  /**
   * Lays out the text, without the small line if there is no space. The small line depends on the balance, so it must
   * not determine whether the frame is shown. Otherwise, the page could find out the balance.
   */
  function fit(): boolean {
    if (!to.textContent) return true; // There is no text to lay out yet.
    // A long name can be truncated, because the details show it in full.
    if (details.isConnected) return label.offsetWidth > 0 && hint.scrollWidth <= hint.clientWidth;
    return [costs, '\u00a0'].some((line) => {
      cost.textContent = line;
      return [false, true].some((isLong) => {
        box.classList.toggle('long', isLong);
        return isWhole();
      });
    });
  }

  return {
    track,

    dress(look) {
      box.dir = look.rightToLeft ? 'rtl' : 'ltr';
      for (const [name, value] of Object.entries(propertiesOf(look, read))) box.style.setProperty(name, value);
      return fit();
    },

    show(view) {
      const language = languageOf(view.language);
      setLanguage(language);
      texts = swipeTexts(language);
      hint.textContent = texts.swipe;
      to.textContent = nameOf(view);
      amount.textContent = formatAmount(view.amount, view.currency);
      costs = costOf(view, texts);
      return fit();
    },

    fit,

    showPaid(view, more) {
      const language = languageOf(view.language);
      setLanguage(language);
      texts = swipeTexts(language);
      hint.textContent = texts.paid({ amount: formatAmount(view.amount, view.currency) });
      to.textContent = nameOf(view);
      details.textContent = texts.details;
      details.addEventListener('click', (event) => event.isTrusted && more());
      box.classList.add('paid');
      box.style.setProperty('--_progress', '1');
      label.parentElement!.append(details);
      return fit();
    },

    move(progress, held) {
      box.classList.toggle('held', held);
      box.style.setProperty('--_progress', `${progress}`);
    },

    work() {
      box.classList.remove('held');
      box.classList.add('working');
      box.style.setProperty('--_progress', '1');
      hint.textContent = texts.working;
      path.setAttribute('d', DRAWINGS.dots);
    },
  };
}
