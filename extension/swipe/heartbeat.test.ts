import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHeartbeat, type Heartbeat } from './heartbeat.ts';

let heart: Heartbeat;
let requested: number[];
beforeEach(() => {
  requested = [];
  heart = createHeartbeat((request) => requested.push(request));
});
/** Sends beats at these times. Each confirms the latest request, and reports that the frame hasn't moved. */
const beatAt = (...times: number[]) => times.forEach((time) => heart.beat(requested.at(-1) ?? 0, false, time));

describe('the time since which a page has been drawn', () => {
  test('the drawing time is unknown before the first beat', () => {
    expect(heart.steadySince(1000)).toBeNull();
  });

  test('the drawing time starts with the first beat', () => {
    beatAt(100, 116, 133);
    expect(heart.steadySince(140)).toBe(100);
  });

  test('the drawing time survives gaps of up to 150 ms', () => {
    beatAt(100, 250, 400);
    expect(heart.steadySince(550)).toBe(100);
  });

  test('the drawing time is unknown in a longer gap', () => {
    beatAt(100, 116);
    expect(heart.steadySince(267)).toBeNull();
  });

  test('the drawing time restarts after a longer gap', () => {
    beatAt(100, 116, 267);
    expect(heart.steadySince(270)).toBe(267);
  });

  test('the drawing time restarts when the frame moves', () => {
    beatAt(100, 116);
    heart.beat(0, true, 133);
    beatAt(150);
    expect(heart.steadySince(160)).toBe(133);
  });
});

describe('waiting for two more beats', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('the wait ends with the second beat', async () => {
    let isOver = false;
    const drawn = heart.twoMore().then((value) => {
      isOver = true;
      return value;
    });
    beatAt(100);
    await Promise.resolve();
    expect(isOver).toBe(false);
    beatAt(116);
    expect(await drawn).toBe(true);
  });

  test('the wait ignores beats that were sent before it', async () => {
    const first = heart.twoMore();
    beatAt(100, 116);
    expect(await first).toBe(true);
    const drawn = heart.twoMore();
    for (const time of [133, 150, 166]) heart.beat(1, false, time);
    vi.advanceTimersByTime(500);
    expect(await drawn).toBe(false);
  });

  test('the wait fails if they don’t arrive within half a second', async () => {
    const drawn = heart.twoMore();
    beatAt(100);
    vi.advanceTimersByTime(500);
    expect(await drawn).toBe(false);
  });
});
