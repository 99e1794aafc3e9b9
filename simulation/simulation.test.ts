/**
 * Simulations of the whole wallet. `npm run simulate` makes as many as wanted; here are a few, and that the same seed is the same
 * run, that a wallet broken on purpose is found, and that what broke a rule is cut down to what matters.
 */
import { expect, test } from 'vitest';
import { FIRST_SEED, runsByLuck, SOAKING } from '../testing/soak.ts';
import { SABOTAGES } from './sabotage.ts';
import { shortened } from './shrink.ts';
import { openSimulator, scenarioOf } from './simulate.ts';

test('no seed breaks a rule, and the same seed goes the same way', async () => {
  const simulator = await openSimulator();
  const seeds = SOAKING ? 10 * runsByLuck(0) : 100;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed += 1) {
    const { violation, digest } = await simulator.run(seed);
    expect(violation?.message, `seed ${seed}`).toBeUndefined();
    if (seed < FIRST_SEED + 3) expect((await simulator.run(seed)).digest).toBe(digest);
  }
});

test('a wallet that reserves no coins is found, and what shows it is short', async () => {
  const simulator = await openSimulator(SABOTAGES['reserves no coins']);
  const { violation, seed } = await simulator.run(1);
  expect(violation).not.toBeNull();
  const commands = await shortened(simulator, seed, scenarioOf(seed), violation?.rule ?? '');
  expect(commands.length).toBeLessThan(scenarioOf(seed).length);
  expect((await simulator.run(seed, commands)).violation?.rule).toBe(violation?.rule);
});
