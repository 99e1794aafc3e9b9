import { expect, test } from 'vitest';
import { runSeeds } from './processes.ts';

/** Time limit per seed (milliseconds). A seed takes a fraction of a second, unless the machine is busy. */
const PATIENCE_MS = 10_000;

/** Declares tests that run `seeds` seeds, starting at `from`. */
export const testSeeds = (from: number, seeds: number): void =>
  test(
    'no seed violates a rule',
    async () => {
      const failures: string[] = [];
      let heard = 0;
      const hear = ({ seed, failure }: { seed: number; failure: { message: string } | null }) => {
        heard += 1;
        if (failure) failures.push(`seed ${seed}: ${failure.message}`);
        return true;
      };
      await runSeeds(from, seeds, hear, { processes: 1, isShortened: false });
      expect(failures).toStrictEqual([]);
      expect(heard).toBe(seeds);
    },
    seeds * PATIENCE_MS,
  );
