import { describe, expect, it } from 'vitest';
import { inBatches } from './batch.ts';

describe('batched queries', () => {
  it('share one query if they arrive together, or while two queries are running', async () => {
    const rounds: { numbers: number[]; answer: () => void }[] = [];
    const asked = () => rounds.map(({ numbers }) => numbers);
    const ask = inBatches(
      (numbers: readonly number[]) =>
        new Promise<number[]>((resolve) => {
          rounds.push({ numbers: [...numbers], answer: () => resolve(numbers.map((n) => n * 2)) });
        }),
    );
    const first = [ask(1), ask(2)];
    await expect.poll(asked).toEqual([[1, 2]]);
    const second = ask(3);
    await expect.poll(asked).toEqual([[1, 2], [3]]);
    const later = [4, 5, 6].map(ask);
    // These queries don't join a batch in progress, because its results could be older than the queries.
    await new Promise((turn) => setImmediate(turn));
    expect(asked()).toEqual([[1, 2], [3]]);
    rounds[1]?.answer();
    expect(await second).toBe(6);
    await expect.poll(asked).toEqual([[1, 2], [3], [4, 5, 6]]);
    rounds[2]?.answer();
    expect(await Promise.all(later)).toEqual([8, 10, 12]);
    rounds[0]?.answer();
    expect(await Promise.all(first)).toEqual([2, 4]);
  });

  it('form batches of at most 256', async () => {
    const sizes: number[] = [];
    const ask = inBatches(async (numbers: readonly number[]) => {
      sizes.push(numbers.length);
      return numbers;
    });
    const numbers = Array.from({ length: 600 }, (_, i) => i);
    expect(await Promise.all(numbers.map(ask))).toEqual(numbers);
    expect(sizes.toSorted((a, b) => a - b)).toEqual([88, 256, 256]);
  });

  it('fail together, without affecting the next batch', async () => {
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
