/** The seeds of a test run, in halves: two files, so that two processes share them. */
import { expect, test } from 'vitest';
import { FIRST_SEED, runsByLuck, SOAKING } from '../testing/soak.ts';
import { openSimulator } from './simulate.ts';

const SEEDS = SOAKING ? 10 * runsByLuck(0) : 400;

/** Runs every other seed. */
export const testSeeds = (half: 0 | 1): void =>
  test('no seed breaks a rule', async () => {
    const simulator = await openSimulator();
    for (let seed = FIRST_SEED + half; seed < FIRST_SEED + SEEDS; seed += 2) {
      const { violation } = await simulator.run(seed);
      expect(violation?.message, `seed ${seed}`).toBeUndefined();
    }
  });
