/**
 * A process of the simulation: receives seeds and reports their outcomes. Its argument is the file with the background.
 */
import { readFileSync } from 'node:fs';
import type { Report, Work } from './program/processes.ts';
import { programOf, type Module } from './program/program.ts';
import { shortened } from './shrink.ts';
import { openSimulator, scenarioOf } from './simulate.ts';

const modules = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Module[];
const simulator = await openSimulator(programOf(modules));

async function run({ seed, isShortened }: Work): Promise<Report> {
  const commands = scenarioOf(seed);
  const { digest, steps, violation } = await simulator.run(seed, commands);
  const failure = violation && {
    message: violation.message,
    shortest: isShortened ? await shortened(simulator, seed, commands, violation.rule) : commands,
  };
  return { seed, digest, steps, failure };
}

// One after the other: worlds share the process.
process.on('message', (work: Work) => void run(work).then((report) => process.send?.(report)));
process.send?.('ready');
