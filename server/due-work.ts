/** Processes due rows with a limited number of concurrent tasks so that slow rows don't delay the others. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Periodic } from './periodic.ts';

export interface DueWork<T extends { id: string }> {
  /** Maximum number of items in progress. */
  slots: number;
  /** Claims up to `most` due items, except those with the IDs in `inProgress`. */
  claim(most: number, inProgress: readonly string[]): Promise<T[]>;
  /** Processes an item. Resolves to false if a service that the work depends on has failed. */
  process(item: T): Promise<boolean>;
}

/** Processes one batch of due items. @returns the number of items */
export async function processDue<T extends { id: string }>({ slots, claim, process }: DueWork<T>): Promise<number> {
  const items = await claim(slots, []);
  await Promise.all(items.map((item) => process(item)));
  return items.length;
}

/** Processes items as they become due. Claims more when an item ends, or after `intervalMs` if no more were due. */
export function startDueWork<T extends { id: string }>(
  { slots, claim, process }: DueWork<T>,
  intervalMs: number,
  onError: (error: unknown) => void,
): Periodic {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Map<string, Promise<void>>();
  const pause = () => wait(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);

  async function run(item: T): Promise<void> {
    const isAnswered = await process(item).catch(onError);
    // Keeps the slot during the pause so that a service that fails or limits requests isn't queried at full speed.
    if (isAnswered !== true) await pause();
    running.delete(item.id);
  }

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      const free = slots - running.size;
      const items = await claim(free, [...running.keys()]).catch((error: unknown) => {
        onError(error);
        return [];
      });
      for (const item of items) running.set(item.id, run(item));
      await (items.length < free ? pause() : Promise.race(running.values()));
    }
  }

  const looping = loop();
  return {
    async stop() {
      stopping.abort();
      await looping;
      await Promise.all(running.values());
    },
  };
}
