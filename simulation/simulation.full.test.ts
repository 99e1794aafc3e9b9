/** The slower tests of simulation, for the full run. */
import { expect, test } from 'vitest';
import { bundleBackground, type Sabotage } from './build.ts';
import { runSeeds } from './processes.ts';
import { programOf } from './program.ts';
import { SABOTAGES } from './sabotage.ts';
import { openSimulator } from './simulate.ts';

test('a wallet that hands a payment to its recipient’s host only once is found', async () => {
  const simulator = await openSimulator(programOf(await bundleBackground(SABOTAGES['delivers only once'])));
  let found: string | undefined;
  // These are the worlds with paymail hosts.
  for (let seed = 5; seed <= 200 && found === undefined; seed += 5) found = (await simulator.run(seed)).violation?.rule;
  expect(found).toBe('what is paid is delivered');
});

test('finds a wallet that does not log what applications keep', async () => {
  const sabotage = SABOTAGES['forgets what applications keep'];
  const simulator = await openSimulator(programOf(await bundleBackground(sabotage)));
  const rules = new Set<string | undefined>();
  // These are worlds with applications.
  for (let seed = 1; seed <= 201 && !rules.has('an application keeps its data'); seed += 5)
    rules.add((await simulator.run(seed)).violation?.rule);
  expect(rules).toContain('an application keeps its data');
});

test('a seed that ends its process costs that seed alone', async () => {
  const ends: Sabotage = (path, code) =>
    path === 'extension/background/payment/cancel.ts'
      ? code.replace('  if ((await vaultStatus()).locked)', '  process.exit(7);\n$&')
      : null;
  const heard = new Map<number, string | undefined>();
  const seeds = 16;
  await runSeeds(1, seeds, ({ seed, failure }) => heard.set(seed, failure?.message).size > 0, { sabotage: ends });
  expect([...heard.keys()]).toStrictEqual(Array.from({ length: seeds }, (_, i) => i + 1));
  expect(new Set(heard.values())).toStrictEqual(new Set([undefined, 'its process ended with 7']));
});
