/** Tests how the account's storage on its service is divided among sites, and how much one site can use. */
import { describe, expect, test } from 'vitest';
import { MAX_BLOCK } from '../../protocol/http/app-log.ts';
import { shareOfBlock } from '../app-log/size.ts';
import { selectSaved, type Weighed } from './share.ts';
import { GREEDY, APP, action } from './testing-share.ts';

describe('the share of a block', () => {
  test('the share is at least the entry’s size, and a whole block if no second entry fits', () => {
    expect(shareOfBlock(action(1, APP, 100))).toBeGreaterThan(300);
    expect(shareOfBlock(action(1, APP, 100))).toBeLessThan(340);
    expect(shareOfBlock(action(1, APP, 20_000))).toBeCloseTo(MAX_BLOCK / 3, -1);
    expect(shareOfBlock(action(1, APP, 31_500))).toBe(MAX_BLOCK / 2);
    expect(shareOfBlock(action(1, APP, 33_000))).toBe(MAX_BLOCK);
    expect(shareOfBlock(action(1, APP, 90_000))).toBe(MAX_BLOCK);
  });
});

describe('sharing the space', () => {
  let n = 0;
  const weighed = (origin: string | null, bytes: number, more: Partial<Weighed> = {}): Weighed => ({
    ...{ key: `key ${(n += 1)}`, kind: origin === null ? 'wallet-payment' : 'output', origin, at: n, bytes },
    ...more,
  });
  const many = (count: number, ...args: Parameters<typeof weighed>) =>
    Array.from({ length: count }, () => weighed(...args));
  const savedOf = (entries: Weighed[], room: number) => {
    const { saved } = selectSaved(entries, room);
    return entries.map(({ key }) => (saved.has(key) ? 1 : 0));
  };

  test('everything is saved while there is space', () => {
    const entries = [...many(3, APP, 10), ...many(3, GREEDY, 20)];
    expect(selectSaved(entries, 90)).toMatchObject({ forgotten: [], leftOut: 0 });
    expect(savedOf(entries, 90)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test('the largest sites lose their own entries, the oldest first', () => {
    const entries = [...many(2, APP, 10), ...many(5, GREEDY, 20)];
    expect(savedOf(entries, 80)).toEqual([1, 1, 0, 0, 1, 1, 1]);
    expect(selectSaved(entries, 80).leftOut).toBe(2);
  });

  test('many sites that need more get equal shares', () => {
    const entries = [weighed(APP, 10), ...many(9, 'https://1.example', 10), ...many(7, 'https://2.example', 10)];
    const saved = savedOf(entries, 90);
    expect([saved[0], saved.slice(1, 10), saved.slice(10)].flat().reduce((a, b) => (a ?? 0) + (b ?? 0))).toBe(9);
    expect(saved[0]).toBe(1);
    expect(saved.slice(1, 10).filter(Boolean)).toHaveLength(4);
  });

  test('money is always saved', () => {
    expect(savedOf([...many(4, GREEDY, 20), weighed(null, 70)], 80)).toEqual([0, 0, 0, 0, 1]);
  });

  test('a site’s outputs are saved before actions, and those before notes', () => {
    const entries = [
      weighed(APP, 10),
      weighed(APP, 10, { kind: 'action' }),
      weighed(APP, 10, { kind: 'output-gone' }),
      weighed(APP, 10),
    ];
    expect(savedOf(entries, 30)).toEqual([1, 1, 0, 1]);
    expect(savedOf(entries, 20)).toEqual([1, 0, 0, 1]);
  });

  test('the newest actions and notes of each site are kept', () => {
    const notes = [...many(1_001, GREEDY, 1, { kind: 'output-gone' }), weighed(APP, 1, { kind: 'output-gone', at: 0 })];
    expect(selectSaved(notes).forgotten).toEqual([notes[0]?.key]);
    const actions = [...many(10_001, GREEDY, 1, { kind: 'action' }), weighed(APP, 1, { kind: 'action', at: 0 })];
    expect(selectSaved(actions).forgotten).toEqual([actions[0]?.key]);
  });
});
