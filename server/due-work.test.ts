import { afterEach, describe, expect, it, vi } from 'vitest';
import { startDueWork } from './due-work.ts';
import type { Periodic } from './periodic.ts';

const HOUR_MS = 3600_000;

interface Item {
  id: string;
}

describe('due work', () => {
  let started: Periodic | undefined;
  /** Functions that end the slow items in progress, by ID. */
  const ends = new Map<string, (isAnswered: boolean) => void>();
  afterEach(async () => {
    for (const end of ends.values()) end(true);
    ends.clear();
    await started?.stop();
  });

  /** Starts work on these items. Items that aren't slow end immediately. */
  function begin(ids: string[], slots: number, slow: string[] = [], intervalMs = HOUR_MS) {
    const due = ids.map((id) => ({ id }));
    const claims: { most: number; inProgress: string[] }[] = [];
    const processed: string[] = [];
    const onError = vi.fn<(error: unknown) => void>();
    const claim = vi.fn<(most: number, inProgress: readonly string[]) => Promise<Item[]>>(async (most, inProgress) => {
      claims.push({ most, inProgress: [...inProgress] });
      return due.splice(0, most);
    });
    const process = async ({ id }: Item) => {
      const isAnswered = !slow.includes(id) || (await new Promise<boolean>((resolve) => ends.set(id, resolve)));
      processed.push(id);
      return isAnswered;
    };
    started = startDueWork({ slots, claim, process }, intervalMs, onError);
    return { work: started, due, claims, claim, processed, onError };
  }

  it('continues immediately while more items are due', async () => {
    const ids = Array.from({ length: 50 }, (_, i) => `${i}`);
    const { processed } = begin(ids, 4);
    await vi.waitFor(() => expect(processed).toEqual(ids));
  });

  it('isn’t delayed by a slow item, which is never claimed twice', async () => {
    const { processed, claims } = begin(['slow', '1', '2', '3', '4', '5'], 2, ['slow']);
    await vi.waitFor(() => expect(processed).toEqual(['1', '2', '3', '4', '5']));
    for (const { most, inProgress } of claims.slice(1)) expect([most, inProgress]).toEqual([1, ['slow']]);
  });

  it('finds new items after the interval, even if an item is still in progress', async () => {
    const { processed, due } = begin(['slow'], 2, ['slow'], 1);
    due.push({ id: 'new' });
    await vi.waitFor(() => expect(processed).toEqual(['new']));
  });

  it('doesn’t refill the slot of a failed item before the interval ends', async () => {
    const { processed, claims } = begin(['failed', 'slow', '1', '2', '3'], 2, ['failed', 'slow']);
    await vi.waitFor(() => expect(ends.size).toBe(2));
    ends.get('failed')?.(false);
    await vi.waitFor(() => expect(processed).toEqual(['failed']));
    ends.get('slow')?.(true);
    await vi.waitFor(() => expect(processed).toEqual(['failed', 'slow', '1', '2', '3']));
    expect(claims.map(({ most }) => most)).toEqual([2, 1, 1, 1, 1]);
  });

  it('refills the slot of a failed item after the interval', async () => {
    const { processed } = begin(['failed', '1'], 1, ['failed'], 1);
    await vi.waitFor(() => expect(ends.size).toBe(1));
    ends.get('failed')?.(false);
    await vi.waitFor(() => expect(processed).toEqual(['failed', '1']));
  });

  it('claims again after a claim has failed', async () => {
    const { processed, due, claim, onError } = begin([], 1, [], 1);
    claim.mockRejectedValueOnce(new Error('no connection'));
    await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce());
    due.push({ id: '1' });
    await vi.waitFor(() => expect(processed).toEqual(['1']));
  });

  it('stops after the items in progress, and claims no more', async () => {
    const { work, processed, claims } = begin(['failed', 'slow', '1'], 2, ['failed', 'slow']);
    await vi.waitFor(() => expect(ends.size).toBe(2));
    ends.get('failed')?.(false);
    const stopped = work.stop().then(() => processed.push('stopped'));
    ends.get('slow')?.(true);
    await stopped;
    expect([processed, claims.length]).toEqual([['failed', 'slow', 'stopped'], 1]);
  });
});
