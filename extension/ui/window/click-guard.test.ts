import { expect, test } from 'vitest';
import { createClickGuard, GUARD_MS } from './click-guard.ts';

/** Simulates a window. The test controls its animation frames and its clock. */
function stage() {
  const frames: (() => void)[] = [];
  const listeners = new Map<string, () => void>();
  const listen = {
    addEventListener: (name: string, f: () => void) => listeners.set(name, f),
    removeEventListener: (name: string) => listeners.delete(name),
  };
  const document = { ...listen, visibilityState: 'visible' };
  let now = 1000;
  return {
    around: {
      window: { ...listen, requestAnimationFrame: (f: () => void) => frames.push(f) },
      document,
      now: () => now,
    } as never,
    document,
    paint() {
      for (let i = 0; i < 2; i += 1) for (const frame of frames.splice(0)) frame();
    },
    pass: (ms: number) => void (now += ms),
    send: (name: string) => listeners.get(name)?.(),
    listeners,
  };
}

test('clicks are ignored until the window has been painted, regardless of the time', () => {
  const s = stage();
  const guard = createClickGuard(s.around);
  s.pass(10_000);
  expect(guard.ready()).toBe(false);
});

test('a click counts from half a second after the first paint', () => {
  const s = stage();
  const guard = createClickGuard(s.around);
  s.paint();
  s.pass(GUARD_MS - 1);
  expect(guard.ready()).toBe(false);
  s.pass(1);
  expect(guard.ready()).toBe(true);
});

test.each(['focus', 'visibilitychange'])('%s restarts the clock', (event) => {
  const s = stage();
  const guard = createClickGuard(s.around);
  s.paint();
  s.pass(5000);
  s.send(event);
  expect(guard.ready()).toBe(false);
  s.paint();
  s.pass(GUARD_MS - 1);
  expect(guard.ready()).toBe(false);
  s.pass(1);
  expect(guard.ready()).toBe(true);
});

test('clicks are ignored while the window is hidden', () => {
  const s = stage();
  const guard = createClickGuard(s.around);
  s.paint();
  s.pass(5000);
  s.document.visibilityState = 'hidden';
  expect(guard.ready()).toBe(false);
});

test('changed contents restart the clock', () => {
  const s = stage();
  const guard = createClickGuard(s.around);
  s.paint();
  s.pass(5000);
  guard.restart();
  s.paint();
  expect(guard.ready()).toBe(false);
});

test('closing a dialog that hid the contents restarts the clock', () => {
  const s = stage();
  const guard = createClickGuard(s.around);
  s.paint();
  s.pass(5000);
  s.send('close');
  s.paint();
  expect(guard.ready()).toBe(false);
  s.pass(GUARD_MS);
  expect(guard.ready()).toBe(true);
});

test('all listeners are removed in the end', () => {
  const s = stage();
  createClickGuard(s.around).dispose();
  expect(s.listeners.size).toBe(0);
});
