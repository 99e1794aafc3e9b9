/**
 * `npm run fuzz -- transaction beef --cases 1000000 --seconds 300 --seed 7`: fuzzes the named parsers, or all of them.
 * An input that violates a rule is written to `fuzz/corpus`, which `npm test` runs. `--keep` stores a minimal set of
 * inputs that reach new code. `--sabotage` breaks parsers in each way listed in sabotage.ts, and prints the number of
 * cases until the fault was detected.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { TARGETS } from './corpus.ts';
import { SABOTAGES } from './sabotage.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
    sabotage: { type: 'boolean', default: false },
  },
});
const unknown = positionals.find((name) => !TARGETS.includes(name));
if (unknown !== undefined) {
  console.error(`There is no target "${unknown}". There are: ${TARGETS.join(', ')}.`);
  process.exit(2);
}

/** Runs a target in a separate process. @returns true if there were no findings */
function runOne(...more: string[]): boolean {
  const flags = ['--max-old-space-size=1024', '--import', 'tsx', fileURLToPath(new URL('worker.ts', import.meta.url))];
  const given = [
    '--cases',
    values.cases,
    '--seconds',
    values.seconds,
    '--seed',
    values.seed,
    ...(values.keep ? ['--keep'] : []),
  ];
  return spawnSync(process.execPath, [...flags, ...given, ...more], { stdio: 'inherit' }).status === 0;
}

const names = positionals.length > 0 ? positionals : TARGETS;
const isWell = (
  values.sabotage
    ? Object.entries(SABOTAGES)
        .filter(([, { target }]) => names.includes(target))
        .map(([way, { target }]) => runOne(target, '--broken', way))
    : names.map((name) => runOne(name))
).every(Boolean);
process.exit(isWell ? 0 : 1);
