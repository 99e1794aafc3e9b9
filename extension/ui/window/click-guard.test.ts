import { expect, test } from 'vitest';
import { createClickGuard, GUARD_MS } from './click-guard.ts';

/** Simulates a window whose animation frames and clock are controlled by the test. */
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

test('nothing counts before the window has been painted, however long it takes', () => {
  const s = stage();
  const guard = createClickGuard(s.around);
  s.pass(10_000);
  expect(guard.ready()).toBe(false);
});

test('a click counts half a second after the first paint, not earlier', () => {
  const s = stage();
  const guard = createClickGuard(s.around);
  s.paint();
  s.pass(GUARD_MS - 1);
  expect(guard.ready()).toBe(false);
  s.pass(1);
  expect(guard.ready()).toBe(true);
});

test.each(['focus', 'visibilitychange'])('%s starts the clock again', (event) => {
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

test('nothing counts while the window is hidden', () => {
  const s = stage();
  const guard = createClickGuard(s.around);
  s.paint();
  s.pass(5000);
  s.document.visibilityState = 'hidden';
  expect(guard.ready()).toBe(false);
});

test('changed contents start the clock again', () => {
  const s = stage();
  const guard = createClickGuard(s.around);
  s.paint();
  s.pass(5000);
  guard.restart();
  s.paint();
  expect(guard.ready()).toBe(false);
});

test('a dialog that hid them and is closed starts it again, too', () => {
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

test('it leaves no listener behind', () => {
  const s = stage();
  createClickGuard(s.around).dispose();
  expect(s.listeners.size).toBe(0);
});
