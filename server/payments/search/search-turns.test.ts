import { expect, it } from 'vitest';
import { codeOf } from '../../../testing/code-of.ts';
import { inTurn } from './search-turns.ts';

it('runs one search per client and three in all, queues others, and rejects those beyond the queue', async () => {
  const [begun, ends]: [string[], (() => void)[]] = [[], []];
  const search = (client: string, isFailing = false) =>
    inTurn(client, async () => {
      begun.push(client);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (isFailing) throw new Error('failed');
      return client;
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const first = search('a', true);
  const failed = expect(first).rejects.toThrow('failed');
  const others = [...Array<string>(10).fill('a'), 'b', 'c', 'd'].map((client) => search(client));
  await settle();
  expect(begun).toEqual(['a', 'b', 'c']);
  expect(await codeOf(search('a'))).toBe('too-many-requests');
  for (let i = 0; i < 14; i += 1) {
    ends[i]?.();
    await settle();
  }
  await failed;
  expect(begun.slice(0, 5)).toEqual(['a', 'b', 'c', 'a', 'd']);
  expect(await Promise.all(others)).toHaveLength(13);
});
