/**
 * `npm run simulate -- --seeds 1000 --from 1`: runs the wallet in that many simulated worlds. Of each that breaks a rule it prints
 * the shortest commands that do; `--trace file` runs such commands again. `--sabotage` breaks the wallet on purpose, in each of
 * the ways of sabotage.ts, and says after how many seeds that was found.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Command } from './commands.ts';
import { SABOTAGES } from './sabotage.ts';
import { shortened } from './shrink.ts';
import { openSimulator, scenarioOf, type Outcome, type Simulator } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    trace: { type: 'string' },
    sabotage: { type: 'boolean', default: false },
  },
});
const [from, seeds] = [Number(values.from), Number(values.seeds)];
/** After so many failures there is enough to look at. */
const MOST_FAILURES = 20;

const written = (commands: readonly Command[]) => commands.map((one) => JSON.stringify(one)).join('\n');

async function report(simulator: Simulator, { seed, violation, digest }: Outcome, commands: Command[]): Promise<void> {
  console.log(`\nSeed ${seed} (${digest}) breaks a rule. ${violation?.message}`);
  const shortest = await shortened(simulator, seed, commands, violation?.rule ?? '');
  console.log(`The shortest commands that break it, for --trace with --from ${seed}:\n${written(shortest)}`);
}

async function runSeeds(): Promise<boolean> {
  const simulator = await openSimulator();
  const began = performance.now();
  let [failures, steps] = [0, 0];
  for (let seed = from; seed < from + seeds && failures < MOST_FAILURES; seed += 1) {
    const commands = scenarioOf(seed);
    const outcome = await simulator.run(seed, commands);
    steps += outcome.steps;
    if (outcome.violation) {
      failures += 1;
      await report(simulator, outcome, commands);
    }
    const done = seed - from + 1;
    if (done % 100 === 0) console.log(`${done} seeds, ${steps} steps, ${failures} failures`);
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`\nSeeds ${from} to ${from + seeds - 1}: ${failures} failures, ${steps} steps, ${seconds} s`);
  return failures === 0;
}

async function runTrace(file: string): Promise<boolean> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const commands = lines.map((line) => JSON.parse(line) as Command);
  const outcome = await (await openSimulator()).run(from, commands);
  console.log(outcome.violation?.message ?? 'No rule is broken.', outcome.digest);
  return outcome.violation === null;
}

async function runSabotages(): Promise<boolean> {
  let isEachFound = true;
  for (const [name, sabotage] of Object.entries(SABOTAGES)) {
    const simulator = await openSimulator(sabotage);
    let found: Outcome | null = null;
    for (let seed = from; seed < from + seeds && !found; seed += 1) {
      const outcome = await simulator.run(seed);
      if (outcome.violation) found = outcome;
    }
    isEachFound &&= found !== null;
    console.log(`${name}: ${found ? `seed ${found.seed}, ${found.violation?.message}` : 'not found'}`);
  }
  return isEachFound;
}

const isWell = await (values.trace === undefined
  ? values.sabotage
    ? runSabotages()
    : runSeeds()
  : runTrace(values.trace));
process.exit(isWell ? 0 : 1);
