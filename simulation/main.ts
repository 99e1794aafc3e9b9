/**
 * `npm run simulate -- --seeds 1000 --from 1`: runs the wallet in that many simulated worlds, in a process for each
 * processor. Of each that breaks a rule it prints
 * the shortest commands that do; `--trace file` runs such commands again. `--sabotage` breaks the wallet on purpose, in each of
 * the ways of sabotage.ts, and says after how many seeds that was found.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Command } from './commands.ts';
import { runSeeds } from './processes.ts';
import { SABOTAGES } from './sabotage.ts';
import { openSimulator, type Outcome } from './simulate.ts';

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

async function runAll(): Promise<boolean> {
  const began = performance.now();
  let [done, failures, steps] = [0, 0, 0];
  await runSeeds(from, seeds, (report) => {
    done += 1;
    steps += report.steps;
    if (report.failure) {
      const { seed, digest, failure } = report;
      failures += 1;
      console.log(`\nSeed ${seed} (${digest}) breaks a rule. ${failure.message}`);
      console.log(
        `The shortest commands that break it, for --trace with --from ${seed}:\n${written(failure.shortest)}`,
      );
    }
    if (done % 100 === 0) console.log(`${done} seeds, ${steps} steps, ${failures} failures`);
    return failures < MOST_FAILURES;
  });
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`\nSeeds ${from} to ${from + done - 1}: ${failures} failures, ${steps} steps, ${seconds} s`);
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
    : runAll()
  : runTrace(values.trace));
process.exit(isWell ? 0 : 1);
