// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { listenForPointer } from './pointer.ts';
import type { SurfaceWatch } from './surface.ts';
import type { TrackView } from './view.ts';

const report = { near: vi.fn(), began: vi.fn(), letGo: vi.fn(), swiped: vi.fn() };
let track: HTMLElement;

beforeEach(() => {
  vi.clearAllMocks();
  track = Object.defineProperties(document.createElement('div'), {
    clientWidth: { value: 300 },
    clientHeight: { value: 48 },
  });
  document.body.replaceChildren(track);
  const surface = { width: 300, height: 48, scale: 1, zoom: 1, steadySince: 0 };
  listenForPointer(
    { track, move: () => {}, work: () => {} } as unknown as TrackView,
    { surface: () => surface, look: async () => true, lookAfterDrawing: async () => true } satisfies SurfaceWatch,
    () => false,
    report,
  );
});

/** Sends an event, by default a trusted one, which scripts can't create. */
function send(type: string, x = 0, isTrusted = true): void {
  const event = new PointerEvent(type, { pointerId: 1, isPrimary: true, button: 0, clientX: x, clientY: 0 });
  Object.defineProperty(event, 'isTrusted', { value: isTrusted });
  track.dispatchEvent(event);
}

test('a press opens the window, and never counts as a swipe', () => {
  for (const [type, x] of [
    ['pointerdown', 20],
    ['pointermove', 23],
    ['pointerup', 23],
    ['click', 23],
    ['click', 23],
  ] as const)
    send(type, x);
  expect(report.swiped).toHaveBeenCalledExactlyOnceWith(false);
  expect(report.letGo).toHaveBeenCalled();
});

test('a drag that is released early opens nothing', () => {
  for (const [type, x] of [
    ['pointerdown', 20],
    ['pointermove', 90],
    ['pointerup', 90],
    ['click', 90],
  ] as const)
    send(type, x);
  expect(report.swiped).not.toHaveBeenCalled();
});

test('a scripted click opens nothing', () => {
  send('click', 20, false);
  expect(report.swiped).not.toHaveBeenCalled();
});
