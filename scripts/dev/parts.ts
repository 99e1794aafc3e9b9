/** Rebuilds parts one after another, even if files change during a build. */
import type { Part } from './affected.ts';

/** The build function of each part. */
export type Make = Readonly<Record<Part, () => Promise<void>>>;

export interface Parts {
  /** Marks parts as stale so that they are rebuilt soon. Simultaneous changes are combined. */
  stale(parts: readonly Part[]): void;
  /** Resolves when no part is stale. */
  settled(): Promise<void>;
}

/** The build order. The service is last, because it serves the other builds. */
const ORDER: readonly Part[] = ['button', 'extension', 'service'];

/**
 * @param make builds a part; a part that fails is built again after the next change
 * @param failed receives the error
 * @param quiet how long to wait for more changes (milliseconds), because a checkout writes several files
 */
export function keepFresh(make: Make, failed: (part: Part, error: unknown) => void, quiet = 100): Parts {
  const stale = new Set<Part>();
  let working: Promise<void> | null = null;

  async function work(): Promise<void> {
    while (stale.size > 0) {
      await new Promise((wake) => setTimeout(wake, quiet));
      // The service reads the button when it starts.
      if (stale.has('button')) stale.add('service');
      const part = ORDER.find((one) => stale.has(one)) as Part;
      stale.delete(part);
      await make[part]().catch((error: unknown) => failed(part, error));
    }
    working = null;
  }
  return {
    stale(parts) {
      for (const part of parts) stale.add(part);
      if (stale.size > 0) working ??= work();
    },
    settled: async () => {
      while (working) await working;
    },
  };
}
