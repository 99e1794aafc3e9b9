/** Runs of many seeds, for tests: two files have half of them each, so that two processes share them. */
import { expect, test } from 'vitest';
import { openSimulator } from './simulate.ts';

/** Ends a run that hangs: so long for each seed (milliseconds). */
const PATIENCE_MS = 2000;

/** Runs `seeds` of them, the first of which is `from`. */
export const testSeeds = (from: number, seeds: number): void =>
  test(
    'no seed breaks a rule',
    async () => {
      const simulator = await openSimulator();
      for (let seed = from; seed < from + seeds; seed += 1) {
        const { violation } = await simulator.run(seed);
        expect(violation?.message, `seed ${seed}`).toBeUndefined();
      }
    },
    seeds * PATIENCE_MS,
  );
