import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { waitsUntil } from './wait-for.ts';

const OFTEN = { interval: 1 };
const never = new Promise<void>(() => {});

afterEach(() => {
  vi.useRealTimers();
});

/** Waits long enough for several polls, because timers with equal delays fire in order. */
async function looks(): Promise<void> {
  for (let count = 0; count < 10; count += 1) await delay(1);
}

test('a wait polls until its condition is true, and returns the result', async () => {
  let looked = 0;
  const waited = waitsUntil(new AbortController().signal)(async () => {
    if ((looked += 1) < 3) throw new Error('not yet');
    return looked;
  }, OFTEN);
  expect(await waited).toBe(3);
});

test('a wait advances a fake clock, even while its condition is pending', async () => {
  vi.useFakeTimers();
  const rang = new Promise<string>((resolve) => setTimeout(() => resolve('rang'), 20));
  expect(await waitsUntil(new AbortController().signal)(() => rang, OFTEN)).toBe('rang');
});

test.each([
  ['is never answered', () => never],
  [
    'is always answered with an error',
    () => {
      throw new Error('not yet');
    },
  ],
])('a wait reports nothing after the end of its file if its condition %s', async (_how, question) => {
  const file = new AbortController();
  let isHeard = false;
  const hear = () => {
    isHeard = true;
  };
  void waitsUntil(file.signal)(question, OFTEN).then(hear, hear);
  await looks();
  file.abort();
  await looks();

  // Simulates the fake clock of the next file, which only that file may advance.
  vi.useFakeTimers({ now: 0 });
  await looks();
  expect(Date.now()).toBe(0);
  expect(isHeard).toBe(false);
});
