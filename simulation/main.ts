/**
 * `npm run simulate -- --seeds 1000 --from 1` runs the wallet in 1000 simulated worlds, one process per processor.
 * Prints a shortened list of commands for each failing seed. `--trace file` replays such a list. `--sabotage` breaks
 * the wallet on purpose in each way listed in sabotage.ts, and prints the first seed that detects it.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Command } from './world/commands.ts';
import { runSeeds, type Report } from './processes.ts';
import { SABOTAGES } from './sabotage.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    trace: { type: 'string' },
    sabotage: { type: 'boolean', default: false },
  },
});
const [from, seeds] = [Number(values.from), Number(values.seeds)];
const MAX_FAILURES = 20;
/** Interval between progress messages (milliseconds). */
const SAY_EVERY_MS = 60_000;

const written = (commands: readonly Command[]) => commands.map((one) => JSON.stringify(one)).join('\n');

function printFailure({ seed, digest, failure }: Report): void {
  console.log(`\nSeed ${seed} (${digest}) breaks a rule. ${failure?.message}`);
  if (failure && failure.shortest.length > 0)
    console.log(`The shortest commands that break it, for --trace with --from ${seed}:\n${written(failure.shortest)}`);
}

async function runAll(): Promise<boolean> {
  const began = performance.now();
  let [done, failures, steps] = [0, 0, 0];
  const say = () => {
    const seconds = Math.round((performance.now() - began) / 1000);
    const next = from + done;
    console.log(`Seeds ${from} to ${next - 1}: ${failures} failures, ${steps} steps, ${seconds} s`);
    if (done < seeds) console.log(`What is left: --from ${next} --seeds ${seeds - done}`);
  };
  const saying = setInterval(say, SAY_EVERY_MS);
  const stop = () => {
    say();
    process.exit(1);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  await runSeeds(from, seeds, (report) => {
    done += 1;
    steps += report.steps;
    if (report.failure) {
      failures += 1;
      printFailure(report);
    }
    return failures < MAX_FAILURES;
  });
  clearInterval(saying);
  say();
  return failures === 0;
}

async function runTrace(file: string): Promise<boolean> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const commands = lines.map((line) => JSON.parse(line) as Command);
  let isWell = false;
  const hear = ({ digest, failure }: Report) => {
    isWell = failure === null;
    console.log(failure?.message ?? 'No rule is broken.', digest);
    return true;
  };
  await runSeeds(from, 1, hear, { commands, isShortened: false });
  return isWell;
}

async function runSabotages(): Promise<boolean> {
  let isEachFound = true;
  for (const [name, sabotage] of Object.entries(SABOTAGES)) {
    let found: Report | null = null;
    const hear = (report: Report) => {
      if (report.failure) found ??= report;
      return found === null;
    };
    await runSeeds(from, seeds, hear, { sabotage, isShortened: false });
    const { seed, failure } = (found ?? {}) as Partial<Report>;
    isEachFound &&= found !== null;
    console.log(`${name}: ${found ? `seed ${seed}, ${failure?.message}` : 'not found'}`);
  }
  return isEachFound;
}

const isWell = await (values.trace === undefined
  ? values.sabotage
    ? runSabotages()
    : runAll()
  : runTrace(values.trace));
process.exit(isWell ? 0 : 1);
