/**
 * Creates an overlay frame over a button, keeps it in position and monitors it. The frame is in the top layer, where
 * the page's masks, filters, opacity, clipping and containment have no effect.
 */
import type {
  SwipeBeatsAsked,
  SwipeFrameDrawn,
  SwipeHeartbeat,
  SwipeLookChanged,
  ToSwipeFrame,
} from '../../../protocol/messages/swipe-messages.ts';
import { SWIPE_PAGE } from '../../../protocol/messages/wire.ts';
import type { Button } from './buttons.ts';
import { readLook } from './look.ts';
import { styleHost } from './sheet.ts';
import { watchPlace } from './viewport-place.ts';

/** Maximum difference between equal rectangles (CSS pixels), because browsers round to 1/64 pixel. */
const SAME_PX = 0.1;
/** Limits on a track's size (CSS pixels), to keep the frame's text legible. */
const [MIN_WIDTH, MAX_WIDTH, MIN_HEIGHT, MAX_HEIGHT] = [200, 1000, 30, 120];
/** Points at which the button is checked for elements over it, as fractions of its width and height. */
const PLACES = [
  [0.5, 0.5],
  [0.04, 0.5],
  [0.96, 0.5],
  [0.5, 0.1],
  [0.5, 0.9],
] as const;

export interface Cover {
  /** The wallet's ID for the frame. */
  id: string;
  /** When the frame was created (milliseconds, `performance.now`). */
  since: number;
  /** Returns when the frame last moved, on the same clock as `since`. */
  movedAt(): number;
  /** True if the frame is drawn and visible, and accepts the pointer. */
  isShown(): boolean;
  /** Moves the frame onto the button. @returns false if the frame can't cover the button exactly */
  follow(): boolean;
  /**
   * Signals to the frame that the page is rendered, and whether the frame has moved. Called once per animation frame.
   */
  beat(): void;
  /** Sends the button's current appearance to the frame. */
  refresh(): void;
  /** True if the page hasn't changed the frame or its host element. */
  isUntouched(): boolean;
  /** True if the whole button is in view, and only the frame covers it. */
  isClear(): boolean;
  remove(): void;
}

function outermost(element: Element): Element {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? outermost(root.host) : element;
}

/** True if the whole button is in view and receives pointer events, ignoring the frame (`host`) over it. */
export function isClear({ element, box }: Pick<Button, 'element' | 'box'>, host?: Element): boolean {
  const { left, top, right, bottom, width, height } = box.getBoundingClientRect();
  if (width < MIN_WIDTH || width > MAX_WIDTH || height < MIN_HEIGHT || height > MAX_HEIGHT) return false;
  if (left < 0 || top < 0 || right > window.innerWidth || bottom > window.innerHeight) return false;
  const shown = outermost(element);
  return PLACES.every(([x, y]) => {
    const found = document.elementsFromPoint(left + x * width, top + y * height);
    return found[0] === (host ?? shown) && (!host || found[1] === shown);
  });
}

/** True if overlay frames are currently possible in this document. */
export function canShowOverlay(): boolean {
  return (
    // With pinch zoom, the pointer's path on the screen differs from its path in the frame.
    (window.visualViewport?.scale ?? 1) === 1 &&
    // Elements below a fullscreen element or a modal dialog can't be clicked.
    !document.fullscreenElement &&
    !document.querySelector(':modal')
  );
}

/** True if the element stays in place while the page scrolls. */
function isFixed(element: Element | null): boolean {
  if (!element) return false;
  const root = element.getRootNode();
  const around = element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  return getComputedStyle(element).position === 'fixed' || isFixed(around);
}

/**
 * True if the button isn't rotated, mirrored or distorted. Otherwise, its thumb might start at the opposite end from
 * the frame's.
 */
function isUpright(box: HTMLElement, { left, width, height }: DOMRect): boolean {
  if (Math.abs(width / box.offsetWidth - height / box.offsetHeight) >= 0.02) return false;
  const mark = box.querySelector('[part~=fill]')?.getBoundingClientRect();
  if (!mark || mark.width > 0.9 * width) return true;
  const isAtLeft = mark.left + mark.width / 2 < left + width / 2;
  return isAtLeft === (getComputedStyle(box).direction !== 'rtl');
}

/** Creates a frame over a button. @throws DOMException if the page blocks the frame */
export function createCover(button: Button, { id, secret }: { id: string; secret: string }): Cover {
  const { box } = button;
  const host = document.createElement('span');
  const root = host.attachShadow({ mode: 'closed' });
  const sheet = styleHost(root);
  const frame = document.createElement('iframe');
  const { port1: channel, port2: theirs } = new MessageChannel();
  const watch = new MutationObserver(judge);
  const hasMoved = watchPlace(frame);
  let [x, y, movedAt] = [0, 0, performance.now()];
  let [isTouched, isLoaded, isDrawn, isShown] = [false, false, false, false];
  let look = readLook(box);
  let last = '';
  let asked = 0;

  function touched(): void {
    isTouched = true;
  }

  /**
   * Detects changes by the page. Any mutation record for the host counts, because the page may already have moved the
   * host back.
   */
  function judge(records: readonly MutationRecord[]): void {
    const isNamed = ({ target, addedNodes, removedNodes }: MutationRecord) =>
      target === host || [...addedNodes, ...removedNodes].includes(host);
    isTouched ||= records.some(isNamed);
  }

  function away(): [number, number, number, number] {
    const [is, due] = [frame.getBoundingClientRect(), box.getBoundingClientRect()];
    return [due.left - is.left, due.top - is.top, due.width - is.width, due.height - is.height];
  }
  const isThere = () => away().every((far) => Math.abs(far) < SAME_PX);

  /** Shows the frame once it is fully drawn, unless the pointer is dragging the page's own thumb. */
  function appear(): void {
    if (isShown || !isDrawn || box.classList.contains('held')) return;
    isShown = true;
    sheet.set('host', { opacity: '1', 'pointer-events': 'auto' });
  }

  function follow(): boolean {
    const due = box.getBoundingClientRect();
    // The page's CSS zoom also scales the frame. The frame's drawn size then differs from the size that the browser
    // reports to the frame.
    if (!isUpright(box, due) || (host.currentCSSZoom ?? 1) !== 1) return false;
    appear();
    if (isThere()) return true;
    movedAt = performance.now();
    sheet.set('host', { width: `${due.width}px`, height: `${due.height}px` });
    const [right, down] = away();
    x += right;
    y += down;
    sheet.set('host', { left: `${x}px`, top: `${y}px` });
    return isThere();
  }

  function beat(): void {
    const moved = hasMoved();
    if (moved) movedAt = performance.now();
    channel.postMessage({ beat: asked, moved } satisfies SwipeHeartbeat);
  }

  function refresh(): void {
    look = readLook(box);
    const text = JSON.stringify(look);
    if (text === last) return;
    last = text;
    sheet.set('frame', { 'border-radius': `${look.radius}px` });
    channel.postMessage({ look } satisfies SwipeLookChanged);
  }

  channel.onmessage = ({ data }: MessageEvent<SwipeFrameDrawn | SwipeBeatsAsked>) => {
    if ('asked' in data) asked = data.asked;
    else isDrawn ||= data.drawn;
  };
  frame.addEventListener('load', () => {
    // The first load event is for the frame's own document. Any later event means that the page has loaded a different
    // document.
    isTouched ||= isLoaded;
    if (isLoaded) return;
    isLoaded = true;
    frame.contentWindow?.postMessage(
      { secret, look } satisfies ToSwipeFrame,
      `chrome-extension://${chrome.runtime.id}`,
      [theirs],
    );
  });
  // Screen readers and keyboard users use the button beneath the frame.
  frame.tabIndex = -1;
  frame.ariaHidden = host.ariaHidden = 'true';
  frame.src = chrome.runtime.getURL(SWIPE_PAGE);
  host.popover = 'manual';
  // Like the button, the frame scrolls with the page or stays fixed.
  sheet.set('host', { position: isFixed(button.element) ? 'fixed' : 'absolute', left: '0px', top: '0px' });
  sheet.set('host', { opacity: '0', 'pointer-events': 'none' });
  refresh();
  root.append(frame);
  document.documentElement.append(host);
  host.showPopover();
  host.addEventListener('beforetoggle', touched);
  watch.observe(host, { attributes: true, childList: true });
  watch.observe(document.documentElement, { childList: true });

  return {
    id,
    since: performance.now(),
    movedAt: () => movedAt,
    isShown: () => isShown,
    follow,
    beat,
    refresh,
    isUntouched() {
      judge(watch.takeRecords());
      return (
        !isTouched &&
        host.parentNode === document.documentElement &&
        host.matches(':popover-open') &&
        sheet.isKept(host)
      );
    },
    isClear: () => isClear(button, isShown ? host : undefined),
    remove() {
      watch.disconnect();
      channel.close();
      const hadFocus = document.activeElement === host;
      host.remove();
      // Focuses the button, because a swipe on the button's own track would have done so.
      if (hadFocus) button.element.focus({ preventScroll: true });
    },
  };
}
