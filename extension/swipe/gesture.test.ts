import { beforeEach, describe, expect, test } from 'vitest';
import { createGesture, type Gesture, type PointerSample, type Surface } from './gesture.ts';

const SURFACE: Surface = { width: 300, height: 48, scale: 1, zoom: 1, steadySince: 0 };
/** Returns the pointer at a position in a frame whose top-left corner is at (100, 200) on the screen. */
const pointer = (x: number, more: Partial<PointerSample> = {}): PointerSample => ({
  pointerId: 1,
  isTrusted: true,
  isPrimary: true,
  button: 0,
  x,
  y: 20,
  screenX: x + 100,
  screenY: 220,
  time: 1000,
  ...more,
});
const end = (x: number, more: Partial<PointerSample> = {}) => pointer(x, { time: 1400, ...more });

let gesture: Gesture;
beforeEach(() => {
  gesture = createGesture(false);
});
/** Runs a swipe from 20 to 220 pixels, with the given changes. */
function swipe({
  first = {},
  last = {},
  before = SURFACE,
  after = SURFACE,
}: { first?: Partial<PointerSample>; last?: Partial<PointerSample>; before?: Surface; after?: Surface } = {}): boolean {
  gesture.down(pointer(20, first), before);
  gesture.move(end(120, { time: 1200, ...last, x: 120, screenX: 220 }), after);
  return gesture.up(end(220, last), after);
}

describe('a swipe', () => {
  test('a swipe is a trusted drag across 60% of the track', () => {
    expect(swipe()).toBe(true);
    gesture.down(pointer(0), SURFACE);
    expect(gesture.move(end(90), SURFACE)).toBe(0.5);
    expect(gesture.up(end(179), SURFACE)).toBe(false);
    gesture.down(pointer(0), SURFACE);
    expect(gesture.up(end(180), SURFACE)).toBe(true);
  });

  test('a swipe goes left in a right-to-left language', () => {
    gesture = createGesture(true);
    expect(swipe()).toBe(false);
    gesture.down(pointer(220), SURFACE);
    expect(gesture.up(end(20), SURFACE)).toBe(true);
  });

  test.each<[string, Parameters<typeof swipe>[0]]>([
    ['begins with an event of a script', { first: { isTrusted: false } }],
    ['continues with scripted events', { last: { isTrusted: false } }],
    ['is that of a second finger', { first: { isPrimary: false } }],
    ['is made with another button', { first: { button: 2 } }],
    ['begins beside the frame', { first: { x: -1, screenX: 99 } }],
    ['ends beside the frame', { last: { x: 220, y: 60, screenY: 260 } }],
    ['changes from one pointer to another', { last: { pointerId: 2 } }],
    ['begins before the frame was visible', { before: { ...SURFACE, steadySince: null } }],
    [
      'is made while nothing of the frame is visible',
      { before: { ...SURFACE, steadySince: null }, after: { ...SURFACE, steadySince: null } },
    ],
    [
      'begins as soon as the frame is visible',
      { before: { ...SURFACE, steadySince: 501 }, after: { ...SURFACE, steadySince: 501 } },
    ],
    ['continues although the frame is covered', { after: { ...SURFACE, steadySince: null } }],
    ['continues although the frame was covered in the meantime', { after: { ...SURFACE, steadySince: 1100 } }],
    ['continues in a smaller frame', { after: { ...SURFACE, width: 260 } }],
    ['continues in a flatter frame', { after: { ...SURFACE, height: 30 } }],
    ['continues in a zoomed frame', { after: { ...SURFACE, scale: 2 } }],
    ['is that of a frame that moves under a resting pointer', { last: { screenX: 120 } }],
    ['is that of a frame that scrolls under the pointer', { last: { y: 40 } }],
    ['takes longer than any swipe', { last: { time: 11_001 } }],
  ])('a drag that %s isn’t a swipe', (_, changed) => {
    expect(swipe(changed)).toBe(false);
  });

  test('a drag that begins in the page isn’t a swipe', () => {
    expect(gesture.move(end(120), SURFACE)).toBeNull();
    expect(gesture.up(end(220), SURFACE)).toBe(false);
  });

  test('a drag isn’t a swipe once the browser has taken the pointer, or a second finger has touched', () => {
    gesture.down(pointer(20), SURFACE);
    gesture.cancel();
    expect(gesture.up(end(220), SURFACE)).toBe(false);
    gesture.down(pointer(20), SURFACE);
    expect(gesture.down(pointer(40, { pointerId: 2, isPrimary: false }), SURFACE)).toBe(false);
    expect(gesture.up(end(220), SURFACE)).toBe(false);
  });

  test('a drag isn’t a swipe once the frame has moved under the pointer, even if it is back at the release', () => {
    gesture.down(pointer(20), SURFACE);
    expect(gesture.move(end(120, { screenX: 120 }), SURFACE)).toBeNull();
    expect(gesture.move(end(180), SURFACE)).toBeNull();
    expect(gesture.up(end(220), SURFACE)).toBe(false);
  });

  test('a swipe’s length on the screen includes the tab’s zoom', () => {
    const zoomed = { ...SURFACE, scale: 1.25, zoom: 1.25 };
    // As measured in Chromium, where 250 pixels in the frame were 312.5 pixels on the screen.
    gesture.down(pointer(20, { screenX: 103.75 }), zoomed);
    expect(gesture.up(end(270, { screenX: 416.25 }), zoomed)).toBe(true);
    gesture.down(pointer(20, { screenX: 103.75 }), zoomed);
    expect(gesture.up(end(270, { screenX: 353.75 }), zoomed)).toBe(false);
  });

  test('a swipe counts once: its end doesn’t complete another one', () => {
    expect(swipe()).toBe(true);
    expect(gesture.up(end(220), SURFACE)).toBe(false);
  });
});
