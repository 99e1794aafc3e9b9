// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FromRelay } from '../../../protocol/messages/swipe-messages.ts';
import { MESSAGE_MS, MAX_SWIPE_FRAMES, OFFER_EVENT, SWIPED_EVENT } from '../../../protocol/messages/wire.ts';
import type { Button } from './buttons.ts';
import type { Cover } from './cover.ts';
import { createOverlay, type Overlay } from './overlay.ts';

const SERVICE = 'https://pay.example';
const options = (amount = '0.10') => ({ outputs: [{ to: 'a@b.example', amount, currency: 'USD' }] });

/** Simulates the browser's report of elements in view. */
let report: (entries: object[]) => void;
let watched: Set<Element>;
let told: FromRelay[];
let acted: number;
let ended: AbortController;
let overlay: Overlay;
/** The existing covers, keyed by button element. */
let standing: Map<HTMLElement, Cover & { is: { untouched: boolean; there: boolean; clear: boolean; shown: boolean } }>;
let clear: (button: Button) => boolean;
let may: boolean;
let isForbidden: boolean;
/** Number of frames created, and number of heartbeats sent. */
let [made, beats] = [0, 0];

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame', 'performance'],
  });
  document.body.replaceChildren();
  watched = new Set();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(seen: typeof report) {
        report = seen;
      }
      observe = (element: Element) => watched.add(element);
      unobserve = (element: Element) => watched.delete(element);
    },
  );
  told = [];
  acted = 0;
  ended = new AbortController();
  standing = new Map();
  clear = () => true;
  may = true;
  isForbidden = false;
  made = beats = 0;
  overlay = createOverlay(
    { tell: (message) => told.push(message), noteGesture: () => (acted += 1), signal: ended.signal },
    new Map(),
    {
      isClear: (button) => clear(button as Button),
      canShowOverlay: () => may,
      createCover(button, { id }) {
        if (isForbidden) throw new DOMException('', 'InvalidStateError');
        made += 1;
        const is = { untouched: true, there: true, clear: true, shown: true };
        const cover = {
          is,
          id,
          since: performance.now(),
          movedAt: () => 0,
          isShown: () => is.shown,
          follow: () => is.there,
          beat: () => (beats += 1),
          refresh: vi.fn(),
          isUntouched: () => is.untouched,
          isClear: () => is.clear,
          remove: () => standing.delete(button.element),
        };
        standing.set(button.element, cover);
        return cover;
      },
    },
  );
});
afterEach(() => {
  ended.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Creates a button at this vertical position, as the page's script does. */
function makeButton(top = 0): HTMLElement {
  const element = document.createElement('div');
  const box = document.createElement('div');
  box.setAttribute('part', 'button');
  box.innerHTML = '<div part="track"></div>';
  box.getBoundingClientRect = () => new DOMRect(0, top, 300, 48);
  element.attachShadow({ mode: 'open' }).append(box);
  document.body.append(element);
  return element;
}
const boxOf = (element: HTMLElement) => element.shadowRoot!.firstElementChild as HTMLElement;
function offer(element: HTMLElement, detail: unknown = JSON.stringify({ options: options(), service: SERVICE })): void {
  element.dispatchEvent(new CustomEvent(OFFER_EVENT, { composed: true, detail }));
}
const see = (...elements: HTMLElement[]) =>
  report(elements.map((element) => ({ target: boxOf(element), intersectionRatio: 1 })));
const unsee = (element: HTMLElement) => report([{ target: boxOf(element), intersectionRatio: 0.5 }]);
/** Renders enough animation frames to include the expensive checks. */
const draw = () => vi.advanceTimersByTime(400);
const asked = () => told.filter((message) => message.swipe === 'offer');
const endedIds = () => told.flatMap((message) => (message.swipe === 'end' ? [message.id] : []));

/** Simulates the wallet's acceptance of the latest offer, or of the offer with the given number. */
function agree(number = asked().at(-1)!.button): string {
  const id = `${number}`.padStart(32, '0');
  overlay.hear({ swipe: 'offered', button: number, id, secret: 'f'.repeat(32) });
  return id;
}
function covered(top = 0): { element: HTMLElement; id: string; cover: NonNullable<ReturnType<typeof standing.get>> } {
  const element = makeButton(top);
  offer(element);
  see(element);
  draw();
  const id = agree();
  return { element, id, cover: standing.get(element)! };
}
function move(y: number, { isTrusted = true } = {}): void {
  const event = new MouseEvent('pointermove', { clientX: 10, clientY: y });
  Object.defineProperty(event, 'isTrusted', { value: isTrusted });
  window.dispatchEvent(event);
}
function swipes(element: HTMLElement): unknown[] {
  const heard: unknown[] = [];
  boxOf(element).firstElementChild!.addEventListener(SWIPED_EVENT, () => heard.push(standing.size));
  return heard;
}

describe('heartbeats of a frame', () => {
  test('a heartbeat is sent with each animation frame', () => {
    covered();
    beats = 0;
    for (let n = 0; n < 5; n += 1) vi.advanceTimersToNextFrame();
    expect(beats).toBe(5);
  });

  test('a heartbeat can’t be forged by events that a page dispatches', () => {
    covered();
    beats = 0;
    for (const type of ['visibilitychange', 'scroll', 'pointermove']) document.dispatchEvent(new Event(type));
    for (const type of ['resize', 'scroll', 'pointermove', 'keydown']) window.dispatchEvent(new Event(type));
    expect(beats).toBe(0);
  });
});

describe('a button', () => {
  test('a button in view is offered to the wallet with its request, and covered once the wallet accepts', () => {
    const element = makeButton();
    offer(element);
    draw();
    expect(told).toEqual([]);
    see(element);
    draw();
    expect(told).toEqual([
      { swipe: 'offer', button: 1, options: options(), service: SERVICE, scale: window.devicePixelRatio },
    ]);
    draw();
    expect(standing.size).toBe(0);
    agree();
    expect([...standing.keys()]).toEqual([element]);
    draw();
    expect(told).toHaveLength(1);
  });

  test('a button is offered again when its request changes, but not when it is redrawn', () => {
    const { element, id } = covered();
    offer(element);
    draw();
    expect(told).toHaveLength(1);
    offer(element, JSON.stringify({ options: options('5') }));
    expect([endedIds(), standing.size]).toEqual([[id], 0]);
    see(element);
    draw();
    expect(asked().at(-1)).toEqual({ swipe: 'offer', button: 2, options: options('5'), scale: 1 });
  });

  test.each<[string, (one: ReturnType<typeof covered>) => void]>([
    ['can be swiped no more', ({ element }) => offer(element, '')],
    ['is scrolled away', ({ element }) => unsee(element)],
    ['has something over it', ({ cover }) => void (cover.is.clear = false)],
    ['is where no frame can be', ({ cover }) => void (cover.is.there = false)],
    ['stands beside a dialog', () => void (may = false)],
    [
      'is in a hidden window',
      () => {
        Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
        Reflect.deleteProperty(document, 'visibilityState');
      },
    ],
    ['is printed', () => window.dispatchEvent(new Event('beforeprint'))],
    [
      'leaves the page',
      ({ element }) => {
        element.remove();
        unsee(element);
      },
    ],
  ])('the cover of a button that %s is removed, and the wallet is notified', (_, happen) => {
    const one = covered();
    happen(one);
    draw();
    expect(endedIds()).toContain(one.id);
    expect(standing.size).toBe(0);
  });

  test('a button isn’t covered after a late response', () => {
    const element = makeButton();
    offer(element);
    see(element);
    draw();
    offer(element, '');
    const id = agree();
    expect([endedIds(), standing.size]).toEqual([[id], 0]);
  });

  test('a button that needs a window isn’t offered again until its request changes', () => {
    const element = makeButton();
    offer(element);
    see(element);
    draw();
    overlay.hear({ swipe: 'refused', button: 1 });
    draw();
    expect(asked()).toHaveLength(1);
    offer(element, JSON.stringify({ options: options('2') }));
    see(element);
    draw();
    expect(asked()).toHaveLength(2);
  });

  test('a button keeps its own track after a few attempts if no frame can stay over it', () => {
    const { element, cover } = covered();
    cover.is.clear = false;
    for (let turn = 0; turn < 20; turn += 1) {
      draw();
      const last = asked().at(-1)!.button;
      agree(last);
      const next = standing.get(element);
      if (next) next.is.clear = false;
      vi.advanceTimersByTime(1000);
    }
    expect(asked().length).toBeLessThan(10);
    expect(standing.size).toBe(0);
  });

  test('a button keeps its own track if its frame is never drawn', () => {
    const { cover } = covered();
    cover.is.shown = false;
    vi.advanceTimersByTime(120_000);
    expect([standing.size, asked().length]).toEqual([0, 1]);
  });

  test.each<[string, unknown]>([
    ['nothing', null],
    ['an object', { options: options() }],
    ['invalid JSON', '{'],
    ['more than a swipe can', JSON.stringify({ options: 'x'.repeat(60_000) })],
  ])('a button that reports %s is ignored', (_, detail) => {
    const element = makeButton();
    offer(element, detail);
    expect(watched.size).toBe(0);
  });

  test('another element that only dispatches the event is ignored', () => {
    const plain = document.createElement('div');
    document.body.append(plain);
    offer(plain);
    expect(watched.size).toBe(0);
  });
});

describe('many buttons', () => {
  test('the buttons in the middle of the window are covered first, at most three, then the one nearest to the pointer', () => {
    const all = Array.from({ length: 12 }, (_, index) => makeButton(index * 60));
    for (const element of all) offer(element);
    see(...all);
    draw();
    for (const { button } of asked()) agree(button);
    draw();
    expect(standing.size).toBe(MAX_SWIPE_FRAMES);
    const middle = window.innerHeight / 2;
    expect(Math.min(...[...standing.keys()].map((one) => Math.abs(all.indexOf(one) * 60 + 24 - middle)))).toBeLessThan(
      60,
    );
    const before = [...standing.keys()];
    const away = all.find((one) => !before.includes(one))!;
    vi.advanceTimersByTime(5000);
    move(all.indexOf(away) * 60 + 10);
    draw();
    agree();
    expect(standing.has(away)).toBe(true);
    expect(standing.size).toBe(MAX_SWIPE_FRAMES);
    expect(endedIds()).toHaveLength(1);
  });

  test('a covered button is skipped', () => {
    const [first, second] = [makeButton(0), makeButton(100)];
    clear = ({ element }) => element !== first;
    for (const element of [first, second]) offer(element);
    see(first, second);
    draw();
    expect(asked()).toHaveLength(1);
    agree();
    expect([...standing.keys()]).toEqual([second]);
  });

  test('at most 500 buttons are remembered', () => {
    for (let count = 0; count < 510; count += 1) offer(makeButton());
    expect(watched.size).toBe(500);
  });

  test('a page that keeps changing all buttons causes at most one offer a second', () => {
    const element = makeButton();
    const start = performance.now();
    for (let amount = 1; amount <= 200; amount += 1) {
      offer(element, JSON.stringify({ options: options(`${amount}`) }));
      see(element);
      vi.advanceTimersByTime(50);
    }
    expect(asked().length).toBeLessThanOrEqual(7 + (performance.now() - start) / 1000);
  });
});

describe('a swipe over the wallet’s frame', () => {
  test('the relay vouches for a swipe if nothing about the host has changed, including in the next frame', () => {
    const { id } = covered();
    vi.advanceTimersByTime(1000);
    overlay.hear({ swipe: 'vouch', id });
    expect(told.at(-1)?.swipe).toBe('offer');
    vi.advanceTimersByTime(20);
    expect(told.at(-1)).toEqual({ swipe: 'intact', id });
  });

  test.each<[string, (cover: ReturnType<typeof covered>['cover']) => void]>([
    ['touched', ({ is }) => (is.untouched = false)],
    ['moved', (cover) => (cover.movedAt = () => performance.now())],
    ['covered', ({ is }) => (is.clear = false)],
    ['moved away from the button', ({ is }) => (is.there = false)],
  ])('a swipe is confirmed in a window if the host is %s, because the relay doesn’t vouch for it', (_, spoil) => {
    const { element, id, cover } = covered();
    const heard = swipes(element);
    vi.advanceTimersByTime(1000);
    spoil(cover);
    overlay.hear({ swipe: 'vouch', id });
    expect(heard).toEqual([0]);
    expect(acted).toBe(1);
    draw();
    expect(told.some(({ swipe }) => swipe === 'intact')).toBe(false);
    expect(endedIds()).toEqual([id]);
  });

  test('an accepted swipe becomes the page’s own request: the frame is removed, and the swipe counts as a user gesture', () => {
    const { element, id } = covered();
    const heard = swipes(element);
    overlay.hear({ swipe: 'swiped', id });
    expect([heard, acted, endedIds()]).toEqual([[0], 1, [id]]);
    overlay.hear({ swipe: 'swiped', id });
    expect([heard, acted]).toEqual([[0], 1]);
  });
});

describe('the page gets no frame', () => {
  test('no frame is created after the page has changed one', () => {
    const [{ cover }, { id }] = [covered(), covered(100)];
    cover.is.untouched = false;
    draw();
    expect(standing.size).toBe(0);
    expect(endedIds()).toContain(id);
    const other = makeButton();
    offer(other);
    see(other);
    const before = told.length;
    vi.advanceTimersByTime(10_000);
    overlay.hear({ swipe: 'on' });
    vi.advanceTimersByTime(10_000);
    expect(told).toHaveLength(before);
  });

  test('no frame is created after the page has prevented one', () => {
    isForbidden = true;
    const element = makeButton();
    offer(element);
    see(element);
    draw();
    const id = agree();
    expect(endedIds()).toEqual([id]);
    isForbidden = false;
    vi.advanceTimersByTime(10_000);
    expect([standing.size, asked().length]).toEqual([0, 1]);
  });

  test('no frame is created while swipes are off', () => {
    const { element } = covered();
    overlay.hear({ swipe: 'off' });
    expect(standing.size).toBe(0);
    vi.advanceTimersByTime(10_000);
    expect(asked()).toHaveLength(1);
    overlay.hear({ swipe: 'on' });
    draw();
    agree();
    expect(standing.has(element)).toBe(true);
  });

  test('no frame is created while the wallet’s worker is stopped, until the user returns', () => {
    const { element } = covered();
    overlay.lost();
    expect([standing.size, endedIds()]).toEqual([0, []]);
    move(5, { isTrusted: false });
    vi.advanceTimersByTime(10_000);
    expect(asked()).toHaveLength(1);
    move(5);
    draw();
    agree();
    expect(standing.has(element)).toBe(true);
  });

  test('no new frame is created over a button whose frame the wallet has ended', () => {
    const { id } = covered();
    overlay.hear({ swipe: 'over', id });
    vi.advanceTimersByTime(10_000);
    expect([standing.size, asked().length]).toEqual([0, 1]);
  });

  test('no frame is created once the wallet is gone', () => {
    covered();
    ended.abort();
    expect([standing.size, endedIds()]).toEqual([0, []]);
    offer(makeButton());
    expect(watched.size).toBe(1);
  });
});

describe('receipts of swipes', () => {
  const SECRET = 'e'.repeat(32);

  function swipedOver() {
    const one = covered();
    vi.advanceTimersByTime(600);
    overlay.hear({ swipe: 'swiped', id: one.id });
    offer(one.element, '');
    expect(standing.size).toBe(0);
    return one;
  }
  /** Creates a swiped button whose receipt is shown. */
  function paid() {
    const one = swipedOver();
    overlay.hear({ swipe: 'paid', id: one.id, secret: SECRET });
    vi.advanceTimersByTime(MESSAGE_MS + 50);
    return { ...one, cover: standing.get(one.element)! };
  }

  test('a receipt is shown over the button for ten seconds, after its own message', () => {
    const { element, id } = swipedOver();
    vi.advanceTimersByTime(2000);
    overlay.hear({ swipe: 'paid', id, secret: SECRET });
    vi.advanceTimersByTime(MESSAGE_MS - 100);
    expect(standing.size).toBe(0);
    vi.advanceTimersByTime(200);
    expect(standing.has(element)).toBe(true);
    vi.advanceTimersByTime(9500);
    expect(standing.has(element)).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(standing.size).toBe(0);
    overlay.hear({ swipe: 'paid', id, secret: SECRET });
    vi.advanceTimersByTime(20_000);
    expect([standing.size, made]).toEqual([0, 2]);
  });

  test('receipts are shown only for the last swipes, and not after the page has changed a frame', () => {
    const { id } = swipedOver();
    const later = Array.from({ length: MAX_SWIPE_FRAMES }, swipedOver);
    const before = made;
    overlay.hear({ swipe: 'paid', id, secret: SECRET });
    vi.advanceTimersByTime(MESSAGE_MS + 50);
    expect(made).toBe(before);
    covered().cover.is.untouched = false;
    draw();
    overlay.hear({ swipe: 'paid', id: later.at(-1)!.id, secret: SECRET });
    vi.advanceTimersByTime(MESSAGE_MS + 50);
    expect([standing.size, made]).toEqual([0, before + 1]);
  });

  test('a receipt isn’t shown over a button that wasn’t swiped', () => {
    const { id } = covered();
    overlay.hear({ swipe: 'end', id } as never);
    overlay.hear({ swipe: 'paid', id, secret: SECRET });
    vi.advanceTimersByTime(MESSAGE_MS + 50);
    expect(standing.size).toBe(0);
  });

  test.each<[string, (one: ReturnType<typeof paid>) => unknown]>([
    ['the button can be swiped again', ({ element }) => offer(element)],
    ['the button is gone', ({ cover }) => (cover.is.there = false)],
    ['something lies over it', ({ cover }) => (cover.is.clear = false)],
    ['the page has changed the frame', ({ cover }) => (cover.is.untouched = false)],
    ['a dialog is open', () => (may = false)],
    ['the page is printed', () => window.dispatchEvent(new Event('beforeprint'))],
    ['the wallet is locked', () => overlay.hear({ swipe: 'off' })],
    ['the worker is stopped', () => overlay.lost()],
    ['the wallet says so', ({ id }) => overlay.hear({ swipe: 'paid-over', id })],
    ['the wallet is gone', () => ended.abort()],
  ])('a receipt disappears once %s', (_, happen) => {
    const one = paid();
    expect(standing.size).toBe(1);
    happen(one);
    draw();
    expect(standing.size).toBe(0);
  });

  test.each<[string, (one: ReturnType<typeof swipedOver>) => unknown]>([
    ['something lies over it', () => (clear = () => false)],
    ['it can be swiped again', ({ element }) => offer(element)],
    ['a dialog is open', () => (may = false)],
    ['the wallet is locked meanwhile', () => overlay.hear({ swipe: 'off' })],
  ])('a receipt isn’t shown over a button if %s', (_, happen) => {
    const one = swipedOver();
    overlay.hear({ swipe: 'paid', id: one.id, secret: SECRET });
    vi.advanceTimersByTime(MESSAGE_MS - 1);
    happen(one);
    vi.advanceTimersByTime(50);
    expect([standing.size, made]).toEqual([0, 1]);
  });

  test('a receipt is shown and stays if the end of the swiped frame is reported late', () => {
    const { element, id } = swipedOver();
    overlay.hear({ swipe: 'paid', id, secret: SECRET });
    overlay.hear({ swipe: 'over', id });
    vi.advanceTimersByTime(MESSAGE_MS + 50);
    overlay.hear({ swipe: 'over', id });
    draw();
    expect(standing.has(element)).toBe(true);
  });

  test('a receipt is removed if its frame isn’t drawn', () => {
    const { element } = swipedOver();
    overlay.hear({ swipe: 'paid', id: '1'.padStart(32, '0'), secret: SECRET });
    vi.advanceTimersByTime(MESSAGE_MS);
    standing.get(element)!.is.shown = false;
    vi.advanceTimersByTime(6000);
    expect(standing.size).toBe(0);
  });
});
