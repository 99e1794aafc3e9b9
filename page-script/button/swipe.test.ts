import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SWIPED_EVENT } from '../../protocol/messages/wire.ts';
import { listenForSwipes, progressAfterKey, progressAfterMove } from './swipe.ts';

test.each([
  ['ArrowRight', 0, false, 0.1],
  ['ArrowUp', 0.2, false, 0.3],
  ['ArrowLeft', 0.3, false, 0.2],
  ['ArrowDown', 0, false, 0],
  ['ArrowRight', 1, false, 1],
  ['ArrowLeft', 0, true, 0.1],
  ['ArrowRight', 0.5, true, 0.4],
  ['ArrowUp', 0, true, 0.1],
  ['Home', 0.5, false, 0],
  ['Escape', 0.5, false, 0],
  ['End', 0, false, 'complete'],
  ['Enter', 0.3, false, 'complete'],
  ['a', 0.5, false, null],
  ['Tab', 0.5, false, null],
] as const)('the key %s at %d (right to left: %s) results in %s', (key, at, rtl, next) =>
  expect(progressAfterKey(key, at, rtl)).toBe(next),
);

test.each([
  ['to the right', 0, { x: 50, y: 0 }, { x: 100, y: 0 }, 0.5],
  ['to the left', 0, { x: -50, y: 0 }, { x: -100, y: 0 }, 0.5],
  ['from the middle', 0.2, { x: 30, y: 0 }, { x: 100, y: 0 }, 0.5],
  ['backwards', 0, { x: -10, y: 0 }, { x: 100, y: 0 }, 0],
  ['too far', 0, { x: 500, y: 0 }, { x: 100, y: 0 }, 1],
  ['downwards on a turned track', 0, { x: 0, y: 50 }, { x: 0, y: 100 }, 0.5],
  ['across a turned track', 0, { x: 50, y: 0 }, { x: 0, y: 100 }, 0],
  ['along a slanting track', 0, { x: 30, y: 40 }, { x: 60, y: 80 }, 0.5],
  ['on a track without a size', 0, { x: 1, y: 0 }, { x: 0, y: 0 }, 0],
] as const)('a pointer %s moves the thumb from %d by %j of %j to %d', (_, start, by, way, progress) =>
  expect(progressAfterMove(start, by, way)).toBeCloseTo(progress),
);

describe('a track', () => {
  let track: HTMLElement;
  let moves: [number, boolean][];
  let enabled: boolean;
  const completed = vi.fn();
  const pressed = vi.fn();

  beforeEach(() => {
    track = document.createElement('div');
    document.body.replaceChildren(track);
    moves = [];
    enabled = true;
    completed.mockReset();
    pressed.mockReset();
    listenForSwipes(track, {
      enabled: () => enabled,
      way: () => ({ x: 100, y: 0 }),
      rightToLeft: () => false,
      moved: (...move) => moves.push(move),
      completed,
      pressed,
    });
  });
  afterEach(() => document.body.replaceChildren());

  const pointer = (type: string, x = 0, more: PointerEventInit = {}) =>
    track.dispatchEvent(
      new PointerEvent(type, {
        pointerId: 1,
        isPrimary: true,
        button: 0,
        clientX: x,
        bubbles: true,
        cancelable: true,
        ...more,
      }),
    );
  const key = (name: string, more: KeyboardEventInit = {}) => {
    const event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...more });
    track.dispatchEvent(event);
    return event;
  };

  test('a drag to the end completes once', () => {
    pointer('pointerdown', 10);
    pointer('pointermove', 60);
    pointer('pointermove', 120);
    pointer('pointerup', 120);
    pointer('pointerup', 120);
    expect(moves).toEqual([
      [0, true],
      [0.5, true],
      [1, true],
    ]);
    expect(completed).toHaveBeenCalledOnce();
  });

  test.each([
    [84, 0],
    [85, 1],
  ])('a drag released at %d%% completes %d times', (x, times) => {
    pointer('pointerdown', 0);
    pointer('pointermove', x);
    pointer('pointerup', x);
    expect(completed).toHaveBeenCalledTimes(times);
    if (!times) expect(moves.at(-1)).toEqual([0, false]);
  });

  test.each([
    ['a tap', () => [pointer('pointerdown', 90), pointer('pointerup', 90)]],
    [
      'the right mouse button',
      () => [pointer('pointerdown', 0, { button: 2 }), pointer('pointermove', 100), pointer('pointerup', 100)],
    ],
    [
      'a second finger',
      () => [pointer('pointerdown', 0, { isPrimary: false }), pointer('pointermove', 100), pointer('pointerup', 100)],
    ],
    [
      'another pointer’s way',
      () => [
        pointer('pointerdown', 0),
        pointer('pointermove', 100, { pointerId: 2 }),
        pointer('pointerup', 100, { pointerId: 2 }),
      ],
    ],
    [
      'a drag that the browser takes over',
      () => [
        pointer('pointerdown', 0),
        pointer('pointermove', 100),
        pointer('pointercancel'),
        pointer('pointerup', 100),
      ],
    ],
    ['a mouse that only passes', () => [pointer('pointermove', 100), pointer('pointerup', 100)]],
    ['a held key', () => [key('Enter', { repeat: true }), key('End', { repeat: true })]],
    ['a shortcut', () => [key('Enter', { ctrlKey: true })]],
    ['only ten arrows', () => Array.from({ length: 12 }, () => key('ArrowRight'))],
  ])('%s does not complete the swipe', (_, act) => {
    act();
    expect(completed).not.toHaveBeenCalled();
  });

  test('the thumb moves by arrow keys, and returns to the start on Escape and blur', () => {
    key('ArrowRight');
    key('ArrowRight');
    expect(key('Escape').defaultPrevented).toBe(true);
    key('ArrowUp');
    track.dispatchEvent(new FocusEvent('blur'));
    expect(moves.map(([progress]) => progress)).toEqual([0.1, 0.2, 0, 0.1, 0]);
    expect(key('Escape').defaultPrevented).toBe(false);
  });

  test.each(['Enter', 'End'])('the key %s completes the swipe', (name) => {
    key(name);
    expect(completed).toHaveBeenCalledOnce();
  });

  test('a swipe over the wallet’s own track completes the button’s track, unless it is disabled', () => {
    pointer('pointerdown', 0);
    track.dispatchEvent(new Event(SWIPED_EVENT));
    pointer('pointermove', 100);
    pointer('pointerup', 100);
    expect(completed).toHaveBeenCalledOnce();
    enabled = false;
    track.dispatchEvent(new Event(SWIPED_EVENT));
    expect(completed).toHaveBeenCalledOnce();
  });

  test('[R-26] the track ignores swipes while disabled, even if disabled during a swipe', () => {
    pointer('pointerdown', 0);
    pointer('pointermove', 100);
    enabled = false;
    pointer('pointerup', 100);
    key('Enter');
    pointer('pointerdown', 0);
    pointer('pointermove', 100);
    pointer('pointerup', 100);
    expect(completed).not.toHaveBeenCalled();
  });

  test.each([
    ['a click without a pointer, as of assistive technology', () => track.click()],
    ['a tap', () => [pointer('pointerdown', 90), pointer('pointerup', 90), track.click()]],
    [
      'a tap of a trembling finger',
      () => [pointer('pointerdown', 90), pointer('pointermove', 93), pointer('pointerup', 93), track.click()],
    ],
    ['the space bar', () => key(' ')],
    ['ten arrows', () => Array.from({ length: 10 }, () => key('ArrowRight'))],
  ])('%s counts as a press', (_, act) => {
    act();
    expect(pressed).toHaveBeenCalledOnce();
    expect(completed).not.toHaveBeenCalled();
  });

  test.each([
    [
      'a drag that is let go',
      () => [pointer('pointerdown', 0), pointer('pointermove', 50), pointer('pointerup', 50), track.click()],
    ],
    [
      'a whole swipe',
      () => [pointer('pointerdown', 0), pointer('pointermove', 100), pointer('pointerup', 100), track.click()],
    ],
    ['a held space bar', () => key(' ', { repeat: true })],
    ['nine arrows', () => Array.from({ length: 9 }, () => key('ArrowRight'))],
  ])('%s doesn’t count as a press', (_, act) => {
    act();
    expect(pressed).not.toHaveBeenCalled();
  });

  describe('a track inside a draggable element', () => {
    const DOWN = ['pointerdown', 'mousedown', 'touchstart'];
    const MOVE = ['pointermove', 'mousemove', 'touchmove'];
    const heard = vi.fn();
    const send = (type: string) =>
      type.startsWith('pointer')
        ? pointer(type, type === 'pointerdown' ? 0 : 50)
        : track.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }));
    beforeEach(() => {
      heard.mockReset();
      for (const type of [...DOWN, ...MOVE]) document.body.addEventListener(type, heard);
    });
    afterEach(() => {
      for (const type of [...DOWN, ...MOVE]) document.body.removeEventListener(type, heard);
    });

    test('a drag moves only the thumb', () => {
      [...DOWN, ...MOVE].forEach(send);
      const drag = new Event('dragstart', { bubbles: true, cancelable: true });
      document.body.dispatchEvent(drag);
      expect(heard).not.toHaveBeenCalled();
      expect(drag.defaultPrevented).toBe(true);
      expect(moves.at(-1)?.[0]).toBe(0.5);
      pointer('pointerup', 50);
    });

    test('a disabled track leaves the drag to its ancestor', () => {
      enabled = false;
      [...DOWN, ...MOVE].forEach(send);
      expect(heard).toHaveBeenCalledTimes(6);
    });

    test('the track ignores a pointer that only passes over it', () => {
      pointer('pointerdown', 50);
      pointer('pointerup', 50);
      MOVE.forEach(send);
      const drag = new Event('dragstart', { bubbles: true, cancelable: true });
      document.body.dispatchEvent(drag);
      expect(heard).toHaveBeenCalledTimes(3);
      expect(drag.defaultPrevented).toBe(false);
    });
  });
});
