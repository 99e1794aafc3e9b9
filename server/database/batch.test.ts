import { describe, expect, it } from 'vitest';
import { inBatches } from './batch.ts';

describe('questions in batches', () => {
  it('that come at once are one, and those that come meanwhile are the next', async () => {
    const rounds: number[][] = [];
    let answer = () => {};
    const ask = inBatches((numbers: readonly number[]) => {
      rounds.push([...numbers]);
      return new Promise<number[]>((resolve) => (answer = () => resolve(numbers.map((n) => n * 2))));
    }, 3);
    const first = [ask(1), ask(2)];
    await expect.poll(() => rounds).toEqual([[1, 2]]);
    const later = [3, 4, 5, 6].map(ask);
    // Asked after the round began: its answer could be older than the question.
    expect(rounds).toHaveLength(1);
    answer();
    expect(await Promise.all(first)).toEqual([2, 4]);
    await expect.poll(() => rounds).toEqual([[1, 2], [3, 4, 5]]);
    answer();
    await expect.poll(() => rounds).toEqual([[1, 2], [3, 4, 5], [6]]);
    answer();
    expect(await Promise.all(later)).toEqual([6, 8, 10, 12]);
  });

  it('fail together, and the next ones do not', async () => {
    let broken = true;
    const ask = inBatches(async (numbers: readonly number[]) => {
      if (broken) throw new Error('gone');
      return numbers;
    });
    const ended = await Promise.allSettled([ask(1), ask(2)]);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    broken = false;
    expect(await ask(3)).toBe(3);
  });
});
